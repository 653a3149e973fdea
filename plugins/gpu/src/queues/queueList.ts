import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { Devices } from '../devices/useDevices';
import { gpuRows } from './quotas';

/** What a list of queues is sorted by. */
export const QUEUE_ORDERS = ['name', 'waiting', 'borrowed'] as const;

/** One of the orders. */
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** A queue among others: the same LocalQueue name may be on several clusters. */
export function queueKey(queue: Queue): string {
  return [queue.namespace, queue.name, queue.cluster].join('/');
}

/**
 * Physical GPUs a queue holds above its nominal quota, nano-GPU. Undefined when
 * the share of a class it borrows is not known: missing is not zero.
 */
export function borrowedNano(
  queue: Queue,
  { shareOf }: Pick<Devices, 'shareOf'>,
): number | undefined {
  let total = 0;
  for (const { quota } of gpuRows([queue])) {
    if (quota.borrowed > 0) {
      const share = shareOf(queue.cluster, quota.flavor, quota.deviceClass!);
      if (share === undefined) {
        return undefined;
      }
      total += quota.borrowed * share;
    }
  }
  return total;
}

/** Queues in whose name, team, cohort or cluster every typed word occurs. */
export function matching(queues: Queue[], text: string): Queue[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return queues.filter(queue => {
    const about = [queueKey(queue), queue.owner, queue.cohort]
      .join(' ')
      .toLowerCase();
    return words.every(word => about.includes(word));
  });
}

/** Sorted by name, or by what most waits or is borrowed first and then by name. */
export function inOrder(
  queues: Queue[],
  order: QueueOrder,
  devices: Pick<Devices, 'shareOf'>,
): Queue[] {
  const weight: Record<QueueOrder, (queue: Queue) => number> = {
    name: () => 0,
    waiting: queue => queue.pendingWorkloads,
    borrowed: queue => borrowedNano(queue, devices) ?? 0,
  };
  const of = weight[order];
  return [...queues].sort(
    (a, b) => of(b) - of(a) || queueKey(a).localeCompare(queueKey(b)),
  );
}
