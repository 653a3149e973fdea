import { conflict } from './apiStatus';
import type { KubernetesObject, ResourceType } from './objectStore';

/** Throws 409 when the stored object is not the one a writer has in mind. */
export function checkUid(
  type: ResourceType,
  stored: KubernetesObject,
  uid: string | undefined,
): void {
  const { name, uid: found } = stored.metadata;
  if (uid && uid !== found) {
    throw conflict(
      type,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
    );
  }
}

/** Throws 409 when the object of a deletion has changed since its sender looked. */
export function checkDeletionVersion(
  type: ResourceType,
  stored: KubernetesObject,
  resourceVersion: string | undefined,
): void {
  const { name, resourceVersion: found } = stored.metadata;
  if (resourceVersion && resourceVersion !== found) {
    throw conflict(
      type,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${found}`,
    );
  }
}
