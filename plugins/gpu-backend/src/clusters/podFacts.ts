import { podUnits } from '@gpuaas/backstage-plugin-gpu-common';
import { GpuPod } from './clusterObserver';
import { conditionOf, KubernetesObject } from './kubernetesObject';
import { userText } from './userText';
import { isGpuDevice } from './workloadFacts';

/**
 * Placement facts of a pod; undefined for a pod that asks for no GPU.
 * `before` keeps readyAt once the pod is no longer ready.
 */
export function gpuPodOf(
  cluster: string,
  pod: KubernetesObject,
  before?: GpuPod,
): GpuPod | undefined {
  const gpus = Object.fromEntries(
    [...podUnits(pod)].filter(
      ([resource, units]) => isGpuDevice(resource) && units !== 0,
    ),
  );
  if (Object.keys(gpus).length === 0) {
    return undefined;
  }
  const { metadata, status } = pod;
  const since = (type: string) => {
    const condition = conditionOf(pod, type);
    return condition?.status === 'True'
      ? condition.lastTransitionTime
      : undefined;
  };
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return {
    cluster,
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    node: pod.spec?.nodeName,
    phase: status?.phase ?? 'Unknown',
    workload: userText(metadata.annotations?.['kueue.x-k8s.io/workload']),
    owner: owner && { kind: owner.kind, name: owner.name, uid: owner.uid },
    queue: metadata.labels?.['kueue.x-k8s.io/local-queue-name'],
    clusterQueue: metadata.labels?.['kueue.x-k8s.io/cluster-queue-name'],
    gpus,
    createdAt: metadata.creationTimestamp ?? '',
    scheduledAt: since('PodScheduled'),
    readyAt: before?.readyAt ?? since('Ready'),
    finishedAt: containersEndedAt(status?.containerStatuses),
    deletionTimestamp: metadata.deletionTimestamp,
  };
}

function containersEndedAt(
  statuses: Array<{ state?: { terminated?: { finishedAt?: string } } }> = [],
): string | undefined {
  const ends = statuses.map(({ state }) => state?.terminated?.finishedAt);
  return ends.length > 0 && ends.every(Boolean)
    ? (ends as string[]).sort().at(-1)
    : undefined;
}
