import { LabelSelectorRequirement, Toleration } from './quotaSpec';

/** @public */
export interface NodeSelectorTerm {
  matchExpressions?: LabelSelectorRequirement[];
}

/**
 * Pods of one shape. Requests are of one pod, in engine units (see ResourceQuota).
 *
 * @public
 */
export interface PodSetSpec {
  name: string;
  count: number;
  requests: Record<string, number>;
  nodeSelector?: Record<string, string>;
  /** Terms of the required node affinity: any of them. */
  requiredNodeAffinity?: NodeSelectorTerm[];
  tolerations?: Toleration[];
}

/**
 * A Workload as the queue sees it.
 *
 * @public
 */
export interface WorkloadSpec {
  uid: string;
  clusterQueue: string;
  priority: number;
  /** Place in the queue: creation, or the eviction that counts. Any unit, as long as it is one. */
  timestamp: number;
  podSets: PodSetSpec[];
  /** Labels of the Workload's namespace; absent: the selector is not checked. */
  namespaceLabels?: Record<string, string>;
}

/**
 * What one pod set was given.
 *
 * @public
 */
export interface PodSetAssignment {
  name: string;
  count: number;
  /** Flavor by resource; only resources the ClusterQueue covers. */
  flavors: Record<string, string>;
  /** Totals over all pods, engine units, by resource. */
  usage: Record<string, number>;
}
