import type {
  V1Job,
  V1JobSpec,
  V1ObjectMeta,
  V1PodSpec,
  V1ResourceRequirements,
} from '@kubernetes/client-node';

/** To Kueue a resource is a name; this one no device plugin claims. */
export const GPU = 'example.com/accelerator';

export const label = (name: string) => `kueue.x-k8s.io/${name}`;

export interface JobOptions {
  gpus?: number;
  /** At once. */
  pods?: number;
  /** In all; default: `pods`. */
  completions?: number;
  /** A LocalQueue; empty: none. */
  queue?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** Instead of GPUs, as requests and limits. */
  resources?: Record<string, string>;
  /** Instead of `resources`. */
  container?: V1ResourceRequirements;
  /** How long it runs, in seconds; default: longer than any suite. */
  seconds?: number;
  /** Instead of `seconds`. */
  command?: string[];
  nodeSelector?: Record<string, string>;
  nodeSelectorOfFlavor?: string;
  spec?: Partial<V1JobSpec>;
  pod?: Partial<V1PodSpec>;
  podMetadata?: V1ObjectMeta;
}

/** A Job of one container that sleeps. */
export function contractJob(name: string, options: JobOptions): V1Job {
  const { gpus = 1, pods = 1, queue = 'q', seconds = 3600 } = options;
  const resources = options.resources ?? { [GPU]: String(gpus) };
  return {
    metadata: {
      name,
      labels: {
        ...(queue && { [label('queue-name')]: queue }),
        ...options.labels,
      },
      annotations: options.annotations,
    },
    spec: {
      parallelism: pods,
      completions: options.completions ?? pods,
      ...options.spec,
      template: {
        metadata: options.podMetadata,
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          nodeSelector: options.nodeSelector,
          ...options.pod,
          containers: [
            {
              name: 'main',
              image: 'busybox',
              command: options.command ?? ['sleep', String(seconds)],
              resources: options.container ?? {
                requests: resources,
                limits: resources,
              },
            },
          ],
        },
      },
    },
  };
}
