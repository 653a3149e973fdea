import {
  LedgerStore,
  LedgerTransaction,
  UnobservedPod,
} from '@gpuaas/backstage-plugin-gpu-node';
import { Knex } from 'knex';
import { PodRecord } from '../requests/requestRows';
import { RequestStore } from '../requests/requestStore';
import { DatabaseLedgerTransaction } from './databaseLedgerTransaction';

/** The ledger on the plugin's database. */
export class DatabaseLedgerStore implements LedgerStore {
  constructor(
    private readonly knex: Knex,
    private readonly requests: Pick<RequestStore, 'recordFirstSample'>,
  ) {}

  within(trx: Knex.Transaction): LedgerTransaction {
    return new DatabaseLedgerTransaction(trx);
  }

  async listUnobservedPods({
    cluster,
    endedAfter,
    limit,
  }: {
    cluster: string;
    endedAfter: number;
    limit: number;
  }): Promise<UnobservedPod[]> {
    const rows: PodRecord[] = await this.knex('request_pods')
      .where({ cluster })
      .whereNull('first_sample_at')
      .whereNotNull('ready_at')
      .andWhere(query =>
        query
          .whereNull('finished_at')
          .orWhere('finished_at', '>', rfc3339(endedAfter)),
      )
      .orderBy('ready_at', 'desc')
      .limit(limit);
    return rows.map(row => ({
      cluster: row.cluster,
      namespace: row.namespace,
      name: row.name,
      uid: row.pod_uid,
      readyAt: unix(row.ready_at!),
      finishedAt: row.finished_at ? unix(row.finished_at) : undefined,
    }));
  }

  async recordFirstSample(
    pod: { cluster: string; uid: string },
    at: number,
    source: string,
  ): Promise<void> {
    await this.requests.recordFirstSample(pod.uid, rfc3339(at), source);
  }
}

function rfc3339(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function unix(stamp: string): number {
  return Math.floor(Date.parse(stamp) / 1000);
}
