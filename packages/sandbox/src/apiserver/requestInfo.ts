import { badRequest } from './apiStatus';
import type { ResourceType } from './objectStore';

/** What a path under /api or /apis names. */
export interface ResourcePath {
  type: ResourceType;
  namespace?: string;
  name?: string;
  subresource?: string;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`path segment ${JSON.stringify(part)} is not URL-encoded`);
  }
}

/**
 * Reads a resource's path: `/api/v1/…` or `/apis/<group>/<version>/…`, with
 * `namespaces/<ns>/` before namespaced resources. Undefined when it names none.
 */
export function resourcePath(
  types: readonly ResourceType[],
  path: string,
): ResourcePath | undefined {
  const parts = path.split('/').filter(Boolean).map(decoded);
  const isCore = parts[0] === 'api';
  if (!isCore && parts[0] !== 'apis') {
    return undefined;
  }
  const group = isCore ? '' : parts[1];
  const [version, ...rest] = parts.slice(isCore ? 1 : 2);
  const find = (resource: string | undefined) =>
    types.find(
      type =>
        type.group === group &&
        type.version === version &&
        type.resource === resource,
    );
  if (rest[0] === 'namespaces' && rest.length > 2) {
    const type = find(rest[2]);
    if (type?.namespaced && rest.length <= 5) {
      return {
        type,
        namespace: rest[1],
        name: rest[3],
        subresource: rest[4],
      };
    }
  }
  const type = find(rest[0]);
  if (!type || rest.length > 3 || (type.namespaced && rest.length > 1)) {
    return undefined;
  }
  return { type, name: rest[1], subresource: rest[2] };
}
