import { RequestStep, RequestState } from '../requests';
import { Waiting } from './workloads';

/**
 * The pull request that carries a GPU request into Git.
 *
 * @public
 */
export interface RequestPullRequest {
  url: string;
  number: number;
  /** ScmIntegrations type: `gitea`, `github`, … */
  provider: string;
  state: 'open' | 'merged' | 'closed';
  mergedBy?: string;
  mergedAt?: string;
  mergeCommit?: string;
}

/**
 * The GitOps leg between "merged" and "admitted", as Argo CD or Flux reports it.
 *
 * @public
 */
export interface RequestDelivery {
  state: 'waiting' | 'delivered' | 'refused' | 'unknown';
  /** Kind and name of the Application or Kustomization. */
  via?: {
    kind: 'Application' | 'Kustomization';
    namespace: string;
    name: string;
    url?: string;
  };
  revision?: string;
  at?: string;
  /** The refuser's words. */
  message?: string;
}

/** @public */
export interface GpuRequest {
  /** The Scaffolder task id, so that a retry is the same request. */
  id: string;
  /** Job name: slug + short hash of the id. */
  name: string;
  purpose?: string;
  requester: string;
  entity: string;
  team?: string;
  cluster: string;
  namespace: string;
  queue: string;
  kind: 'batch' | 'interactive' | 'serving';
  deviceClass: string;
  flavor: string;
  /** Units per pod × pods. */
  units: number;
  priorityClass?: string;
  maxDurationSeconds?: number;
  state: RequestState;
  /** The eight steps of a request's life, always all of them and in order; `at` is absent until true. */
  steps: RequestStep[];
  file: { repoUrl: string; branch: string; path: string; digest: string };
  pullRequest?: RequestPullRequest;
  delivery: RequestDelivery;
  workload?: { uid: string; name: string };
  waiting?: Waiting;
  createdAt: string;
  updatedAt: string;
  /** False while the cluster, forge or Prometheus this depends on cannot be read; `staleReason` says which and since when. */
  fresh: boolean;
  staleReason?: string;
}

/**
 * What the Scaffolder actions report to the backend: the request exists, and
 * where its pull request is. PUT is idempotent by id.
 *
 * @public
 */
export interface RequestRegistration {
  purpose?: string;
  entity: string;
  cluster: string;
  namespace: string;
  queue: string;
  kind: 'batch' | 'interactive' | 'serving';
  name: string;
  deviceClass: string;
  flavor: string;
  units: number;
  priorityClass?: string;
  maxDurationSeconds?: number;
  file: { repoUrl: string; branch: string; path: string; digest: string };
  pullRequest?: { url: string; number: number; provider: string };
}
