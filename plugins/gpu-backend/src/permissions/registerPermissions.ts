import { PermissionsRegistryService } from '@backstage/backend-plugin-api';
import {
  gpuPermissions,
  RESOURCE_TYPE_GPU_QUEUE,
  RESOURCE_TYPE_GPU_REQUEST,
  RESOURCE_TYPE_GPU_WORKLOAD,
} from '@gpuaas/backstage-plugin-gpu-common';
import {
  GpuResource,
  gpuQueueResourceRef,
  gpuQueueRules,
  gpuRequestResourceRef,
  gpuRequestRules,
  gpuWorkloadResourceRef,
  gpuWorkloadRules,
} from '@gpuaas/backstage-plugin-gpu-node';
import { isResourcePermission } from '@backstage/plugin-permission-common';
import { ClusterStore } from '../clusters/clusterStore';
import { RequestStore } from '../requests/requestStore';

/** Makes permissions and rules known to policies, and gives them the resources a rule is applied to. */
export function registerPermissions(
  registry: PermissionsRegistryService,
  clusters: Pick<ClusterStore, 'getQueue' | 'getWorkload'>,
  requests: Pick<RequestStore, 'row'>,
): void {
  const permissionsOf = (resourceType: string) =>
    gpuPermissions.filter(permission =>
      isResourcePermission(permission, resourceType),
    );
  const each =
    (find: (ref: string) => Promise<GpuResource | undefined>) =>
    (refs: string[]) =>
      Promise.all(refs.map(find));

  registry.addPermissions(
    gpuPermissions.filter(permission => !isResourcePermission(permission)),
  );
  registry.addResourceType({
    resourceRef: gpuQueueResourceRef,
    permissions: permissionsOf(RESOURCE_TYPE_GPU_QUEUE),
    rules: Object.values(gpuQueueRules),
    // <cluster>/<namespace>/<name>
    getResources: each(async ref => {
      const [cluster = '', namespace = '', name = ''] = ref.split('/');
      const queue = await clusters.getQueue(cluster, namespace, name);
      return queue && { cluster, namespace, queue: name, team: queue.owner };
    }),
  });
  registry.addResourceType({
    resourceRef: gpuWorkloadResourceRef,
    permissions: permissionsOf(RESOURCE_TYPE_GPU_WORKLOAD),
    rules: Object.values(gpuWorkloadRules),
    getResources: each(
      async uid => (await clusters.getWorkload(uid))?.workload,
    ),
  });
  registry.addResourceType({
    resourceRef: gpuRequestResourceRef,
    permissions: permissionsOf(RESOURCE_TYPE_GPU_REQUEST),
    rules: Object.values(gpuRequestRules),
    getResources: each(id => requests.row(id)),
  });
}
