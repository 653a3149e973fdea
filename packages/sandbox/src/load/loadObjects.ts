import { KubernetesObject } from '../apiserver/objectStore';
import { localQueueName } from '../fleet/fleet';
import { LoadItem } from './loadPlan';

/** Label of what the background load made, and only that. */
export const loadLabel = 'sandbox.gpuaas.io/load';

const IMAGES: Record<LoadItem['kind'], string> = {
  batch: 'registry.example.com/ml/train:2026.11',
  interactive: 'registry.example.com/ml/notebook:2026.11',
  serving: 'registry.example.com/ml/serve:2026.11',
};

/**
 * The object of a piece of work: a Job in its team's queue, or a pod that
 * bypasses the queue.
 *
 * @param seconds - wall time it still runs
 */
export function loadObject(item: LoadItem, seconds: number): KubernetesObject {
  const labels = { [loadLabel]: 'true', app: item.name };
  const annotations = { 'gpuaas.io/kind': item.kind };
  const metadata = { name: item.name, namespace: item.namespace };
  if (!item.managed) {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, labels, annotations },
      spec: podSpec(item, seconds),
    };
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...metadata,
      labels: {
        ...labels,
        'kueue.x-k8s.io/queue-name': localQueueName,
        'kueue.x-k8s.io/priority-class': item.priorityClass,
      },
      annotations,
    },
    spec: {
      parallelism: item.pods,
      completions: item.pods,
      backoffLimit: 0,
      template: {
        metadata: { labels, annotations },
        spec: podSpec(item, seconds),
      },
    },
  };
}

function podSpec(item: LoadItem, seconds: number) {
  const run = `sleep ${seconds}`;
  return {
    restartPolicy: 'Never',
    nodeSelector: { ...item.nodeSelector },
    containers: [
      {
        name: 'main',
        image: IMAGES[item.kind],
        command: ['sh', '-c', item.fails ? `${run}; exit 1` : run],
        resources: {
          requests: {
            cpu: '2',
            memory: '8Gi',
            [item.resource]: String(item.units),
          },
          limits: { [item.resource]: String(item.units) },
        },
      },
    ],
  };
}
