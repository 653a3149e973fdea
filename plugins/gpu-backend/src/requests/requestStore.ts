import { Knex } from 'knex';
import {
  GpuRequest,
  Page,
  PageQuery,
  RequestDelivery,
  RequestRegistration,
  RequestState,
  Waiting,
  WorkloadPhase,
} from '@gpuaas/backstage-plugin-gpu-common';
import { RowRestriction } from '../clusters/clusterStore';

export interface RequestFilter {
  requester?: string;
  team?: string;
  entity?: string;
  /** Any of them. */
  states?: string[];
}

/** What the forge says of a request's pull request. */
export interface ForgeFacts {
  url: string;
  number: number;
  provider: string;
  state: 'open' | 'merged' | 'closed';
  mergedBy?: string;
  mergedAt?: string;
  mergeCommit?: string;
  /** Merged file against the registered digest; absent while not read. */
  fileCheck?: 'same' | 'changed';
}

/** What is needed to ask the forge about a request, and to find its file. */
export interface RequestRow {
  id: string;
  name: string;
  cluster: string;
  namespace: string;
  requester: string;
  entity: string;
  team?: string;
  state: RequestState;
  repoUrl: string;
  branch: string;
  path: string;
  digest: string;
  pullRequest?: {
    number: number;
    state?: 'open' | 'merged' | 'closed';
    mergeCommit?: string;
  };
  fileCheck?: 'same' | 'changed';
  /** Branch of the pull request that was to take its file out of Git. */
  tidyBranch?: string;
}

/** What a Workload says of its request. */
export interface RunFacts {
  workloadUid: string;
  name: string;
  phase: WorkloadPhase;
  outcome?: 'succeeded' | 'failed';
  clusterQueue?: string;
  flavors?: string;
  pods: number;
  waiting?: Waiting;
  createdAt: string;
  placedAt?: string;
  releasedAt?: string;
}

/** What a pod says of its request. */
export interface PodFacts {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  workload?: string;
  node?: string;
  scheduledAt?: string;
  readyAt?: string;
  finishedAt?: string;
}

/**
 * Requests and all that was learned of them. Every write is a merge that can be
 * repeated, and keeps the derived state current.
 */
export interface RequestStore {
  /** @throws ConflictError when the id stands for another Job, or the Job's name is taken. */
  register(
    id: string,
    registration: RequestRegistration,
    origin: { requester: string; createdAt: string; team?: string },
  ): Promise<void>;
  get(id: string): Promise<GpuRequest | undefined>;
  row(id: string): Promise<RequestRow | undefined>;
  /** Newest first. @throws InputError for a bad cursor. */
  list(
    filter?: RequestFilter,
    page?: PageQuery,
    restrict?: RowRestriction,
  ): Promise<Page<GpuRequest>>;
  countStates(
    entity: string,
    restrict?: RowRestriction,
  ): Promise<Map<RequestState, number>>;

  /** Status of the Scaffolder task behind a request; nothing for an unregistered one. */
  recordTaskStatus(id: string, status: string): Promise<void>;
  /** Requests whose pull request can still change, or whose merged file was not read yet. */
  listUndecided(): Promise<RequestRow[]>;
  recordForge(id: string, facts: ForgeFacts): Promise<void>;
  /** The forge could not be asked: the request shows since when. */
  recordForgeFailure(ids: string[], message: string): Promise<void>;

  /** Requests by the Jobs they made. */
  findByJobs(
    jobs: Array<{ cluster: string; namespace: string; name: string }>,
    trx?: Knex.Transaction,
  ): Promise<RequestRow[]>;
  /** Requests of which something more can come, by id, those after `after`. */
  listLiving(limit: number, after?: string): Promise<RequestRow[]>;
  /** Requests of which GitOps still has something to say: nothing runs yet, or has run, of them. */
  listUndelivered(trx?: Knex.Transaction): Promise<RequestRow[]>;
  recordRun(id: string, run: RunFacts, trx?: Knex.Transaction): Promise<void>;
  recordPod(id: string, pod: PodFacts, trx?: Knex.Transaction): Promise<void>;
  recordDelivery(
    id: string,
    delivery: RequestDelivery,
    trx?: Knex.Transaction,
  ): Promise<void>;

  /** First metric sample of a pod after it was ready, RFC 3339; the earliest stays. */
  recordFirstSample(podUid: string, at: string, source: string): Promise<void>;
  /** The ledger holds the run's interval: stamped with the ledger's clock, once. */
  recordMetered(id: string, workloadUid: string): Promise<void>;

  /** Ended requests whose file may still be in Git: ended before `endedBefore`, RFC 3339. */
  listTidiable(endedBefore: string): Promise<RequestRow[]>;
  recordTidyBranch(ids: string[], branch: string): Promise<void>;
  recordFileGone(ids: string[]): Promise<void>;
}
