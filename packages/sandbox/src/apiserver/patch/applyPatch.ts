/* eslint-disable @typescript-eslint/no-explicit-any */
import { applyPatch as applyJsonPatch, type Operation } from 'fast-json-patch';
import { ApiStatusError, badRequest, unsupportedMediaType } from '../apiStatus';
import { cloneTree } from '../frozenTree';
import type { KubernetesObject, ResourceType } from '../objectStore';
import { mergePatch } from './mergePatch';
import { strategicMergePatch } from './strategicMergePatch';

/** Media types of patches. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Kinds of the Kubernetes groups have Go types with merge keys; custom resources have none. */
export function isBuiltIn(type: ResourceType): boolean {
  return !type.group.includes('.') || type.group.endsWith('.k8s.io');
}

function jsonPatch(object: KubernetesObject, patch: any): KubernetesObject {
  if (!Array.isArray(patch)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    );
  }
  try {
    return applyJsonPatch(
      object,
      cloneTree(patch) as Operation[],
      true,
      true,
      true,
    ).newDocument;
  } catch (error) {
    const { name, message } = error as Error;
    throw new ApiStatusError({
      code: 422,
      reason: 'Invalid',
      message: `the server rejected our request due to an error in our request: ${name}: ${
        message.split('\n')[0]
      }`,
      details: {},
    });
  }
}

/**
 * The object that a patch makes of `object`, which stays as it is.
 *
 * Throws 415 for a media type the kind does not take (custom resources have
 * no strategic merge), 422 when a JSON patch does not fit, 400 for nonsense.
 */
export function patched(
  type: ResourceType,
  object: KubernetesObject,
  mediaType: string,
  patch: any,
): KubernetesObject {
  const copy = cloneTree(object);
  switch (mediaType) {
    case patchTypes.json:
      return jsonPatch(copy, patch);
    case patchTypes.merge:
      return mergePatch(copy, patch);
    case patchTypes.strategic:
      if (isBuiltIn(type)) {
        return strategicMergePatch(copy, patch);
      }
      throw unsupportedMediaType([
        patchTypes.json,
        patchTypes.merge,
        patchTypes.apply,
      ]);
    default:
      throw unsupportedMediaType(
        isBuiltIn(type)
          ? Object.values(patchTypes)
          : [patchTypes.json, patchTypes.merge, patchTypes.apply],
      );
  }
}
