import {
  heldAdmission,
  KueueClusterQueue,
  KueueCohort,
  KueueResourceFlavor,
  KueueWorkload,
  PodSetAssignment,
  Queue,
  QueueingEngine,
  QueueQuota,
  readClusterQueue,
  readCohort,
  readResourceFlavor,
} from '@gpuaas/backstage-plugin-gpu-common';
import { classKey, ClusterPicture } from './clusterPicture';
import { KubernetesObject } from './kubernetesObject';
import { activity } from './workloadDerivation';

/** A queue as stored: freshness is added when it is read. */
export type StoredQueue = Omit<Queue, 'freshAt'>;

/** LocalQueues with the quota behind them; what Workloads hold now is counted, not taken from a status that lags. */
export function queueFacts(
  picture: ClusterPicture,
  warn: (message: string) => void,
): StoredQueue[] {
  const engine = readQuota(picture, warn);
  const quotas = new Map<string, QueueQuota[]>();
  const counts = countByQueue(picture);
  return picture.objects.localqueues.values().map(localQueue => {
    const { name, namespace = '' } = localQueue.metadata;
    const clusterQueueName: string = localQueue.spec?.clusterQueue ?? '';
    const clusterQueue = picture.clusterQueue(clusterQueueName);
    if (engine && clusterQueue && !quotas.has(clusterQueueName)) {
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

/** One quantity that cannot be read must not cost the other facts: then no quota is stated, which is not none. */
function readQuota(
  picture: ClusterPicture,
  warn: (message: string) => void,
): QueueingEngine | undefined {
  try {
    return quotaEngine(picture);
  } catch (error) {
    warn(`Quota cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

/** What each Workload holds, by its object: reading thousands of quantities anew for one change is slow. */
const heldBy = new WeakMap<KubernetesObject, PodSetAssignment[]>();

/**
 * An engine that knows quota and what is held of it; who waits is left out.
 * What the Workloads of a ClusterQueue hold is put in as one holder, since only
 * the sum counts here.
 */
function quotaEngine(picture: ClusterPicture): QueueingEngine {
  const { clusterqueues, cohorts, resourceflavors } = picture.objects;
  const engine = new QueueingEngine({
    clusterQueues: clusterqueues
      .values()
      .map(queue => readClusterQueue(queue as unknown as KueueClusterQueue)),
    cohorts: cohorts
      .values()
      .map(cohort => readCohort(cohort as unknown as KueueCohort)),
    resourceFlavors: resourceflavors
      .values()
      .map(flavor =>
        readResourceFlavor(flavor as unknown as KueueResourceFlavor),
      ),
  });
  for (const [clusterQueue, usage] of usageByQueue(picture)) {
    engine.addAdmitted(
      {
        uid: clusterQueue,
        clusterQueue,
        priority: 0,
        timestamp: 0,
        podSets: [],
      },
      [...usage].map(([flavor, resources]) => ({
        name: flavor,
        count: 1,
        flavors: Object.fromEntries(
          Object.keys(resources).map(resource => [resource, flavor]),
        ),
        usage: resources,
      })),
    );
  }
  return engine;
}

/** Engine units by ClusterQueue, flavor and resource. */
function usageByQueue(
  picture: ClusterPicture,
): Map<string, Map<string, Record<string, number>>> {
  const usage = new Map<string, Map<string, Record<string, number>>>();
  for (const { object } of picture.workloads.values()) {
    const clusterQueue: string | undefined =
      object.status?.admission?.clusterQueue;
    if (!clusterQueue) {
      continue;
    }
    let held = heldBy.get(object);
    if (!held) {
      held = heldAdmission(object as unknown as KueueWorkload) ?? [];
      heldBy.set(object, held);
    }
    const ofQueue = usage.get(clusterQueue) ?? new Map();
    usage.set(clusterQueue, ofQueue);
    for (const podSet of held) {
      for (const [resource, units] of Object.entries(podSet.usage)) {
        const flavor = podSet.flavors[resource];
        if (flavor) {
          const ofFlavor = ofQueue.get(flavor) ?? {};
          ofFlavor[resource] = (ofFlavor[resource] ?? 0) + units;
          ofQueue.set(flavor, ofFlavor);
        }
      }
    }
  }
  return usage;
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
