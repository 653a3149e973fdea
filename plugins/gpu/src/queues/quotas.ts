import { Queue, QueueQuota } from '@gpuaas/backstage-plugin-gpu-common';

/** One GPU line of a queue's quota. */
export interface QuotaRow {
  queue: Queue;
  quota: QueueQuota;
  /** Units of its unused nominal that others hold now. */
  lent: number;
}

/**
 * Units of unused nominal that are not available: what the cohort holds of it.
 * Kueue's `available` adds what could be borrowed, so it falls below
 * nominal − used only by what is lent.
 */
export function lentOf(quota: QueueQuota): number {
  const unused = Math.max(0, quota.nominal - quota.used);
  return Math.max(0, unused - Math.max(0, quota.available));
}

/** The GPU lines of queues; a line without a device class is CPU or memory. */
export function gpuRows(queues: Queue[]): QuotaRow[] {
  return queues.flatMap(queue =>
    queue.quotas
      .filter(quota => quota.deviceClass)
      .map(quota => ({ queue, quota, lent: lentOf(quota) })),
  );
}
