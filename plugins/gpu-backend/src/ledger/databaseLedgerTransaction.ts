import {
  LedgerTransaction,
  MeteredInterval,
  MeteredWorkload,
  MeterState,
} from '@gpuaas/backstage-plugin-gpu-node';
import { Knex } from 'knex';

const CHUNK = 500;
const KEY = [
  'cluster',
  'workload_uid',
  'pod_set',
  'flavor',
  'resource',
  'kind',
  'opened_at',
] as const;

/** share × seconds of a closed interval in the database's own 64-bit integers; an overflow is its error. */
const GPU_TIME =
  'case when closed_at is null then null else share_nano * (closed_at - opened_at) end';

/** Ledger writes that commit with the picture of the cluster. */
export class DatabaseLedgerTransaction implements LedgerTransaction {
  constructor(private readonly trx: Knex.Transaction) {}

  async readStates(
    cluster: string,
    uids: string[],
  ): Promise<Map<string, MeterState>> {
    const states = new Map<string, MeterState>();
    for (let at = 0; at < uids.length; at += CHUNK) {
      const rows = await this.trx('ledger_states')
        .where({ cluster })
        .whereIn('workload_uid', uids.slice(at, at + CHUNK))
        .select('workload_uid', 'state');
      rows.forEach(row => states.set(row.workload_uid, row.state));
    }
    return states;
  }

  async writeState(
    cluster: string,
    uid: string,
    state: MeterState,
    ended: boolean,
  ): Promise<void> {
    const row = { state, ended, updated_at: Math.floor(Date.now() / 1000) };
    await this.trx('ledger_states')
      .insert({ cluster, workload_uid: uid, ...row })
      .onConflict(['cluster', 'workload_uid'])
      .merge(row);
  }

  async writeIntervals(
    workload: MeteredWorkload,
    intervals: MeteredInterval[],
    complete: boolean,
  ): Promise<void> {
    const { cluster, uid } = workload;
    if (complete) {
      const stored = await this.trx('ledger_intervals')
        .where({ cluster, workload_uid: uid })
        .select(KEY);
      const kept = new Set(intervals.map(keyOf));
      for (const row of stored) {
        if (!kept.has(keyOf(fromRow(row)))) {
          await this.trx('ledger_intervals').where(row).delete();
        }
      }
    }
    for (const interval of intervals) {
      const facts = {
        closed_at: interval.closedAt ?? null,
        end_reason: interval.endReason ?? null,
        confidence: interval.confidence,
        units: interval.units,
      };
      const owner = {
        workload_name: workload.name,
        namespace: workload.namespace,
        job: workload.job ?? null,
        queue: workload.queue ?? null,
        cluster_queue: workload.clusterQueue ?? null,
        team: workload.team ?? null,
        request_id: workload.requestId ?? null,
      };
      const key = {
        cluster,
        workload_uid: uid,
        pod_set: interval.podSet,
        flavor: interval.flavor,
        resource: interval.resource,
        kind: interval.kind,
        opened_at: interval.openedAt,
      };
      // The owner stays as it was when the interval opened: who had the GPUs then pays for them.
      await this.trx('ledger_intervals')
        .insert({ ...key, ...facts, ...owner })
        .onConflict([...KEY])
        .merge({ ...facts, job: owner.job, request_id: owner.request_id });
      // Share and time belong to the units and the end they were computed from.
      await this.trx('ledger_intervals')
        .where(key)
        .whereNotNull('share_nano')
        .update({ gpu_nano_seconds: this.trx.raw(GPU_TIME) });
    }
  }
}

function keyOf(
  interval: Pick<
    MeteredInterval,
    'podSet' | 'flavor' | 'resource' | 'kind' | 'openedAt'
  >,
): string {
  const { podSet, flavor, resource, kind, openedAt } = interval;
  return [podSet, flavor, resource, kind, openedAt].join('|');
}

function fromRow(row: any) {
  return {
    podSet: row.pod_set,
    flavor: row.flavor,
    resource: row.resource,
    kind: row.kind,
    openedAt: Number(row.opened_at),
  };
}
