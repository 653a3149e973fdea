/** @public */
export const WORKLOAD_PHASES = [
  'pending',
  'reserved',
  'admitted',
  'backing-off',
  'deactivated',
  'succeeded',
  'failed',
  'deleted',
] as const;

/**
 * Derived in the order of kueue.md 2.5: Finished, deleted, inactive, Admitted,
 * QuotaReserved, Evicted with a future requeueAt, else pending.
 *
 * @public
 */
export type WorkloadPhase = (typeof WORKLOAD_PHASES)[number];

/**
 * Why a Workload waits: a class of cause, a plain sentence, and Kueue's own words.
 *
 * @public
 */
export interface Waiting {
  /** Class of the cause; the wording of Kueue's messages is not an API, so `unknown` is always possible. */
  cause:
    | 'quota-in-use'
    | 'exceeds-maximum'
    | 'resource-not-covered'
    | 'flavor-mismatch'
    | 'queue-missing'
    | 'queue-stopped'
    | 'namespace-mismatch'
    | 'admission-gate'
    | 'admission-check'
    | 'preempting'
    | 'not-yet-tried'
    | 'backing-off'
    | 'unknown';
  /** One plain sentence for a person who knows no Kubernetes. */
  sentence: string;
  /** Kueue's own message, verbatim. */
  message?: string;
  /** RFC 3339. */
  since: string;
}

/** @public */
export interface WorkloadPodSet {
  name: string;
  count: number;
  /** Requests of one pod, canonical Kubernetes quantities by resource name. */
  requests: Record<string, string>;
  /** What Kueue gave; absent until quota is reserved. */
  assignment?: {
    flavors: Record<string, string>;
    /** Totals over all pods. */
    usage: Record<string, string>;
    count: number;
  };
}

/** @public */
export interface Workload {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  job?: { name: string; uid: string };
  queue?: string;
  clusterQueue?: string;
  /** Group that owns the queue; absent: unassigned. */
  team?: string;
  requestId?: string;
  entity?: string;
  requester?: string;
  phase: WorkloadPhase;
  priority: number;
  priorityClass?: string;
  podSets: WorkloadPodSet[];
  /** Device class id and units asked for, of the first pod set that asks for a GPU. */
  deviceClass?: string;
  units?: number;
  createdAt: string;
  quotaReservedAt?: string;
  admittedAt?: string;
  finishedAt?: string;
  evictions: number;
  waiting?: Waiting;
  freshAt: string;
}
