import { ConflictError } from '@backstage/errors';
import { Knex } from 'knex';
import {
  RequestDelivery,
  RequestRegistration,
  requestState,
} from '@gpuaas/backstage-plugin-gpu-common';
import { DatabaseRequestReader } from './databaseRequestReader';
import { chunks, lockRequest, readRecords } from './requestRecords';
import {
  PodRecord,
  RequestRecord,
  RequestRecords,
  RunRecord,
  toFacts,
  toGpuRequest,
} from './requestRows';
import { ForgeFacts, PodFacts, RequestStore, RunFacts } from './requestStore';

/** `RequestStore` on the plugin's database. */
export class DatabaseRequestStore
  extends DatabaseRequestReader
  implements RequestStore
{
  constructor(knex: Knex, private readonly now: () => Date = () => new Date()) {
    super(knex);
  }

  async register(
    id: string,
    registration: RequestRegistration,
    origin: { requester: string; createdAt: string; team?: string },
  ): Promise<void> {
    const { file, pullRequest } = registration;
    const row = {
      id,
      name: registration.name,
      purpose: registration.purpose ?? null,
      requester: origin.requester,
      entity: registration.entity,
      team: origin.team ?? null,
      cluster: registration.cluster,
      namespace: registration.namespace,
      queue: registration.queue,
      kind: registration.kind,
      device_class: registration.deviceClass,
      flavor: registration.flavor,
      units: registration.units,
      priority_class: registration.priorityClass ?? null,
      max_duration_seconds: registration.maxDurationSeconds ?? null,
      repo_url: file.repoUrl,
      branch: file.branch,
      path: file.path,
      digest: normalDigest(file.digest),
    };
    const request = pullRequest && {
      pr_url: pullRequest.url,
      pr_number: pullRequest.number,
      pr_provider: pullRequest.provider,
    };
    await this.knex.transaction(async trx => {
      const known = await lockRequest(trx, id);
      if (!known) {
        await trx<RequestRecord>('requests')
          .insert({
            ...row,
            ...request,
            state: 'submitted',
            created_at: origin.createdAt,
            updated_at: this.stamp(),
          })
          .onConflict()
          .ignore();
      }
      const stored = known ?? (await lockRequest(trx, id));
      if (!stored) {
        throw new ConflictError(
          `name is "${row.name}", which another request has on ${row.cluster} in ${row.namespace}; accepted is a name never used before`,
        );
      }
      refuseOtherJob(stored, row);
      const [before] = known ? await readRecords(trx, [id]) : [];
      if (stored.pr_state !== 'merged') {
        // Until it is merged a new run of the task may still change the file.
        await trx('requests')
          .where({ id })
          .update({ ...row, team: row.team ?? stored.team, ...request });
      }
      await this.refresh(trx, id, before);
    });
  }

  async recordTaskStatus(id: string, status: string): Promise<void> {
    await this.merge(id, undefined, async trx => {
      await trx('requests').where({ id }).update({ task_status: status });
    });
  }

  async recordForge(id: string, facts: ForgeFacts): Promise<void> {
    await this.merge(id, undefined, async trx => {
      await trx('requests')
        .where({ id })
        .update({
          pr_url: facts.url,
          pr_number: facts.number,
          pr_provider: facts.provider,
          pr_state: facts.state,
          pr_merged_by: facts.mergedBy ?? null,
          pr_merged_at: facts.mergedAt ?? null,
          pr_merge_commit: facts.mergeCommit ?? null,
          ...(facts.fileCheck ? { file_check: facts.fileCheck } : {}),
          forge_failing_since: null,
          forge_error: null,
        });
    });
  }

  async recordForgeFailure(ids: string[], message: string): Promise<void> {
    for (const some of chunks(ids)) {
      await this.knex('requests')
        .whereIn('id', some)
        .update({
          forge_failing_since: this.knex.raw(
            'coalesce(forge_failing_since, ?)',
            [this.stamp()],
          ),
          forge_error: message,
        });
    }
  }

  async recordRun(id: string, run: RunFacts, trx?: Knex.Transaction) {
    await this.merge(id, trx, async inner => {
      const key = { request_id: id, workload_uid: run.workloadUid };
      const before = await inner<RunRecord>('request_runs').where(key).first();
      const record: Omit<RunRecord, 'metered_at'> = {
        ...key,
        name: run.name,
        phase: laterPhase(before, run),
        outcome: before?.outcome ?? run.outcome ?? null,
        cluster_queue: run.clusterQueue ?? before?.cluster_queue ?? null,
        flavors: run.flavors ?? before?.flavors ?? null,
        pods: run.pods,
        waiting: run.waiting ? JSON.stringify(run.waiting) : null,
        created_at: run.createdAt,
        placed_at: earlier(before?.placed_at, run.placedAt),
        // A reactivated Workload holds quota again; an ended one never does.
        released_at:
          run.releasedAt || hasEnded(before)
            ? earlier(before?.released_at, run.releasedAt)
            : null,
      };
      await inner('request_runs')
        .insert(record)
        .onConflict(['request_id', 'workload_uid'])
        .merge(record);
    });
  }

  async recordPod(id: string, pod: PodFacts, trx?: Knex.Transaction) {
    await this.merge(id, trx, async inner => {
      const before = await inner<PodRecord>('request_pods')
        .where({ pod_uid: pod.uid })
        .first();
      const record = {
        pod_uid: pod.uid,
        request_id: id,
        cluster: pod.cluster,
        namespace: pod.namespace,
        name: pod.name,
        workload: pod.workload ?? before?.workload ?? null,
        node: pod.node ?? before?.node ?? null,
        scheduled_at: earlier(before?.scheduled_at, pod.scheduledAt),
        ready_at: earlier(before?.ready_at, pod.readyAt),
        finished_at: earlier(before?.finished_at, pod.finishedAt),
      };
      await inner('request_pods')
        .insert(record)
        .onConflict('pod_uid')
        .merge(record)
        .where('request_pods.request_id', id);
    });
  }

  async recordDelivery(
    id: string,
    delivery: RequestDelivery,
    trx?: Knex.Transaction,
  ) {
    await this.merge(id, trx, async (inner, request) => {
      const before: RequestDelivery | undefined =
        request.delivery && JSON.parse(request.delivery);
      // Later syncs bring other files: this one stays delivered when it was.
      if (before?.state !== 'delivered' || delivery.state !== 'delivered') {
        await inner('requests')
          .where({ id })
          .update({ delivery: JSON.stringify(delivery) });
      }
    });
  }

  async recordFirstSample(podUid: string, at: string, source: string) {
    const pod = await this.knex<PodRecord>('request_pods')
      .where({ pod_uid: podUid })
      .first();
    await this.merge(pod?.request_id ?? '', undefined, async trx => {
      await trx('request_pods')
        .where({ pod_uid: podUid })
        .andWhere(later =>
          later
            .whereNull('first_sample_at')
            .orWhere('first_sample_at', '>', at),
        )
        .update({ first_sample_at: at, first_sample_source: source });
    });
  }

  async recordMetered(id: string, workloadUid: string) {
    await this.merge(id, undefined, async trx => {
      await trx('request_runs')
        .where({ request_id: id, workload_uid: workloadUid })
        .whereNull('metered_at')
        .update({ metered_at: this.stamp() });
    });
  }

  async recordTidyBranch(ids: string[], branch: string): Promise<void> {
    for (const some of chunks(ids)) {
      await this.knex('requests')
        .whereIn('id', some)
        .update({ tidy_branch: branch });
    }
  }

  async recordFileGone(ids: string[]): Promise<void> {
    for (const some of chunks(ids)) {
      await this.knex('requests')
        .whereIn('id', some)
        .whereNull('file_gone_at')
        .update({ file_gone_at: this.stamp() });
    }
  }

  /** Locks the request, writes, and derives its state anew; `updatedAt` moves only when something shown has changed. */
  private async merge(
    id: string,
    trx: Knex.Transaction | undefined,
    write: (trx: Knex.Transaction, request: RequestRecord) => Promise<void>,
  ): Promise<void> {
    const inside = async (inner: Knex.Transaction) => {
      if (await lockRequest(inner, id)) {
        const [before] = await readRecords(inner, [id]);
        await write(inner, before.request);
        await this.refresh(inner, id, before);
      }
    };
    await (trx ? inside(trx) : this.knex.transaction(inside));
  }

  private async refresh(
    trx: Knex.Transaction,
    id: string,
    before?: RequestRecords,
  ): Promise<void> {
    const [after] = await readRecords(trx, [id]);
    const shown = (records: RequestRecords) =>
      JSON.stringify(toGpuRequest(records));
    if (!before || shown(before) !== shown(after)) {
      await trx('requests')
        .where({ id })
        .update({
          state: requestState(toFacts(after)),
          updated_at: this.stamp(),
        });
    }
  }

  private stamp(): string {
    return this.now().toISOString();
  }
}

