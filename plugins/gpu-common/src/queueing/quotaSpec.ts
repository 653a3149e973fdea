/**
 * Quota of one resource on one flavor, in whole engine units: thousandths for
 * `cpu`, whole units for every other resource (as Kueue's ResourceValue).
 *
 * @public
 */
export interface ResourceQuota {
  name: string;
  nominal: number;
  /** What may be taken above nominal; absent: no limit. Ignored without a cohort. */
  borrowingLimit?: number;
  /** What of nominal may be lent; absent: all. Ignored without a cohort. */
  lendingLimit?: number;
}

/** @public */
export interface FlavorQuotas {
  name: string;
  resources: ResourceQuota[];
}

/**
 * Resources that get their flavor together; flavors are tried in order.
 *
 * @public
 */
export interface ResourceGroup {
  coveredResources: string[];
  flavors: FlavorQuotas[];
}

/**
 * A Cohort. Its quota comes on top of its children's.
 *
 * @public
 */
export interface CohortSpec {
  name: string;
  parent?: string;
  resourceGroups?: ResourceGroup[];
}

/** @public */
export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** @public */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** @public */
export interface ClusterQueueSpec {
  name: string;
  cohort?: string;
  resourceGroups: ResourceGroup[];
  /** Default BestEffortFIFO. */
  queueingStrategy?: 'BestEffortFIFO' | 'StrictFIFO';
  /** Namespaces whose Workloads are admitted; null: none; absent: not checked. */
  namespaceSelector?: LabelSelector | null;
  /** Default MayStopSearch. */
  whenCanBorrow?: 'MayStopSearch' | 'TryNextFlavor';
  /** Default Never. */
  reclaimWithinCohort?: 'Never' | 'LowerPriority' | 'Any';
  /** Why nothing is admitted now (stopped, flavor missing, terminating); absent: active. */
  inactive?: string;
}

/** @public */
export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

/** @public */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

/** @public */
export interface ResourceFlavorSpec {
  name: string;
  nodeLabels?: Record<string, string>;
  nodeTaints?: Taint[];
  tolerations?: Toleration[];
}

/**
 * Everything that is not a Workload.
 *
 * @public
 */
export interface QueueingSpec {
  resourceFlavors: ResourceFlavorSpec[];
  cohorts: CohortSpec[];
  clusterQueues: ClusterQueueSpec[];
}
