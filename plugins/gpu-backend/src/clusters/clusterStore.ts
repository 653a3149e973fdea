import { Knex } from 'knex';
import {
  Cluster,
  DeviceClassOffer,
  Page,
  PageQuery,
  Queue,
  Workload,
} from '@gpuaas/backstage-plugin-gpu-common';
import { Delivery, GpuPod, ObservedWorkload } from './clusterObserver';
import { KubernetesObject } from './kubernetesObject';

/**
 * Which rows the caller may see: adds `where` clauses to a query over
 * `workloads` or `local_queues`. Both have the columns `cluster`, `namespace`,
 * `queue` and `team` (owner group reference, null when nobody owns the queue);
 * `workloads` also has `entity` and `requester`.
 */
export type RowRestriction = (query: Knex.QueryBuilder) => void;

export interface QueueFilter {
  cluster?: string;
  namespace?: string;
  /** LocalQueue name. */
  name?: string;
  /** Group references: queues owned by any of them. */
  owners?: string[];
}

export interface WorkloadFilter {
  cluster?: string;
  namespace?: string;
  queue?: string;
  /** Group reference of the owner. */
  team?: string;
  entity?: string;
  /** Phases of `WORKLOAD_PHASES`, any of them. */
  phases?: string[];
  requestId?: string;
  jobUid?: string;
}

/** What the queueing engine needs of one cluster, as Kueue's own objects. */
export interface FitSnapshot {
  cluster: Cluster;
  /** RFC 3339 of the picture. */
  freshAt: string;
  resourceFlavors: KubernetesObject[];
  clusterQueues: KubernetesObject[];
  cohorts: KubernetesObject[];
  localQueues: KubernetesObject[];
  workloadPriorityClasses: KubernetesObject[];
  namespaces: KubernetesObject[];
  /** Live Workloads: neither finished nor deleted. */
  workloads: KubernetesObject[];
  /** Device classes offered, with live counts. */
  offers: DeviceClassOffer[];
}

/**
 * The read model of every cluster, from the database alone: any replica
 * answers the same. Lists are in keyset order, so that paging neither skips
 * nor repeats a row that was there all along.
 */
export interface ClusterStore {
  /** Clusters of the configuration, by name; one never seen is `connecting`. */
  listClusters(): Promise<Cluster[]>;
  /**
   * Device classes by cluster and id. With namespace and queue: also what that
   * queue may take, on the clusters where `restrict` lets it be seen.
   */
  listOffers(
    query?: {
      cluster?: string;
      namespace?: string;
      queue?: string;
    },
    restrict?: RowRestriction,
  ): Promise<DeviceClassOffer[]>;
  /** By cluster, namespace, name. @throws InputError for a bad cursor or limit. */
  listQueues(
    filter?: QueueFilter,
    page?: PageQuery,
    restrict?: RowRestriction,
  ): Promise<Page<Queue>>;
  getQueue(
    cluster: string,
    namespace: string,
    name: string,
  ): Promise<Queue | undefined>;
  /** Newest first. @throws InputError for a bad cursor or limit. */
  listWorkloads(
    filter?: WorkloadFilter,
    page?: PageQuery,
    restrict?: RowRestriction,
  ): Promise<Page<Workload>>;
  getWorkload(uid: string): Promise<ObservedWorkload | undefined>;
  /** Pods that hold or ask for GPUs, by creation time. */
  listPods(filter: {
    cluster: string;
    namespace?: string;
    workload?: string;
    node?: string;
  }): Promise<GpuPod[]>;
  listDeliveries(filter?: {
    cluster?: string;
    namespace?: string;
  }): Promise<Delivery[]>;
  /** Undefined for a cluster that is not configured or was never read. */
  snapshotForFit(cluster: string): Promise<FitSnapshot | undefined>;
}
