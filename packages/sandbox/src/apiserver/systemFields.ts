import { randomBytes } from 'node:crypto';
import { invalid } from './apiStatus';
import { cloneTree, sameTree } from './frozenTree';
import type { KubernetesObject, ResourceType } from './objectStore';

/** Characters of generated names: no vowels, so that no words appear (apiserver's names.SimpleNameGenerator). */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A name for an object that came with generateName. */
export function generatedName(prefix: string): string {
  const suffix = [...randomBytes(5)].map(
    byte => nameAlphabet[byte % nameAlphabet.length],
  );
  return `${prefix}${suffix.join('')}`;
}

/** Puts back in `next` what the server alone writes. Throws 422 when a finalizer is added to an object that is being deleted. */
export function keepSystemFields(
  type: ResourceType,
  next: KubernetesObject,
  old: KubernetesObject,
): void {
  for (const field of [
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generation',
    'generateName',
    'resourceVersion',
  ] as const) {
    if (old.metadata[field] === undefined) {
      delete next.metadata[field];
    } else {
      next.metadata[field] = old.metadata[field];
    }
  }
  delete next.metadata.managedFields;
  next.apiVersion = old.apiVersion;
  if (type.hasStatus) {
    if (old.status === undefined) {
      delete next.status;
    } else {
      next.status = cloneTree(old.status);
    }
  }
  const { deletionTimestamp, finalizers = [] } = old.metadata;
  const added = (next.metadata.finalizers ?? []).filter(
    finalizer => !finalizers.includes(finalizer),
  );
  if (deletionTimestamp && added.length > 0) {
    throw invalid(type, old.metadata.name, [
      {
        reason: 'FieldValueForbidden',
        field: 'metadata.finalizers',
        message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added
          .map(finalizer => JSON.stringify(finalizer))
          .join(', ')}}`,
      },
    ]);
  }
}

/** Whether anything that metadata.generation counts has changed. */
export function specChanged(
  type: ResourceType,
  next: KubernetesObject,
  old: KubernetesObject,
): boolean {
  const members = new Set([...Object.keys(next), ...Object.keys(old)]);
  members.delete('metadata');
  if (type.hasStatus) {
    members.delete('status');
  }
  return [...members].some(member => !sameTree(next[member], old[member]));
}
