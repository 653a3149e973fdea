import { gpuTime, UsageInterval } from '@gpuaas/backstage-plugin-gpu-common';

/** Table `ledger_intervals`. Engines hand 64-bit integers out as numbers or text. */
export interface IntervalRecord {
  cluster: string;
  workload_uid: string;
  pod_set: string;
  flavor: string;
  resource: string;
  kind: UsageInterval['kind'];
  opened_at: number | string;
  closed_at: number | string | null;
  end_reason: string | null;
  confidence: UsageInterval['confidence'];
  units: number;
  device_class: string | null;
  share_nano: number | string | null;
  gpu_nano_seconds: number | string | null;
  workload_name: string;
  namespace: string;
  job: string | null;
  queue: string | null;
  cluster_queue: string | null;
  team: string | null;
  request_id: string | null;
  entity: string | null;
  requester: string | null;
}

/** @param now - Unix seconds, the end of what is still open. */
export function toUsageInterval(
  row: IntervalRecord,
  now: number,
): UsageInterval {
  const openedAt = Number(row.opened_at);
  const seconds = Math.max(0, Number(row.closed_at ?? now) - openedAt);
  const shareNano =
    row.share_nano === null ? undefined : Number(row.share_nano);
  return {
    cluster: row.cluster,
    workloadUid: row.workload_uid,
    workloadName: row.workload_name,
    namespace: row.namespace,
    podSet: row.pod_set,
    flavor: row.flavor,
    resource: row.resource,
    kind: row.kind,
    confidence: shareNano === undefined ? 'unknown' : row.confidence,
    units: row.units,
    deviceClass: row.device_class ?? undefined,
    shareNano,
    clusterQueue: row.cluster_queue ?? undefined,
    queue: row.queue ?? undefined,
    team: row.team ?? undefined,
    entity: row.entity ?? undefined,
    requester: row.requester ?? undefined,
    // A claim until entity and requester are verified (rule 3).
    requestId: row.requester === null ? undefined : row.request_id ?? undefined,
    openedAt: rfc3339(openedAt),
    closedAt: row.closed_at === null ? undefined : rfc3339(row.closed_at),
    endReason: row.end_reason ?? undefined,
    seconds,
    // Computed anew, not read: exact beyond 2^53, and the same for open intervals.
    gpuNanoSeconds:
      shareNano === undefined
        ? undefined
        : gpuTime(BigInt(shareNano), seconds).toString(),
  };
}

function rfc3339(seconds: number | string): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
