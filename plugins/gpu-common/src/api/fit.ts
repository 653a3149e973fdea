/**
 * Will it fit? Asked before submit, and again by `gpu:quota:check`.
 *
 * @public
 */
export interface FitQuery {
  /** Absent: best fit over all clusters that have the queue. */
  cluster?: string;
  namespace: string;
  queue: string;
  /** A device class id … */
  deviceClass?: string;
  /** … or a fraction of a GPU, matched to the cheapest class that satisfies both. */
  fraction?: { corePercent: number; vramMiB: number };
  /** Units per pod. */
  count: number;
  pods?: number;
  priorityClass?: string;
}

/** @public */
export interface FitQuotaLine {
  nominal: number;
  used: number;
  borrowed: number;
  available: number;
  potential: number;
}

/**
 * `now`: would be admitted at once. `later`: allowed, waits. `never`: refused, with why.
 *
 * @public
 */
export interface FitAnswer {
  verdict: 'now' | 'later' | 'never';
  /** Machine-readable class of the reason. */
  reason:
    | 'fits'
    | 'waits-for-quota'
    | 'waits-for-devices'
    | 'waits-behind-others'
    | 'exceeds-maximum'
    | 'class-not-offered'
    | 'queue-missing'
    | 'queue-stopped'
    | 'priority-not-allowed'
    | 'shared-count'
    | 'cluster-unknown';
  sentence: string;
  cluster?: string;
  clusterQueue?: string;
  flavor?: string;
  nodeLabels?: Record<string, string>;
  resourceName?: string;
  /** Resources the ClusterQueue covers: a Job that asks for another is never admitted. */
  coveredResources?: string[];
  deviceClass?: string;
  /** Units asked for in all. */
  units: number;
  /** Physical GPUs asked for, in nano-GPU, and the share of the pool's that is. */
  physicalNano?: number;
  poolShare?: number;
  before?: FitQuotaLine;
  after?: FitQuotaLine;
  /** Units of the request that would be borrowed from the cohort. */
  borrows: number;
  freshAt?: string;
}
