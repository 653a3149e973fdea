/* eslint-disable @typescript-eslint/no-explicit-any */
import { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { isTrue } from './conditions';

/** A queue's Active condition. */
export interface Activity {
  status: 'True' | 'False';
  reason: string;
  message: string;
}

/**
 * Whether a ClusterQueue admits anything, and all that keeps it from it, in
 * Kueue's words (`inactiveReason` in pkg/cache/scheduler/clusterqueue.go): the
 * first gives the reason.
 */
export function clusterQueueActivity(
  store: ObjectStore,
  queue: KubernetesObject,
): Activity {
  if (queue.metadata.deletionTimestamp) {
    return {
      status: 'False',
      reason: 'Terminating',
      message: "Can't admit new workloads; clusterQueue is terminating",
    };
  }
  const obstacles = obstaclesOf(store, queue);
  if (obstacles.length === 0) {
    return {
      status: 'True',
      reason: 'Ready',
      message: 'Can admit new workloads',
    };
  }
  const texts = obstacles.map(({ message }) => message).join(', ');
  return {
    status: 'False',
    reason: obstacles[0].reason,
    message: `Can't admit new workloads: ${texts}.`,
  };
}

function obstaclesOf(
  store: ObjectStore,
  queue: KubernetesObject,
): Array<{ reason: string; message: string }> {
  const { spec } = queue;
  const flavors = flavorsOf(queue).filter(
    name => !store.get('ResourceFlavor', name),
  );
  const checks: string[] = (
    spec.admissionChecksStrategy?.admissionChecks ?? []
  ).map((check: any) => check.name);
  const known = checks.map(name => store.get('AdmissionCheck', name));
  const missing = checks.filter((_, i) => !known[i]);
  const inactive = checks.filter((_, i) => {
    const check = known[i];
    return check && !isTrue(check, 'Active');
  });
  const list = (reason: string, what: string, names: string[]) =>
    names.length > 0
      ? [{ reason, message: `references ${what}: ${names.join(',')}` }]
      : [];
  return [
    ...((spec.stopPolicy ?? 'None') !== 'None'
      ? [{ reason: 'Stopped', message: 'is stopped' }]
      : []),
    ...list('FlavorNotFound', 'missing ResourceFlavor(s)', flavors),
    ...list('AdmissionCheckNotFound', 'missing AdmissionCheck(s)', missing),
    ...list('AdmissionCheckInactive', 'inactive AdmissionCheck(s)', inactive),
  ];
}

/** Whether a LocalQueue takes anything. */
export function localQueueActivity(
  store: ObjectStore,
  queue: KubernetesObject,
): Activity {
  if ((queue.spec.stopPolicy ?? 'None') !== 'None') {
    return {
      status: 'False',
      reason: 'Stopped',
      message: 'LocalQueue is stopped',
    };
  }
  const clusterQueue = store.get('ClusterQueue', queue.spec.clusterQueue);
  const isActive =
    clusterQueue && clusterQueueActivity(store, clusterQueue).status === 'True';
  if (isActive) {
    return {
      status: 'True',
      reason: 'Ready',
      message: 'Can submit new workloads to localQueue',
    };
  }
  return {
    status: 'False',
    reason: clusterQueue
      ? 'ClusterQueueIsInactive'
      : 'ClusterQueueDoesNotExist',
    message: "Can't submit new workloads to clusterQueue",
  };
}

/** Flavors a ClusterQueue names, in its order. */
export function flavorsOf(queue: KubernetesObject): string[] {
  return (queue.spec?.resourceGroups ?? []).flatMap((group: any) =>
    group.flavors.map((flavor: any) => flavor.name),
  );
}
