import {
  currentRun,
  GpuRequest,
  RequestDelivery,
  RequestFacts,
  requestState,
  RequestState,
  requestSteps,
  Waiting,
  WorkloadPhase,
} from '@gpuaas/backstage-plugin-gpu-common';
import { RequestRow } from './requestStore';

/** Table `requests`. */
export interface RequestRecord {
  id: string;
  name: string;
  purpose: string | null;
  requester: string;
  entity: string;
  team: string | null;
  cluster: string;
  namespace: string;
  queue: string;
  kind: GpuRequest['kind'];
  device_class: string;
  flavor: string;
  units: number;
  priority_class: string | null;
  max_duration_seconds: number | null;
  repo_url: string;
  branch: string;
  path: string;
  digest: string;
  state: RequestState;
  task_status: string | null;
  pr_url: string | null;
  pr_number: number | null;
  pr_provider: string | null;
  pr_state: 'open' | 'merged' | 'closed' | null;
  pr_merged_by: string | null;
  pr_merged_at: string | null;
  pr_merge_commit: string | null;
  file_check: 'same' | 'changed' | null;
  forge_failing_since: string | null;
  forge_error: string | null;
  delivery: string | null;
  file_gone_at: string | null;
  tidy_branch: string | null;
  created_at: string;
  updated_at: string;
}

/** Table `request_runs`. */
export interface RunRecord {
  request_id: string;
  workload_uid: string;
  name: string;
  phase: WorkloadPhase;
  outcome: 'succeeded' | 'failed' | null;
  cluster_queue: string | null;
  flavors: string | null;
  pods: number;
  waiting: string | null;
  created_at: string;
  placed_at: string | null;
  released_at: string | null;
  metered_at: string | null;
}

/** Table `request_pods`. */
export interface PodRecord {
  pod_uid: string;
  request_id: string;
  cluster: string;
  namespace: string;
  name: string;
  workload: string | null;
  node: string | null;
  scheduled_at: string | null;
  ready_at: string | null;
  finished_at: string | null;
  first_sample_at: string | null;
  first_sample_source: string | null;
}

/** All that is known of one request. */
export interface RequestRecords {
  request: RequestRecord;
  runs: RunRecord[];
  pods: PodRecord[];
}

export function toRequestRow(record: RequestRecord): RequestRow {
  return {
    id: record.id,
    name: record.name,
    cluster: record.cluster,
    namespace: record.namespace,
    requester: record.requester,
    entity: record.entity,
    team: record.team ?? undefined,
    state: record.state,
    repoUrl: record.repo_url,
    branch: record.branch,
    path: record.path,
    digest: record.digest,
    pullRequest:
      record.pr_number === null
        ? undefined
        : {
            number: record.pr_number,
            state: record.pr_state ?? undefined,
            mergeCommit: record.pr_merge_commit ?? undefined,
          },
    fileCheck: record.file_check ?? undefined,
    tidyBranch: record.tidy_branch ?? undefined,
  };
}

export function toFacts({ request, runs, pods }: RequestRecords): RequestFacts {
  return {
    requestedAt: request.created_at,
    requester: request.requester,
    taskStatus: request.task_status ?? undefined,
    pullRequest:
      request.pr_number === null
        ? undefined
        : {
            provider: request.pr_provider ?? 'forge',
            number: request.pr_number,
            state: request.pr_state ?? 'open',
            mergedBy: request.pr_merged_by ?? undefined,
            mergedAt: request.pr_merged_at ?? undefined,
          },
    delivery: toDelivery(request).state,
    runs: runs.map(run => ({
      uid: run.workload_uid,
      name: run.name,
      phase: run.phase,
      outcome: run.outcome ?? undefined,
      clusterQueue: run.cluster_queue ?? undefined,
      flavors: run.flavors ?? undefined,
      createdAt: run.created_at,
      placedAt: run.placed_at ?? undefined,
      releasedAt: run.released_at ?? undefined,
      meteredAt: run.metered_at ?? undefined,
      expectedPods: run.pods,
      pods: pods
        .filter(pod => pod.workload === run.name)
        .map(pod => ({
          node: pod.node ?? undefined,
          scheduledAt: pod.scheduled_at ?? undefined,
          readyAt: pod.ready_at ?? undefined,
          firstSampleAt: pod.first_sample_at ?? undefined,
        })),
    })),
  };
}

/** The request as the API shows it; staleness of its cluster is added by the caller. */
export function toGpuRequest(records: RequestRecords): GpuRequest {
  const { request } = records;
  const facts = toFacts(records);
  const run = currentRun(facts);
  const waiting = records.runs.find(
    ({ workload_uid }) => workload_uid === run?.uid,
  )?.waiting;
  return {
    id: request.id,
    name: request.name,
    purpose: request.purpose ?? undefined,
    requester: request.requester,
    entity: request.entity,
    team: request.team ?? undefined,
    cluster: request.cluster,
    namespace: request.namespace,
    queue: request.queue,
    kind: request.kind,
    deviceClass: request.device_class,
    flavor: request.flavor,
    units: request.units,
    priorityClass: request.priority_class ?? undefined,
    maxDurationSeconds: request.max_duration_seconds ?? undefined,
    state: requestState(facts),
    steps: requestSteps(facts),
    file: {
      repoUrl: request.repo_url,
      branch: request.branch,
      path: request.path,
      digest: request.digest,
    },
    pullRequest:
      request.pr_number === null
        ? undefined
        : {
            url: request.pr_url!,
            number: request.pr_number,
            provider: request.pr_provider!,
            state: request.pr_state ?? 'open',
            mergedBy: request.pr_merged_by ?? undefined,
            mergedAt: request.pr_merged_at ?? undefined,
            mergeCommit: request.pr_merge_commit ?? undefined,
          },
    delivery: toDelivery(request),
    workload: run && { uid: run.uid, name: run.name },
    waiting: waiting ? (JSON.parse(waiting) as Waiting) : undefined,
    createdAt: request.created_at,
    updatedAt: request.updated_at,
    fresh: request.forge_failing_since === null,
    staleReason: request.forge_failing_since
      ? `The forge cannot be asked since ${request.forge_failing_since}: ${request.forge_error}`
      : undefined,
  };
}

function toDelivery(request: RequestRecord): RequestDelivery {
  return request.delivery
    ? (JSON.parse(request.delivery) as RequestDelivery)
    : { state: 'waiting' };
}
