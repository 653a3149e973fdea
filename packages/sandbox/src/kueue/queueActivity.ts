/* eslint-disable @typescript-eslint/no-explicit-any */
import { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { isTrue } from './conditions';

/** A queue's Active condition. */
export interface Activity {
  status: 'True' | 'False';
  reason: string;
  message: string;
}

/** Whether a ClusterQueue admits anything, and why not, in Kueue's words. */
export function clusterQueueActivity(
  store: ObjectStore,
  queue: KubernetesObject,
): Activity {
  const no = (reason: string, why: string): Activity => ({
    status: 'False',
    reason,
    message: `Can't admit new workloads${why}`,
  });
  if (queue.metadata.deletionTimestamp) {
    return no('Terminating', '; clusterQueue is terminating');
  }
  if ((queue.spec.stopPolicy ?? 'None') !== 'None') {
    return no('Stopped', ': is stopped.');
  }
  const flavors = flavorsOf(queue).filter(
    name => !store.get('ResourceFlavor', name),
  );
  if (flavors.length > 0) {
    return no(
      'FlavorNotFound',
      `: references missing ResourceFlavor(s): ${flavors.join(',')}.`,
    );
  }
  const checks: string[] = (
    queue.spec.admissionChecksStrategy?.admissionChecks ?? []
  ).map((check: any) => check.name);
  const missing = checks.filter(name => !store.get('AdmissionCheck', name));
  if (missing.length > 0) {
    return no(
      'AdmissionCheckNotFound',
      `: references missing AdmissionCheck(s): ${missing.join(',')}.`,
    );
  }
  const inactive = checks.filter(
    name =>
      !isTrue(store.get('AdmissionCheck', name) as KubernetesObject, 'Active'),
  );
  if (inactive.length > 0) {
    return no(
      'AdmissionCheckInactive',
      `: references inactive AdmissionCheck(s): ${inactive.join(',')}.`,
    );
  }
  return {
    status: 'True',
    reason: 'Ready',
    message: 'Can admit new workloads',
  };
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
