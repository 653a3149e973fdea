import { Cluster } from './clusters';
import { DeviceClassOffer, DeviceClassQuery } from './deviceClasses';
import { FitAnswer, FitQuery } from './fit';
import { UsageInterval } from './intervals';
import { Queue } from './queues';
import { GpuRequest, RequestRegistration } from './requests';
import { Workload } from './workloads';

/**
 * One page of a list. `nextCursor` is absent on the last page.
 *
 * @public
 */
export interface Page<T> {
  items: T[];
  nextCursor?: string;
  totalItems: number;
}

/** @public */
export interface PageQuery {
  /** 1 to 500; 50 when absent. */
  limit?: number;
  cursor?: string;
}

/**
 * What the GPU tab of a component shows.
 *
 * @public
 */
export interface EntitySummary {
  entity: string;
  requests: { active: number; waiting: number; running: number; ended: number };
  /** Physical GPUs held now, nano-GPU; absent like `gpuNanoSeconds`. */
  gpusNowNano?: number;
  /**
   * Allocated GPU time of closed and open intervals, nano-GPU-seconds as a decimal string (int64).
   * Absent where no usage meter is installed, or workloads may not be seen: missing is not zero.
   */
  gpuNanoSeconds?: string;
  /** RFC 3339 of the oldest picture this was computed from. */
  freshAt: string;
  latest: GpuRequest[];
}

/**
 * How one call is made.
 *
 * @public
 */
export interface CallOptions {
  /** Backstage token; the browser's fetch adds the user's own. */
  token?: string;
  signal?: AbortSignal;
}

/** @public */
export interface QueueQuery extends PageQuery {
  /** Only queues owned by the caller's groups. */
  mine?: boolean;
  cluster?: string;
  namespace?: string;
  owner?: string;
}

/** @public */
export interface WorkloadQuery extends PageQuery {
  cluster?: string;
  namespace?: string;
  queue?: string;
  team?: string;
  entity?: string;
  phase?: string[];
  requestId?: string;
}

/** @public */
export interface RequestQuery extends PageQuery {
  /** Only what the caller asked for. */
  mine?: boolean;
  team?: string;
  entity?: string;
  state?: string[];
}

/** @public */
export interface IntervalQuery extends PageQuery {
  cluster?: string;
  /** Workload uid. */
  workload?: string;
  requestId?: string;
  entity?: string;
  team?: string;
}

/**
 * The HTTP API of `gpu-backend` as a typed client. Paths and shapes are those of `openapi.ts`.
 *
 * @public
 */
export interface GpuApi {
  getClusters(options?: CallOptions): Promise<{ items: Cluster[] }>;
  getDeviceClasses(
    query?: DeviceClassQuery,
    options?: CallOptions,
  ): Promise<{ items: DeviceClassOffer[] }>;
  getQueues(query?: QueueQuery, options?: CallOptions): Promise<Page<Queue>>;
  getWorkloads(
    query?: WorkloadQuery,
    options?: CallOptions,
  ): Promise<Page<Workload>>;
  getWorkload(
    cluster: string,
    uid: string,
    options?: CallOptions,
  ): Promise<Workload>;
  getRequests(
    query?: RequestQuery,
    options?: CallOptions,
  ): Promise<Page<GpuRequest>>;
  getRequest(id: string, options?: CallOptions): Promise<GpuRequest>;
  putRequest(
    id: string,
    registration: RequestRegistration,
    options?: CallOptions,
  ): Promise<GpuRequest>;
  getEntitySummary(
    entityRef: string,
    options?: CallOptions,
  ): Promise<EntitySummary>;
  /** The intervals a figure is made of; fails with "not installed" where there is no usage meter. */
  getIntervals(
    query?: IntervalQuery,
    options?: CallOptions,
  ): Promise<Page<UsageInterval>>;
  getFit(query: FitQuery, options?: CallOptions): Promise<FitAnswer>;
}
