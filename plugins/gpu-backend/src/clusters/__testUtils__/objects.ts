import { KubernetesObject } from '../kubernetesObject';

/** Stamps and objects of a small cluster: one node of 8 H100, one team. */
export const CREATED = '2026-11-02T10:00:00Z';
export const ADMITTED = '2026-11-02T10:00:07Z';
export const FINISHED = '2026-11-02T10:05:00Z';

const H100 = {
  'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
  'nvidia.com/gpu.memory': '81559',
  'nvidia.com/gpu.count': '8',
  'nvidia.com/gpu.family': 'hopper',
  'nvidia.com/gpu.replicas': '1',
  'nvidia.com/gpu.sharing-strategy': 'none',
  'nvidia.com/mig.capable': 'true',
  'nvidia.com/mig.strategy': 'single',
};

export function node(name: string): KubernetesObject {
  return {
    metadata: { name, uid: `node-${name}`, labels: H100 },
    spec: {},
    status: {
      capacity: { 'nvidia.com/gpu': '8', cpu: '96' },
      allocatable: { 'nvidia.com/gpu': '8', cpu: '96' },
      conditions: [
        { type: 'Ready', status: 'True', lastTransitionTime: CREATED },
      ],
    },
  };
}

export function namespace(name: string): KubernetesObject {
  return { metadata: { name, uid: `ns-${name}` } };
}

export function flavor(): KubernetesObject {
  return {
    metadata: { name: 'h100', uid: 'flavor-h100' },
    spec: {
      nodeLabels: {
        'nvidia.com/gpu.product': H100['nvidia.com/gpu.product'],
      },
    },
  };
}

export function clusterQueue(nominal = 8, extra = {}): KubernetesObject {
  return {
    metadata: { name: 'team-07', uid: 'cq-team-07' },
    spec: {
      namespaceSelector: {},
      queueingStrategy: 'BestEffortFIFO',
      resourceGroups: [
        {
          coveredResources: ['nvidia.com/gpu'],
          flavors: [
            {
              name: 'h100',
              resources: [
                { name: 'nvidia.com/gpu', nominalQuota: String(nominal) },
              ],
            },
          ],
        },
      ],
      ...extra,
    },
    status: {
      conditions: [
        { type: 'Active', status: 'True', lastTransitionTime: CREATED },
      ],
    },
  };
}

export function localQueue(
  annotations: Record<string, string> = {
    'gpuaas.io/owner': 'group:default/team-07',
    'gpuaas.io/priority-classes': 'low,normal',
  },
): KubernetesObject {
  return {
    metadata: {
      name: 'gpu',
      namespace: 'team-07',
      uid: 'lq-team-07',
      annotations,
    },
    spec: { clusterQueue: 'team-07' },
    status: {},
  };
}

export function priorityClass(name: string, value: number): KubernetesObject {
  return { metadata: { name, uid: `wpc-${name}` }, value };
}

export function job(id: string): KubernetesObject {
  return {
    metadata: {
      name: `job-${id}`,
      namespace: 'team-07',
      uid: `job-uid-${id}`,
      creationTimestamp: CREATED,
      labels: { 'kueue.x-k8s.io/queue-name': 'gpu' },
      annotations: {
        'gpuaas.io/request-id': `request-${id}`,
        'gpuaas.io/entity': 'component:default/llm-finetune',
        'gpuaas.io/requester': 'user:default/mira',
      },
    },
    spec: {},
  };
}

export function workload(
  id: string,
  options: {
    gpus?: number;
    conditions?: Array<[string, string, string, string?, string?]>;
    admitted?: boolean;
    spec?: object;
    created?: string;
  } = {},
): KubernetesObject {
  const gpus = options.gpus ?? 2;
  return {
    metadata: {
      name: `job-job-${id}-12345`,
      namespace: 'team-07',
      uid: `wl-${id}`,
      creationTimestamp: options.created ?? CREATED,
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: `job-${id}`,
          uid: `job-uid-${id}`,
          controller: true,
        },
      ],
    },
    spec: {
      active: true,
      priority: 500,
      priorityClassRef: { name: 'normal' },
      queueName: 'gpu',
      podSets: [
        {
          name: 'main',
          count: 1,
          template: {
            spec: {
              containers: [
                {
                  name: 'main',
                  image: 'registry.example.com/train:1',
                  resources: {
                    requests: { 'nvidia.com/gpu': String(gpus), cpu: '1' },
                  },
                },
              ],
              nodeSelector: {
                'nvidia.com/gpu.product': H100['nvidia.com/gpu.product'],
              },
            },
          },
        },
      ],
      ...options.spec,
    },
    status: {
      ...(options.admitted && {
        admission: {
          clusterQueue: 'team-07',
          podSetAssignments: [
            {
              name: 'main',
              count: 1,
              flavors: { 'nvidia.com/gpu': 'h100' },
              resourceUsage: { 'nvidia.com/gpu': String(gpus) },
            },
          ],
        },
      }),
      conditions: (options.conditions ?? []).map(
        ([type, status, at, reason, message]) => ({
          type,
          status,
          lastTransitionTime: at,
          reason: reason ?? type,
          message: message ?? '',
        }),
      ),
    },
  };
}

export function admitted(id: string, gpus = 2): KubernetesObject {
  return workload(id, {
    gpus,
    admitted: true,
    conditions: [
      ['QuotaReserved', 'True', ADMITTED],
      ['Admitted', 'True', ADMITTED],
    ],
  });
}

export function finished(id: string, reason = 'Succeeded'): KubernetesObject {
  return workload(id, {
    admitted: true,
    conditions: [
      ['QuotaReserved', 'True', ADMITTED],
      ['Admitted', 'True', ADMITTED],
      ['Finished', 'True', FINISHED, reason],
    ],
  });
}

export function gpuPod(id: string, nodeName?: string): KubernetesObject {
  return {
    metadata: {
      name: `job-${id}-abcde`,
      namespace: 'team-07',
      uid: `pod-${id}`,
      creationTimestamp: ADMITTED,
      annotations: { 'kueue.x-k8s.io/workload': `job-job-${id}-12345` },
      labels: {
        'kueue.x-k8s.io/local-queue-name': 'gpu',
        'kueue.x-k8s.io/cluster-queue-name': 'team-07',
      },
    },
    spec: {
      nodeName,
      containers: [{ resources: { requests: { 'nvidia.com/gpu': '2' } } }],
    },
    status: {
      phase: nodeName ? 'Running' : 'Pending',
      conditions: nodeName
        ? [
            {
              type: 'PodScheduled',
              status: 'True',
              lastTransitionTime: ADMITTED,
            },
          ]
        : [],
    },
  };
}
