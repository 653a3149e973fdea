import { Cluster } from './clusters';
import { DeviceClassOffer } from './deviceClasses';
import { FitAnswer, FitQuery } from './fit';
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
  /** Physical GPUs held now, nano-GPU. */
  gpusNowNano: number;
  /** Allocated GPU time of closed and open intervals, nano-GPU-seconds as a decimal string (int64). */
  gpuNanoSeconds: string;
  /** RFC 3339 of the oldest picture this was computed from. */
  freshAt: string;
  latest: GpuRequest[];
}

/**
 * The HTTP API of `gpu-backend` as a typed client. Paths and shapes are those of `openapi.ts`.
 *
 * @public
 */
export interface GpuApi {
  getClusters(): Promise<{ items: Cluster[] }>;
  getDeviceClasses(query?: {
    cluster?: string;
    namespace?: string;
    queue?: string;
  }): Promise<{ items: DeviceClassOffer[] }>;
  getQueues(
    query?: {
      /** Only queues owned by the caller's groups. */
      mine?: boolean;
      cluster?: string;
      namespace?: string;
      owner?: string;
    } & PageQuery,
  ): Promise<Page<Queue>>;
  getWorkloads(
    query?: {
      cluster?: string;
      namespace?: string;
      queue?: string;
      team?: string;
      entity?: string;
      phase?: string[];
      requestId?: string;
    } & PageQuery,
  ): Promise<Page<Workload>>;
  getRequests(
    query?: {
      mine?: boolean;
      team?: string;
      entity?: string;
      state?: string[];
    } & PageQuery,
  ): Promise<Page<GpuRequest>>;
  getRequest(id: string): Promise<GpuRequest>;
  putRequest(
    id: string,
    registration: RequestRegistration,
  ): Promise<GpuRequest>;
  getEntitySummary(entityRef: string): Promise<EntitySummary>;
  getFit(query: FitQuery): Promise<FitAnswer>;
}
