import {
  fromKueueObjects,
  KueueClusterQueue,
  KueueCohort,
  KueueResourceFlavor,
  KueueWorkload,
  Queue,
  QueueingEngine,
  QueueQuota,
} from '@gpuaas/backstage-plugin-gpu-common';
import { classKey, ClusterPicture } from './clusterPicture';
import { KubernetesObject } from './kubernetesObject';
import { activity } from './workloadDerivation';

/** A queue as stored: freshness is added when it is read. */
export type StoredQueue = Omit<Queue, 'freshAt'>;

/** LocalQueues with the quota behind them; what Workloads hold now is counted, not taken from a status that lags. */
export function queueFacts(picture: ClusterPicture): StoredQueue[] {
  const engine = quotaEngine(picture);
  const quotas = new Map<string, QueueQuota[]>();
  const counts = countByQueue(picture);
  return picture.objects.localqueues.values().map(localQueue => {
    const { name, namespace = '' } = localQueue.metadata;
    const clusterQueueName: string = localQueue.spec?.clusterQueue ?? '';
    const clusterQueue = picture.clusterQueue(clusterQueueName);
    if (clusterQueue && !quotas.has(clusterQueueName)) {
      quotas.set(clusterQueueName, quotasOf(picture, engine, clusterQueue));
    }
    const own = activity(localQueue);
    const shared = clusterQueue ? activity(clusterQueue) : undefined;
    const inactive = [own, shared].find(queue => queue?.active === false);
    const count = counts.get(`${namespace}/${name}`);
    return {
      cluster: picture.cluster,
      namespace,
      name,
      clusterQueue: clusterQueueName,
      cohort: clusterQueue?.spec?.cohortName || undefined,
      owner: picture.owner(namespace, name),
      active: clusterQueue !== undefined && !inactive,
      inactiveMessage: clusterQueue
        ? inactive?.message
        : `ClusterQueue ${clusterQueueName} doesn't exist`,
      priorityClasses: priorityClasses(picture, localQueue),
      pendingWorkloads: count?.pending ?? 0,
      admittedWorkloads: count?.admitted ?? 0,
      quotas: quotas.get(clusterQueueName) ?? [],
    };
  });
}

/** An engine that knows quota and who holds it; who waits is left out. */
function quotaEngine(picture: ClusterPicture): QueueingEngine {
  return fromKueueObjects({
    clusterQueues:
      picture.objects.clusterqueues.values() as unknown as KueueClusterQueue[],
    cohorts: picture.objects.cohorts.values() as unknown as KueueCohort[],
    resourceFlavors:
      picture.objects.resourceflavors.values() as unknown as KueueResourceFlavor[],
    workloads: [...picture.workloads.values()]
      .filter(({ object }) => object.status?.admission)
      .map(({ object }) => object as unknown as KueueWorkload),
  });
}

function quotasOf(
  picture: ClusterPicture,
  engine: QueueingEngine,
  clusterQueue: KubernetesObject,
): QueueQuota[] {
  const { name } = clusterQueue.metadata;
  const groups: any[] = clusterQueue.spec?.resourceGroups ?? [];
  return groups
    .flatMap(({ flavors }) => flavors)
    .flatMap(({ name: flavor, resources }) =>
      resources.flatMap(({ name: resource }: { name: string }) => {
        const line = engine.quota(name, flavor, resource);
        // The engine counts CPU in thousandths.
        const unit = resource === 'cpu' ? 1000 : 1;
        const scaled = (value: number | undefined) =>
          value === undefined ? undefined : value / unit;
        return line
          ? [
              {
                flavor,
                resource,
                deviceClass: picture.deviceClasses.get(
                  classKey(flavor, resource),
                ),
                nominal: line.nominal / unit,
                borrowingLimit: scaled(line.borrowingLimit),
                lendingLimit: scaled(line.lendingLimit),
                used: line.usage / unit,
                borrowed: Math.max(0, line.usage - line.nominal) / unit,
                available: Math.max(0, line.available) / unit,
                potential: line.potential / unit,
              },
            ]
          : [];
      }),
    );
}

/** Annotation gpuaas.io/priority-classes: which classes the platform lets this queue use; absent: all. */
function priorityClasses(
  picture: ClusterPicture,
  localQueue: KubernetesObject,
): Queue['priorityClasses'] {
  const allowed = localQueue.metadata.annotations?.[
    'gpuaas.io/priority-classes'
  ]
    ?.split(',')
    .map(name => name.trim());
  return picture.objects.workloadpriorityclasses
    .values()
    .filter(({ metadata }) => !allowed || allowed.includes(metadata.name))
    .map(({ metadata, value, description }) => ({
      name: metadata.name,
      value: Number(value ?? 0),
      description: description || undefined,
    }))
    .sort((a, b) => b.value - a.value || a.name.localeCompare(b.name));
}

function countByQueue(
  picture: ClusterPicture,
): Map<string, { pending: number; admitted: number }> {
  const counts = new Map<string, { pending: number; admitted: number }>();
  for (const { row } of picture.workloads.values()) {
    const key = `${row.namespace}/${row.queue}`;
    const count = counts.get(key) ?? { pending: 0, admitted: 0 };
    if (row.phase === 'pending' || row.phase === 'backing-off') {
      count.pending += 1;
    } else if (row.phase === 'admitted') {
      count.admitted += 1;
    }
    counts.set(key, count);
  }
  return counts;
}
