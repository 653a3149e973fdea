import type { V1Node } from '@kubernetes/client-node';

/** A node without a machine behind it, ready for pods; KWOK plays its kubelet where that is there. */
export function readyNode(
  name: string,
  labels: Record<string, string>,
  capacity: Record<string, string>,
): V1Node {
  return {
    metadata: {
      name,
      labels: { ...labels, 'kubernetes.io/hostname': name },
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
    },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'ready',
          lastHeartbeatTime: new Date(),
          lastTransitionTime: new Date(),
        },
      ],
    },
  };
}
