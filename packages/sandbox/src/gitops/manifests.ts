import { parseAllDocuments } from 'yaml';
import { KubernetesObject } from '../apiserver/objectStore';

/** A file of a repository that cannot be read as manifests. */
export class ManifestError extends Error {}

export interface SourceFile {
  path: string;
  content: string;
}

function parseFile({ path, content }: SourceFile): KubernetesObject[] {
  const name = path.split('/').pop();
  const fail = (why: string) =>
    new ManifestError(`Failed to unmarshal "${name}": ${why}`);
  return parseAllDocuments(content).flatMap(document => {
    const [error] = document.errors ?? [];
    if (error) {
      const [line] = error.message.split('\n');
      throw fail(
        `failed to unmarshal manifest: error converting YAML to JSON: yaml: ${line}`,
      );
    }
    const object = document.toJS();
    if (object === null || object === undefined) {
      return [];
    }
    if (typeof object !== 'object' || Array.isArray(object) || !object.kind) {
      throw fail(`Object 'Kind' is missing in '${JSON.stringify(object)}'`);
    }
    if (!object.apiVersion) {
      throw fail(
        `Object 'apiVersion' is missing in '${JSON.stringify(object)}'`,
      );
    }
    if (typeof object.metadata?.name !== 'string') {
      throw fail(`resource name may not be empty (kind ${object.kind})`);
    }
    return [object as KubernetesObject];
  });
}

/** Which files of a folder Argo CD reads as manifests. */
export function isManifestFile(path: string): boolean {
  return /\.(ya?ml|json)$/.test(path);
}

/**
 * The objects of a folder's files, in order of their paths.
 *
 * @throws ManifestError in Argo CD's words
 */
export function parseManifests(
  files: readonly SourceFile[],
): KubernetesObject[] {
  return [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(parseFile);
}