/** What names the Job never changes under one id. */
function refuseOtherJob(
  stored: RequestRecord,
  row: Pick<RequestRecord, 'cluster' | 'namespace' | 'name' | 'requester'>,
): void {
  for (const field of ['cluster', 'namespace', 'name', 'requester'] as const) {
    if (stored[field] !== row[field]) {
      throw new ConflictError(
        `${field} is "${row[field]}", but request ${stored.id} is registered with "${stored[field]}"; accepted is the same ${field}, or a new request`,
      );
    }
  }
}

function hasEnded(run?: RunRecord): boolean {
  return run !== undefined && (run.outcome !== null || run.phase === 'deleted');
}

/** The phase that counts: an ended Workload does not come back, whatever is heard late. */
function laterPhase(before: RunRecord | undefined, run: RunFacts) {
  const stays =
    before?.phase === 'deleted' ||
    (before?.outcome && run.phase !== 'deleted' && !run.outcome);
  return stays ? before.phase : run.phase;
}

function normalDigest(digest: string): string {
  return digest.startsWith('sha256:') ? digest : `sha256:${digest}`;
}

function earlier(
  known: string | null | undefined,
  found: string | undefined,
): string | null {
  if (!known || !found) {
    return found ?? known ?? null;
  }
  return Date.parse(found) < Date.parse(known) ? found : known;
}
