import { Queue, QueueQuota } from '@gpuaas/backstage-plugin-gpu-common';

/** One GPU line of a queue's quota. */
export interface QuotaRow {
  queue: Queue;
  quota: QueueQuota;
  /** Units of its unused nominal that others hold now. */
  lent: number;
  /** Units it could take now beyond its own: what others leave unused. */
  borrowable: number;
}

/** The GPU lines of one queue name for one device class, over flavors and clusters. */
export interface ClassQuota {
  namespace: string;
  queue: string;
  deviceClass: string;
  nominal: number;
  used: number;
  borrowed: number;
  lent: number;
  borrowable: number;
  lines: QuotaRow[];
}

function unused(quota: QueueQuota): number {
  return Math.max(0, quota.nominal - quota.used);
}

/**
 * Units of unused nominal that are not available: what the cohort holds of it.
 * Kueue's `available` adds what could be borrowed, so it falls below
 * nominal − used only by what is lent.
 */
export function lentOf(quota: QueueQuota): number {
  return Math.max(0, unused(quota) - Math.max(0, quota.available));
}

/** Units available now beyond the queue's own unused nominal. */
export function borrowableOf(quota: QueueQuota): number {
  return Math.max(0, quota.available - unused(quota));
}

/** The GPU lines of queues; a line without a device class is CPU or memory. */
export function gpuRows(queues: Queue[]): QuotaRow[] {
  return queues.flatMap(queue =>
    queue.quotas
      .filter(quota => quota.deviceClass)
      .map(quota => ({
        queue,
        quota,
        lent: lentOf(quota),
        borrowable: borrowableOf(quota),
      })),
  );
}

/**
 * Adds lines up by queue name and device class. Flavors and clusters are
 * separate quota, so their sum is what the queue has; lines of different
 * queues may borrow the same units and are never added.
 */
export function quotaByClass(queues: Queue[]): ClassQuota[] {
  const groups = new Map<string, QuotaRow[]>();
  for (const row of gpuRows(queues)) {
    const { namespace, name } = row.queue;
    const key = [namespace, name, row.quota.deviceClass].join('/');
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map(lines => {
    const sum = (amount: (line: QuotaRow) => number) =>
      lines.reduce((total, line) => total + amount(line), 0);
    const [{ queue, quota }] = lines;
    return {
      namespace: queue.namespace,
      queue: queue.name,
      deviceClass: quota.deviceClass!,
      nominal: sum(line => line.quota.nominal),
      used: sum(line => line.quota.used),
      borrowed: sum(line => line.quota.borrowed),
      lent: sum(line => line.lent),
      borrowable: sum(line => line.borrowable),
      lines,
    };
  });
}

/** Whether a queue has anything of it: its own quota, or units it holds. */
export function hasAny(quota: { nominal: number; used: number }): boolean {
  return quota.nominal > 0 || quota.used > 0;
}
