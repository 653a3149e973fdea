import { Knex } from 'knex';
import { WorkloadRow, workloadOfRow } from '../database/workloadRows';
import { Change, ObservedWorkload } from './clusterObserver';
import { ClusterPicture } from './clusterPicture';
import { KubernetesObject } from './kubernetesObject';
import { RawChange } from './rawChange';
import {
  deriveWorkloadRow,
  JobFacts,
  jobFacts,
  StandIn,
} from './workloadDerivation';
import { ENDED_PHASES, owningJob } from './workloadFacts';

const CHUNK = 100;

export interface StoreContext {
  /** Clock of the database. */
  now: string;
  /** Ended Workloads that finished before are not taken in again (retention). */
  keepSince: string;
}

/** Stores Workloads in `workloads`; returns what really changed, in order. */
export async function storeWorkloads(
  trx: Knex.Transaction,
  picture: ClusterPicture,
  changes: RawChange[],
  context: StoreContext,
): Promise<Change<ObservedWorkload>[]> {
  const stored = await storedRows(trx, picture, changes);
  const jobs = await jobFactsOf(trx, picture.cluster, changes, stored);
  const real: Change<ObservedWorkload>[] = [];
  const upserts = new Map<string, WorkloadRow>();
  for (const { type, object, gap } of changes) {
    const { uid } = object.metadata;
    const before = stored.get(uid);
    if (type === 'deleted' && (!before || before.deleted_at)) {
      continue;
    }
    const row = deriveWorkloadRow(picture, object, {
      now: context.now,
      job:
        jobs.get(owningJob(object)?.uid ?? '') ?? (before && factsOf(before)),
      deletedAt: type === 'deleted' ? context.now : undefined,
    });
    if (
      !before &&
      ENDED_PHASES.includes(row.phase as any) &&
      (row.finished_at ?? '') < context.keepSince
    ) {
      continue;
    }
    // Why it waits depends on its neighbours too: refreshWorkloads settles it.
    if (before && sameRow({ ...before, waiting: row.waiting }, row)) {
      continue;
    }
    real.push({
      type: changeType(type, before),
      now: observed(row, context.now),
      before: before && observed(before, context.now),
      gap,
    });
    stored.set(uid, row);
    upserts.set(uid, row);
    keepInPicture(picture, row, object);
  }
  await upsertWorkloads(trx, [...upserts.values()]);
  return real;
}

/**
 * Derives live Workloads anew after something around them changed (their Job,
 * queue, namespace, flavor or a sibling) and stores those that come out
 * different. A change of the waiting sentence alone is stored but is no event.
 */
export async function refreshWorkloads(
  trx: Knex.Transaction,
  picture: ClusterPicture,
  uids: Iterable<string>,
  context: StoreContext,
  around: {
    jobs?: Map<string, JobFacts>;
    standIn?: (uid: string) => StandIn | undefined;
  },
): Promise<Change<ObservedWorkload>[]> {
  const real: Change<ObservedWorkload>[] = [];
  const upserts: WorkloadRow[] = [];
  for (const uid of uids) {
    const live = picture.workloads.get(uid);
    if (!live) {
      continue;
    }
    const { row: before, object } = live;
    const row = deriveWorkloadRow(picture, object, {
      now: context.now,
      job: around.jobs?.get(before.job_uid ?? '') ?? factsOf(before),
      standIn: around.standIn?.(uid),
      json: before.object,
    });
    if (!sameRow(before, row)) {
      if (!sameRow({ ...before, waiting: row.waiting }, row)) {
        real.push({
          type: 'modified',
          now: observed(row, context.now),
          before: observed(before, context.now),
        });
      }
      upserts.push(row);
      keepInPicture(picture, row, object);
    }
  }
  await upsertWorkloads(trx, upserts);
  return real;
}

export function observed(row: WorkloadRow, freshAt: string): ObservedWorkload {
  return {
    workload: workloadOfRow(row, freshAt),
    object: JSON.parse(row.object),
  };
}

function changeType(
  type: RawChange['type'],
  before: WorkloadRow | undefined,
): Change<unknown>['type'] {
  if (type === 'deleted') {
    return 'deleted';
  }
  return before ? 'modified' : 'added';
}

function keepInPicture(
  picture: ClusterPicture,
  row: WorkloadRow,
  object: KubernetesObject,
): void {
  if (ENDED_PHASES.includes(row.phase as any)) {
    picture.workloads.delete(row.uid);
  } else {
    picture.workloads.set(row.uid, { row, object });
  }
}

function sameRow(a: WorkloadRow, b: WorkloadRow): boolean {
  return (Object.keys(b) as Array<keyof WorkloadRow>).every(
    column => a[column] === b[column],
  );
}

function factsOf(row: WorkloadRow): JobFacts {
  return {
    requestId: row.request_id ?? undefined,
    entity: row.entity ?? undefined,
    requester: row.requester ?? undefined,
  };
}

async function upsertWorkloads(
  trx: Knex.Transaction,
  rows: WorkloadRow[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += CHUNK) {
    await trx('workloads')
      .insert(rows.slice(i, i + CHUNK))
      .onConflict('uid')
      .merge()
      // A cluster that names another's uid does not get its row.
      .whereRaw('workloads.cluster = excluded.cluster');
  }
}

/** Live ones are in the picture; of the others, those that are stored. */
async function storedRows(
  trx: Knex.Transaction,
  picture: ClusterPicture,
  changes: RawChange[],
): Promise<Map<string, WorkloadRow>> {
  const stored = new Map<string, WorkloadRow>();
  const others = new Set<string>();
  for (const { object } of changes) {
    const live = picture.workloads.get(object.metadata.uid);
    if (live) {
      stored.set(object.metadata.uid, live.row);
    } else {
      others.add(object.metadata.uid);
    }
  }
  const uids = [...others];
  for (let i = 0; i < uids.length; i += CHUNK) {
    const rows: WorkloadRow[] = await trx('workloads')
      .where({ cluster: picture.cluster })
      .whereIn('uid', uids.slice(i, i + CHUNK))
      .select();
    rows.forEach(row => stored.set(row.uid, row));
  }
  return stored;
}

async function jobFactsOf(
  trx: Knex.Transaction,
  cluster: string,
  changes: RawChange[],
  stored: Map<string, WorkloadRow>,
): Promise<Map<string, JobFacts>> {
  const unknown = new Set<string>();
  for (const { object } of changes) {
    const job = owningJob(object);
    if (job && !stored.get(object.metadata.uid)?.request_id) {
      unknown.add(job.uid);
    }
  }
  const facts = new Map<string, JobFacts>();
  const uids = [...unknown];
  for (let i = 0; i < uids.length; i += CHUNK) {
    const rows: Array<{ uid: string; object: string }> = await trx(
      'cluster_objects',
    )
      .where({ cluster, resource: 'jobs' })
      .whereIn('uid', uids.slice(i, i + CHUNK))
      .select('uid', 'object');
    for (const { uid, object } of rows) {
      facts.set(uid, jobFacts(JSON.parse(object).metadata.annotations));
    }
  }
  return facts;
}
