import type { KubernetesObject } from './objectStore';

/** The whole state of a store, as JSON. */
export interface StoreSnapshot {
  resourceVersion: number;
  /** Taken while the store went on: later versions may have been handed out. */
  isUnfinished?: true;
  objects: KubernetesObject[];
}

/**
 * How far versions jump after a crash, as etcd's `--bump-revision` does after a
 * restore: those handed out after the last save mean nothing any more, and
 * whoever comes with one is answered 410 instead of missing what follows.
 */
const REVISION_BUMP = 1_000_000_000;

/** The version a store goes on from. */
export function firstVersion(snapshot?: StoreSnapshot): number {
  const { resourceVersion = 1, isUnfinished } = snapshot ?? {};
  return resourceVersion + (isUnfinished ? REVISION_BUMP : 0);
}
