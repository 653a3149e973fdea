import { LabelSelector, Taint, Toleration } from './quotaSpec';
import { NodeSelectorTerm } from './workloadSpec';

/** @public */
export interface KueueMetadata {
  name: string;
  namespace?: string;
  uid?: string;
  creationTimestamp?: string;
  deletionTimestamp?: string;
}

/** @public */
export interface KueueCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** @public */
export interface KueueResourceGroup {
  coveredResources: string[];
  flavors: Array<{
    name: string;
    resources: Array<{
      name: string;
      nominalQuota: string | number;
      borrowingLimit?: string | number;
      lendingLimit?: string | number;
    }>;
  }>;
}

/**
 * The fields of a v1beta2 ClusterQueue that decide who is admitted.
 *
 * @public
 */
export interface KueueClusterQueue {
  metadata: KueueMetadata;
  spec: {
    cohortName?: string;
    resourceGroups?: KueueResourceGroup[];
    queueingStrategy?: string;
    namespaceSelector?: LabelSelector | null;
    flavorFungibility?: { whenCanBorrow?: string };
    preemption?: { reclaimWithinCohort?: string };
    stopPolicy?: string;
  };
  status?: { conditions?: KueueCondition[] };
}

/** @public */
export interface KueueCohort {
  metadata: KueueMetadata;
  spec?: { parentName?: string; resourceGroups?: KueueResourceGroup[] };
}

/** @public */
export interface KueueResourceFlavor {
  metadata: KueueMetadata;
  spec?: {
    nodeLabels?: Record<string, string>;
    nodeTaints?: Taint[];
    tolerations?: Toleration[];
  };
}

/** @public */
export interface KueueLocalQueue {
  metadata: KueueMetadata;
  spec: { clusterQueue: string; stopPolicy?: string };
}

/** @public */
export interface KueueContainer {
  restartPolicy?: string;
  resources?: {
    requests?: Record<string, string | number>;
    limits?: Record<string, string | number>;
  };
}

/**
 * The fields of a pod's spec that decide where it may go and what it asks for.
 *
 * @public
 */
export interface KueuePodSpec {
  containers?: KueueContainer[];
  initContainers?: KueueContainer[];
  /** Of the pod as a whole. */
  resources?: KueueContainer['resources'];
  overhead?: Record<string, string | number>;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: {
        nodeSelectorTerms?: NodeSelectorTerm[];
      };
    };
  };
}

/** @public */
export interface KueueWorkload {
  metadata: KueueMetadata;
  spec: {
    queueName?: string;
    active?: boolean;
    priority?: number;
    podSets: Array<{
      name: string;
      count: number;
      template: { spec: KueuePodSpec };
    }>;
  };
  status?: {
    conditions?: KueueCondition[];
    admission?: {
      clusterQueue: string;
      podSetAssignments?: Array<{
        name: string;
        flavors?: Record<string, string>;
        resourceUsage?: Record<string, string | number>;
        count?: number;
      }>;
    };
    reclaimablePods?: Array<{ name: string; count: number }>;
    requeueState?: { requeueAt?: string };
  };
}

/**
 * What a cluster holds, as its API serves it (v1beta2).
 *
 * @public
 */
export interface KueueObjects {
  clusterQueues: KueueClusterQueue[];
  cohorts?: KueueCohort[];
  resourceFlavors: KueueResourceFlavor[];
  localQueues?: KueueLocalQueue[];
  workloads?: KueueWorkload[];
  /** Labels by namespace; namespaces that are missing are not checked against selectors. */
  namespaceLabels?: Record<string, Record<string, string>>;
}
