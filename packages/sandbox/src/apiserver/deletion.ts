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
  const grace = gracePeriod(old, options);
  const isNamespace = type.kind === 'Namespace';
  const held =
    finalizers.length > 0 ||
    grace > 0 ||
    (isNamespace && old.spec?.finalizers?.length > 0);
  if (!held) {
    return undefined;
  }
  const next = cloneTree(old);
  const { metadata } = next;
  if (finalizers.length > 0) {
    metadata.finalizers = finalizers;
  } else {
    delete metadata.finalizers;
  }
  // A second deletion can only shorten the grace period.
  const left = metadata.deletionGracePeriodSeconds;
  if (left === undefined || grace < left) {
    metadata.deletionGracePeriodSeconds = grace;
    metadata.deletionTimestamp = stamp(new Date(now.getTime() + grace * 1000));
  }
  if (isNamespace) {
    next.status = { ...next.status, phase: 'Terminating' };
  }
  return next;
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
