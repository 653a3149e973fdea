import { createPermission } from '@backstage/plugin-permission-common';

/** @public */
export const RESOURCE_TYPE_GPU_QUEUE = 'gpu-queue';

/** @public */
export const RESOURCE_TYPE_GPU_WORKLOAD = 'gpu-workload';

/** @public */
export const RESOURCE_TYPE_GPU_REQUEST = 'gpu-request';

/**
 * See clusters and the device classes they offer.
 *
 * @public
 */
export const gpuClusterReadPermission = createPermission({
  name: 'gpu.cluster.read',
  attributes: { action: 'read' },
});

/**
 * See queues, their quotas and what they may use.
 *
 * @public
 */
export const gpuQueueReadPermission = createPermission({
  name: 'gpu.queue.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE_GPU_QUEUE,
});

/**
 * Submit to queues, those of other teams included. Members of a queue's owner
 * group may always submit to it; this permission is asked for everyone else.
 *
 * @public
 */
export const gpuQueueUsePermission = createPermission({
  name: 'gpu.queue.use',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE_GPU_QUEUE,
});

/**
 * See Workloads and the GPU time they hold.
 *
 * @public
 */
export const gpuWorkloadReadPermission = createPermission({
  name: 'gpu.workload.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE_GPU_WORKLOAD,
});

/**
 * See requests and their steps.
 *
 * @public
 */
export const gpuRequestReadPermission = createPermission({
  name: 'gpu.request.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE_GPU_REQUEST,
});

/**
 * Ask for GPUs: register a request.
 *
 * @public
 */
export const gpuRequestCreatePermission = createPermission({
  name: 'gpu.request.create',
  attributes: { action: 'create' },
});

/**
 * Every permission of the plugin.
 *
 * @public
 */
export const gpuPermissions = [
  gpuClusterReadPermission,
  gpuQueueReadPermission,
  gpuQueueUsePermission,
  gpuWorkloadReadPermission,
  gpuRequestReadPermission,
  gpuRequestCreatePermission,
];
