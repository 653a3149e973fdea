import { Knex } from 'knex';
import { Cluster } from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterConfig } from '../clusters/clusterConfig';
import { sqlNowStamp } from './databaseClock';

/** A row of `clusters`. */
export interface ClusterRow {
  name: string;
  state: string;
  since: string;
  fresh_at: string | null;
  message: string | null;
  kubernetes_version: string | null;
  kueue_api_version: string | null;
  physical_gpus: number;
  used_nano: string;
}

/** Milliseconds after which a connected cluster that nobody has confirmed is no longer shown as connected. */
const UNCONFIRMED_MILLIS = 30_000;

/** The row as the API shows it; `now` by the clock of the database. */
export function clusterOfRow(
  { name, title, role }: ClusterConfig,
  row: ClusterRow | undefined,
  now: string,
): Cluster {
  if (!row) {
    return {
      name,
      title,
      role,
      state: 'connecting',
      since: now,
      gpus: { physical: 0, usedNano: 0 },
    };
  }
  const cluster: Cluster = {
    name,
    title,
    role,
    state: row.state as Cluster['state'],
    since: row.since,
    freshAt: row.fresh_at ?? undefined,
    message: row.message ?? undefined,
    kubernetesVersion: row.kubernetes_version ?? undefined,
    kueueApiVersion: row.kueue_api_version ?? undefined,
    gpus: { physical: row.physical_gpus, usedNano: Number(row.used_nano) },
  };
  const confirmed = ['connected', 'no-kueue'].includes(row.state);
  if (
    confirmed &&
    Date.parse(now) - Date.parse(row.fresh_at ?? row.since) > UNCONFIRMED_MILLIS
  ) {
    return {
      ...cluster,
      state: 'unreachable',
      since: row.fresh_at ?? row.since,
      message: 'No replica of the portal has followed it since',
    };
  }
  return cluster;
}

/** Writes the state of a cluster; `since` moves only when the state does. */
export async function writeClusterState(
  trx: Knex,
  name: string,
  values: {
    state: Cluster['state'];
    message?: string;
    fresh: boolean;
    kubernetesVersion?: string;
    kueueApiVersion?: string;
  },
): Promise<void> {
  const now = trx.raw(sqlNowStamp(trx));
  const row = {
    state: values.state,
    message: values.message ?? null,
    ...(values.fresh && { fresh_at: now }),
    ...(values.kubernetesVersion && {
      kubernetes_version: values.kubernetesVersion,
      kueue_api_version: values.kueueApiVersion ?? null,
    }),
  };
  await trx('clusters')
    .insert({ name, since: now, ...row })
    .onConflict('name')
    .ignore();
  await trx('clusters')
    .where({ name })
    .update({
      ...row,
      since: trx.raw('case when state = ? then since else ? end', [
        values.state,
        now,
      ]),
    });
}
