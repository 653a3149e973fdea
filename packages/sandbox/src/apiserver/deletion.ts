import { stamp } from '../clock';
import { cloneTree } from './frozenTree';
import type {
  DeleteOptions,
  KubernetesObject,
  ResourceType,
} from './objectStore';

/** Finalizers by which the garbage collector is asked to see to dependents first. */
export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

const defaultGracePeriodSeconds = 30;

/** Whether something keeps an object that is to be deleted: a finalizer, or a grace period. */
export function isHeld({ kind, metadata, spec }: KubernetesObject): boolean {
  return (
    (metadata.finalizers?.length ?? 0) > 0 ||
    (metadata.deletionGracePeriodSeconds ?? 0) > 0 ||
    (kind === 'Namespace' && spec?.finalizers?.length > 0)
  );
}

/**
 * What deleting does to an object that cannot go at once: the object with its
 * deletionTimestamp; undefined when it can be removed now.
 *
 * Jobs are orphaned by default (batch/v1's strategy in the API server), all
 * other kinds deleted in the background. Pods on a node have a grace period,
 * 30 s unless the pod or the caller says otherwise; the kubelet ends it.
 */
export function markForDeletion(
  type: ResourceType,
  old: KubernetesObject,
  options: DeleteOptions,
  now: Date,
): KubernetesObject | undefined {
  const policy =
    options.propagationPolicy ??
    (type.kind === 'Job' ? 'Orphan' : 'Background');
  const finalizers = (old.metadata.finalizers ?? []).filter(
    finalizer =>
      finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer,
  );
  if (policy === 'Foreground') {
    finalizers.push(foregroundFinalizer);
  } else if (policy === 'Orphan') {
    finalizers.push(orphanFinalizer);
  }
  const next = cloneTree(old);
  const { metadata } = next;
  if (finalizers.length > 0) {
    metadata.finalizers = finalizers;
  } else {
    delete metadata.finalizers;
  }
  const grace = gracePeriod(old, options);
  // A second deletion can only shorten the grace period.
  const left = metadata.deletionGracePeriodSeconds;
  if (left === undefined || grace < left) {
    metadata.deletionGracePeriodSeconds = grace;
    metadata.deletionTimestamp = stamp(new Date(now.getTime() + grace * 1000));
  }
  if (type.kind === 'Namespace') {
    next.status = { ...next.status, phase: 'Terminating' };
  }
  return isHeld(next) ? next : undefined;
}

function gracePeriod(old: KubernetesObject, options: DeleteOptions): number {
  const ended = ['Succeeded', 'Failed'].includes(old.status?.phase);
  if (old.kind !== 'Pod' || !old.spec?.nodeName || ended) {
    return 0;
  }
  return (
    options.gracePeriodSeconds ??
    old.spec.terminationGracePeriodSeconds ??
    defaultGracePeriodSeconds
  );
}
