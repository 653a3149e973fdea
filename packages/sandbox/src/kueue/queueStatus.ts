/* eslint-disable @typescript-eslint/no-explicit-any */
import { fromEngineUnits } from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../apiserver/objectStore';
import { setCondition } from './conditions';
import { keyOf, KueueContext } from './kueueContext';
import { clusterQueueActivity, localQueueActivity } from './queueActivity';
import { WorkloadEntry } from './workloadBook';

/** Writes the status of a ClusterQueue: counts, quota in use and whether it is active. */
export function writeClusterQueueStatus(
  context: KueueContext,
  queue: KubernetesObject,
): void {
  const { name } = queue.metadata;
  const holding = [...context.book.holdingIn(name)];
  const admitted = holding.filter(each => each.admitted);
  const canBorrow = Boolean(queue.spec.cohortName);
  const usage = (entries: WorkloadEntry[]) =>
    flavorUsage(context, queue, entries, (nominal, total) => ({
      borrowed: canBorrow ? Math.max(0, total - nominal) : 0,
    }));
  context.modify(
    'ClusterQueue',
    queue.metadata,
    each => {
      const status = (each.status ??= {});
      status.flavorsReservation = usage(holding);
      status.flavorsUsage = usage(admitted);
      status.pendingWorkloads = context.engine.pendingCount(name);
      status.reservingWorkloads = holding.length;
      status.admittedWorkloads = admitted.length;
      setCondition(
        each,
        { type: 'Active', ...clusterQueueActivity(context.store, queue) },
        context.now(),
      );
    },
    'status',
  );
}

/** Writes the status of a LocalQueue. */
export function writeLocalQueueStatus(
  context: KueueContext,
  queue: KubernetesObject,
): void {
  const { clusterQueue: name, stopPolicy = 'None' } = queue.spec;
  const clusterQueue = context.store.get('ClusterQueue', name);
  const entries = [...context.book.inLocalQueue(keyOf(queue))];
  const holding = entries.filter(({ holdsIn }) => holdsIn === name);
  const admitted = holding.filter(each => each.admitted);
  const usage = (of: WorkloadEntry[]) =>
    clusterQueue ? flavorUsage(context, clusterQueue, of, () => ({})) : [];
  const isHeld = stopPolicy !== 'None';
  context.modify(
    'LocalQueue',
    queue.metadata,
    each => {
      const status = (each.status ??= {});
      status.flavorsReservation = usage(holding);
      status.flavorsUsage = usage(admitted);
      status.pendingWorkloads = isHeld
        ? 0
        : entries.filter(({ uid }) => context.engine.isPending(uid)).length;
      status.reservingWorkloads = holding.length;
      status.admittedWorkloads = admitted.length;
      setCondition(
        each,
        { type: 'Active', ...localQueueActivity(context.store, queue) },
        context.now(),
      );
    },
    'status',
  );
}

/** Totals by flavor and resource, for what the ClusterQueue names, in its order. */
function flavorUsage(
  context: KueueContext,
  clusterQueue: KubernetesObject,
  entries: WorkloadEntry[],
  more: (nominal: number, total: number) => Record<string, number>,
) {
  const totals = new Map<string, number>();
  for (const { held } of entries) {
    for (const { flavors, usage } of held) {
      for (const [resource, flavor] of Object.entries(flavors)) {
        const key = `${flavor} ${resource}`;
        totals.set(key, (totals.get(key) ?? 0) + (usage[resource] ?? 0));
      }
    }
  }
  const groups: any[] = clusterQueue.spec.resourceGroups ?? [];
  return groups.flatMap(group =>
    group.flavors.map((flavor: any) => ({
      name: flavor.name,
      resources: flavor.resources.map(({ name }: { name: string }) => {
        const total = totals.get(`${flavor.name} ${name}`) ?? 0;
        const quota = context.engine.quota(
          clusterQueue.metadata.name,
          flavor.name,
          name,
        );
        const extra = Object.entries(more(quota?.nominal ?? 0, total)).map(
          ([key, value]) => [key, fromEngineUnits(name, value)],
        );
        return {
          name,
          total: fromEngineUnits(name, total),
          ...Object.fromEntries(extra),
        };
      }),
    })),
  );
}
