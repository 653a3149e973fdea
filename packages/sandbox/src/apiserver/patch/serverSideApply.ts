/* eslint-disable @typescript-eslint/no-explicit-any */
import { cloneTree } from '../frozenTree';
import type { KubernetesObject } from '../objectStore';
import { strategicMergePatch } from './strategicMergePatch';

/**
 * Server-side apply as far as the sandbox has it: what is applied is merged
 * over what is there, lists by their merge keys.
 *
 * Limit: field ownership is not kept (managedFields are omitted). So there are
 * no conflicts between field managers, and a field that an applier leaves out
 * of its next apply stays where it is instead of going away.
 */
export function serverSideApply(
  object: KubernetesObject,
  applied: any,
): KubernetesObject {
  return strategicMergePatch(cloneTree(object), cloneTree(applied));
}
