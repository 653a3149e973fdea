import { createPermissionResourceRef } from '@backstage/plugin-permission-node';
import {
  RESOURCE_TYPE_GPU_QUEUE,
  RESOURCE_TYPE_GPU_REQUEST,
  RESOURCE_TYPE_GPU_WORKLOAD,
} from '@gpuaas/backstage-plugin-gpu-common';

/**
 * What a rule can look at: the same columns on queues, workloads and requests.
 *
 * @public
 */
export interface GpuResource {
  cluster: string;
  namespace: string;
  queue?: string;
  /** Owner group of the queue; absent when nobody owns it. */
  team?: string;
  /** User reference; workloads and requests only. */
  requester?: string;
}

/**
 * A condition as the plugin's SQL filter takes it: the column's value is one of
 * `values`. Column `any` holds for every row.
 *
 * @public
 */
export interface GpuResourceFilter {
  column: 'cluster' | 'namespace' | 'team' | 'requester' | 'any';
  values: string[];
}

/** @public */
export const gpuQueueResourceRef = createPermissionResourceRef<
  GpuResource,
  GpuResourceFilter
>().with({ pluginId: 'gpu', resourceType: RESOURCE_TYPE_GPU_QUEUE });

/** @public */
export const gpuWorkloadResourceRef = createPermissionResourceRef<
  GpuResource,
  GpuResourceFilter
>().with({ pluginId: 'gpu', resourceType: RESOURCE_TYPE_GPU_WORKLOAD });

/** @public */
export const gpuRequestResourceRef = createPermissionResourceRef<
  GpuResource,
  GpuResourceFilter
>().with({ pluginId: 'gpu', resourceType: RESOURCE_TYPE_GPU_REQUEST });
