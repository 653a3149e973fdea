import { Account } from './accounts';
import { FileChange, zeroSha } from './bareRepository';
import { Identity } from './commitRecord';
import { ForgeError, unprocessable } from './forgeError';
import { HostedRepository } from './hostedRepository';

/** One file of `POST /repos/{owner}/{repo}/contents`. */
export interface FileOperation {
  operation: string;
  path: string;
  /** Base64. */
  content?: string;
  sha?: string;
  from_path?: string;
}

/** Options that all of Gitea's file endpoints share. */
export interface FileOptions {
  message?: string;
  branch?: string;
  new_branch?: string;
  author?: { name?: string; email?: string };
  committer?: { name?: string; email?: string };
  dates?: { author?: string; committer?: string };
}

/** Gitea refuses what git could not hold; a path is cleaned before it is judged. */
function cleanPath(path: unknown): string {
  const given = typeof path === 'string' ? path : '';
  const parts = given
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.');
  if (
    parts.length === 0 ||
    parts.some(part => part === '..' || part.toLowerCase() === '.git') ||
    /[\0\n\t]/.test(given)
  ) {
    throw unprocessable(`filename is invalid: ${given}`);
  }
  return parts.join('/');
}

function decode(content: string | undefined): Buffer {
  const text = content ?? '';
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) {
    throw unprocessable('illegal base64 data at input byte 0');
  }
  return Buffer.from(text, 'base64');
}

async function planChange(
  repository: HostedRepository,
  parent: string,
  file: FileOperation,
): Promise<FileChange[]> {
  const { git } = repository;
  const path = cleanPath(file.path);
  const from = file.from_path ? cleanPath(file.from_path) : path;
  if (!['create', 'update', 'delete', 'upload'].includes(file.operation)) {
    throw unprocessable(
      `invalid file operation: ${file.operation} ${path}, supported operations are create, update, delete`,
    );
  }
  let mode: string | undefined;
  if (file.operation !== 'create') {
    const old = await git.entry(parent, from);
    if (!old && file.operation !== 'upload') {
      throw new ForgeError(
        404,
        `object does not exist [id: , rel_path: ${from}]`,
      );
    }
    if (file.sha && file.sha !== old?.sha) {
      throw unprocessable(
        `sha does not match [given: ${file.sha}, expected: ${old?.sha ?? ''}]`,
      );
    }
    mode = old?.mode === '100755' ? old.mode : undefined;
  }
  if (file.operation === 'delete') {
    return [{ path, content: null }];
  }
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const part = parts.slice(0, depth).join('/');
    const entry = await git.entry(parent, part);
    if (!entry) {
      break;
    }
    if (depth < parts.length && entry.type !== 'tree') {
      throw unprocessable(
        `a file exists where you’re trying to create a subdirectory [path: ${part}]`,
      );
    }
    if (depth === parts.length && entry.type === 'tree') {
      throw unprocessable(
        `a directory exists where you’re trying to create a file [path: ${part}]`,
      );
    }
    if (
      depth === parts.length &&
      (file.operation === 'create' || from !== path)
    ) {
      throw unprocessable(`repository file already exists [path: ${path}]`);
    }
  }
  return [
    ...(from !== path ? [{ path: from, content: null }] : []),
    { path, content: decode(file.content), mode },
  ];
}

function defaultMessage(files: readonly FileOperation[]): string {
  const paths = (...operations: string[]) =>
    files
      .filter(({ operation }) => operations.includes(operation))
      .map(({ path }) => path)
      .join(', ');
  return [
    ['Add', paths('create')],
    ['Update', paths('update', 'upload')],
    ['Delete', paths('delete')],
  ]
    .filter(([, list]) => list !== '')
    .map(([verb, list]) => `${verb} ${list}`)
    .join('\n');
}

function identity(
  account: Account,
  given: { name?: string; email?: string } | undefined,
  other: { name?: string; email?: string } | undefined,
  date: string,
): Identity {
  // If only one of author and committer is given, it stands for both.
  const chosen = given?.name || given?.email ? given : other;
  return {
    name: chosen?.name || account.fullName,
    email: chosen?.email || account.email,
    date,
  };
}

/**
 * Commits several files at once, to `branch` or to a `new_branch` made from
 * it, as Gitea's contents API does.
 *
 * @returns the new commit
 * @throws ForgeError with Gitea's status and message
 */
export async function changeFiles(
  repository: HostedRepository,
  account: Account,
  options: FileOptions,
  files: readonly FileOperation[],
): Promise<{ commit: string; branch: string }> {
  const branch = options.branch || repository.defaultBranch;
  const target = options.new_branch || branch;
  if (!repository.mayPush(account, target)) {
    throw new ForgeError(
      403,
      'user should have a permission to write to the target branch',
    );
  }
  return repository.exclusively(async () => {
    const parent = repository.branchOrFail(branch);
    if (target !== branch && repository.branch(target)) {
      throw unprocessable(`branch already exists [name: ${target}]`);
    }
    const changes: FileChange[] = [];
    for (const file of files) {
      changes.push(...(await planChange(repository, parent, file)));
    }
    const now = repository.clock.now().toISOString();
    const commit = await repository.git.commitChanges({
      branch: target,
      parent,
      changes,
      message: `${(options.message || defaultMessage(files)).trim()}\n`,
      author: identity(
        account,
        options.author,
        options.committer,
        options.dates?.author ?? now,
      ),
      committer: identity(
        account,
        options.committer,
        options.author,
        options.dates?.committer ?? now,
      ),
    });
    await repository.branchMoved(
      target,
      target === branch ? parent : zeroSha,
      commit,
    );
    return { commit, branch: target };
  });
}
