import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { resolveSafeChildPath } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import { FileChange } from '@gpuaas/backstage-plugin-gpu-node';

/** Most files one pull request may change. */
const MAX_FILES = 500;

/**
 * The changes an action was asked to propose: files given with their content, a file
 * or folder of the workspace, files to remove.
 *
 * @throws InputError when there is nothing, too much, one path twice, or a path that
 * leaves the repository or the workspace.
 */
export async function proposedFiles(
  workspace: string,
  input: {
    files?: Array<{ path: string; content: string }>;
    sourcePath?: string;
    targetPath?: string;
    delete?: string[];
  },
): Promise<FileChange[]> {
  const changes: FileChange[] = [
    ...(input.files ?? []),
    ...(input.sourcePath === undefined
      ? []
      : await fromWorkspace(workspace, input.sourcePath, input.targetPath)),
    ...(input.delete ?? []).map(path => ({ path })),
  ];
  if (changes.length === 0 || changes.length > MAX_FILES) {
    throw new InputError(
      `${changes.length} files would change; accepted are 1 to ${MAX_FILES}, by files, sourcePath or delete`,
    );
  }
  const seen = new Set<string>();
  for (const { path } of changes) {
    const parts = path.split('/');
    const inside = parts.every(
      part => !['', '.', '..'].includes(part) && part.toLowerCase() !== '.git',
    );
    if (!inside || path.includes('\\')) {
      throw new InputError(
        `path is ${JSON.stringify(
          path,
        )}; accepted is a file inside the repository, relative to its root`,
      );
    }
    if (seen.has(path)) {
      throw new InputError(
        `path is ${JSON.stringify(
          path,
        )} twice; accepted is one change for each file`,
      );
    }
    seen.add(path);
  }
  return changes;
}

async function fromWorkspace(
  workspace: string,
  sourcePath: string,
  targetPath = sourcePath,
): Promise<FileChange[]> {
  const source = resolveSafeChildPath(workspace, sourcePath);
  const found = await stat(source).catch(() => undefined);
  if (!found) {
    throw new InputError(
      `sourcePath is ${JSON.stringify(
        sourcePath,
      )}; accepted is a file or folder of the workspace`,
    );
  }
  if (found.isFile()) {
    return [{ path: targetPath, content: await readFile(source, 'utf8') }];
  }
  const entries = await readdir(source, {
    recursive: true,
    withFileTypes: true,
  });
  // Links are left out: one could lead anywhere.
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(source.length + 1));
  return Promise.all(
    files.sort().map(async file => ({
      path: posix.join(targetPath, file),
      content: await readFile(join(source, file), 'utf8'),
    })),
  );
}
