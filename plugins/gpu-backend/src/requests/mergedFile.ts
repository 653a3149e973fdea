import { fileDigest } from '@gpuaas/backstage-plugin-gpu-common';
import { parse } from 'yaml';
import { RequestRow } from './requestStore';

/**
 * The merged file against what was registered (rule 3). Whoever registers
 * chooses the digest, so the digest alone proves nothing about entity and user:
 * what the reviewers saw must name them too.
 */
export function checkMergedFile(
  content: string | undefined,
  request: Pick<
    RequestRow,
    'id' | 'name' | 'namespace' | 'entity' | 'requester' | 'digest'
  >,
): 'same' | 'changed' {
  if (content === undefined || fileDigest(content) !== request.digest) {
    return 'changed';
  }
  const { name, namespace, annotations } = metadataOf(content);
  const isTheirs =
    name === request.name &&
    namespace === request.namespace &&
    annotations?.['gpuaas.io/request-id'] === request.id &&
    annotations['gpuaas.io/requester'] === request.requester &&
    String(annotations['gpuaas.io/entity']).toLocaleLowerCase('en-US') ===
      request.entity;
  return isTheirs ? 'same' : 'changed';
}

function metadataOf(manifest: string): {
  name?: string;
  namespace?: string;
  annotations?: Record<string, unknown>;
} {
  try {
    return parse(manifest)?.metadata ?? {};
  } catch {
    return {};
  }
}
