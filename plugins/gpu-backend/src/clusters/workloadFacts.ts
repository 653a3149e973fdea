import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  parseResourceName,
  quantityFormat,
  toUnits,
  WorkloadPhase,
  WorkloadPodSet,
} from '@gpuaas/backstage-plugin-gpu-common';
import { conditionOf, KubernetesObject } from './kubernetesObject';

/** Phases in which nothing more happens to a Workload. */
export const ENDED_PHASES: WorkloadPhase[] = ['succeeded', 'failed', 'deleted'];

/**
 * Phase of a Workload, in the order of kueue.md 2.5: Finished, deleted,
 * inactive, Admitted, QuotaReserved, Evicted with a future requeueAt, else
 * pending. Finishing flips neither Admitted nor QuotaReserved, so the order
 * matters.
 */
export function workloadPhase(
  workload: KubernetesObject,
  { deleted, now }: { deleted: boolean; now: string },
): WorkloadPhase {
  const isTrue = (type: string) =>
    conditionOf(workload, type)?.status === 'True';
  if (isTrue('Finished')) {
    // OwnerNotFound: the Job was deleted under it; it neither succeeded nor failed.
    switch (conditionOf(workload, 'Finished')?.reason) {
      case 'Succeeded':
        return 'succeeded';
      case 'OwnerNotFound':
      case 'WorkloadSliceReplaced':
      case 'OutOfSync':
        return 'deleted';
      default:
        return 'failed';
    }
  }
  if (deleted) {
    return 'deleted';
  }
  if (workload.spec?.active === false) {
    return 'deactivated';
  }
  if (isTrue('Admitted')) {
    return 'admitted';
  }
  if (isTrue('QuotaReserved')) {
    return 'reserved';
  }
  const requeueAt = workload.status?.requeueState?.requeueAt;
  if (
    isTrue('Evicted') &&
    requeueAt &&
    Date.parse(requeueAt) > Date.parse(now)
  ) {
    return 'backing-off';
  }
  return 'pending';
}

/** The Job that owns it; undefined for a Workload somebody made by hand. */
export function owningJob(
  workload: KubernetesObject,
): { name: string; uid: string } | undefined {
  const owner =
    workload.metadata.ownerReferences?.find(({ controller }) => controller) ??
    workload.metadata.ownerReferences?.[0];
  const uid =
    owner?.uid ?? workload.metadata.labels?.['kueue.x-k8s.io/job-uid'];
  return owner && uid ? { name: owner.name, uid } : undefined;
}

/** Times the conditions state while they are true; whole seconds of the cluster's clock. */
export function workloadTimes(workload: KubernetesObject): {
  quotaReservedAt?: string;
  admittedAt?: string;
  finishedAt?: string;
} {
  const since = (type: string) => {
    const condition = conditionOf(workload, type);
    return condition?.status === 'True'
      ? condition.lastTransitionTime
      : undefined;
  };
  return {
    quotaReservedAt: since('QuotaReserved'),
    admittedAt: since('Admitted'),
    finishedAt: since('Finished'),
  };
}

/** Evictions of admitted cycles as Kueue counts them. */
export function evictionCount(workload: KubernetesObject): number {
  const evictions: Array<{ count?: number }> =
    workload.status?.schedulingStats?.evictions ?? [];
  return evictions.reduce((sum, { count }) => sum + (count ?? 0), 0);
}

/** Pod sets with what was asked for and what was given. */
export function workloadPodSets(workload: KubernetesObject): WorkloadPodSet[] {
  const assignments: any[] =
    workload.status?.admission?.podSetAssignments ?? [];
  return (workload.spec?.podSets ?? []).map((podSet: any): WorkloadPodSet => {
    const given = assignments.find(({ name }) => name === podSet.name);
    return {
      name: podSet.name,
      count: podSet.count ?? 0,
      requests: podRequests(podSet.template?.spec),
      assignment: given && {
        flavors: given.flavors ?? {},
        usage: given.resourceUsage ?? {},
        count: given.count ?? podSet.count,
      },
    };
  });
}

/**
 * What one pod asks for, summed over its containers. Only limits given counts
 * as asked for. Init containers run before and add nothing to GPUs.
 */
function podRequests(podSpec: any): Record<string, string> {
  const requests: Record<string, string> = {};
  for (const { resources } of podSpec?.containers ?? []) {
    for (const [name, quantity] of Object.entries({
      ...resources?.limits,
      ...resources?.requests,
    })) {
      requests[name] =
        name in requests
          ? added(requests[name], String(quantity))
          : String(quantity);
    }
  }
  return requests;
}

/** Quantities that nobody can read stay as they were written. */
function added(a: string, b: string): string {
  try {
    return formatQuantity(addQuantities(a, b), quantityFormat(a));
  } catch {
    return `${a} + ${b}`;
  }
}

/** The first pod set's GPU resource, units over all its pods, and the flavor it was given. */
export function gpuDemand(
  podSets: WorkloadPodSet[],
): { resource: string; units: number; flavor?: string } | undefined {
  for (const { requests, count, assignment } of podSets) {
    const resource = Object.keys(requests).find(isGpuDevice);
    if (resource) {
      return {
        resource,
        units: toUnits(parseQuantity(requests[resource])) * count,
        flavor: assignment?.flavors[resource],
      };
    }
  }
  return undefined;
}

/** True for resources that count GPUs, partitions or replicas. */
export function isGpuDevice(resource: string): boolean {
  return parseResourceName(resource)?.kind === 'device';
}
