import {
  fileDigest,
  RequestRegistration,
  Workload,
  WorkloadPhase,
} from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterConfig } from '../../clusters/clusterConfig';
import {
  Delivery,
  GpuPod,
  ObservedWorkload,
} from '../../clusters/clusterObserver';

export const REPO_URL = 'forge.example?owner=platform&repo=gpu-fleet';
export const MERGE_COMMIT = 'c0ffee'.padEnd(40, '0');
/** The file of request `r1`, by mira. */
export const MANIFEST = `kind: Job
metadata:
  name: tune-1a2b3c4d
  namespace: team-07
  annotations:
    gpuaas.io/request-id: r1
    gpuaas.io/entity: component:default/llm-finetune
    gpuaas.io/requester: user:default/mira
`;

export const configs: ClusterConfig[] = [
  {
    name: 'spoke-a',
    title: 'Spoke A',
    role: 'spoke',
    connection: { url: 'http://127.0.0.1:1', skipTlsVerify: true },
    gitops: {
      repoUrl: REPO_URL,
      branch: 'main',
      path: 'clusters/spoke-a',
      application: { cluster: 'hub', namespace: 'argocd' },
    },
  },
];

export const origin = {
  requester: 'user:default/mira',
  createdAt: '2026-11-02T10:00:00.000Z',
  team: 'group:default/team-07',
};

export function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 2, 10, 0, second))
    .toISOString()
    .replace('.000Z', 'Z');
}

export function registration(name = 'tune-1a2b3c4d'): RequestRegistration {
  return {
    entity: 'component:default/llm-finetune',
    cluster: 'spoke-a',
    namespace: 'team-07',
    queue: 'gpu',
    kind: 'batch',
    name,
    deviceClass: 'nvidia-h100-80gb-hbm3',
    flavor: 'train',
    units: 2,
    file: {
      repoUrl: REPO_URL,
      branch: 'main',
      path: `clusters/spoke-a/team-07/${name}.yaml`,
      digest: fileDigest(MANIFEST),
    },
    pullRequest: {
      url: 'http://forge.example/platform/gpu-fleet/pulls/7',
      number: 7,
      provider: 'gitea',
    },
  };
}

/** A Workload of the request's Job as a cluster reports it. */
export function observedWorkload(
  requestId: string,
  phase: WorkloadPhase,
  more: Partial<Workload> = {},
): ObservedWorkload {
  const uid = more.uid ?? `uid-${requestId}`;
  const holds = phase !== 'pending';
  return {
    workload: {
      uid,
      cluster: 'spoke-a',
      namespace: 'team-07',
      name: `job-${more.job?.name ?? 'tune-1a2b3c4d'}-00000`,
      job: { name: 'tune-1a2b3c4d', uid: 'job-uid' },
      queue: 'gpu',
      clusterQueue: 'team-07',
      team: 'group:default/team-07',
      requestId,
      phase,
      priority: 0,
      podSets: [
        {
          name: 'main',
          count: 1,
          requests: { 'nvidia.com/gpu': '2' },
          ...(holds
            ? {
                assignment: {
                  flavors: { 'nvidia.com/gpu': 'train' },
                  usage: { 'nvidia.com/gpu': '2' },
                  count: 1,
                },
              }
            : {}),
        },
      ],
      createdAt: at(30),
      ...(holds ? { quotaReservedAt: at(32), admittedAt: at(32) } : {}),
      ...(phase === 'succeeded' ? { finishedAt: at(92) } : {}),
      evictions: 0,
      freshAt: at(100),
      ...more,
    },
    object: {
      metadata: { name: `job-${requestId}`, uid, resourceVersion: '1' },
      status: holds ? { admission: {} } : {},
    },
  };
}

export function gpuPod(more: Partial<GpuPod> = {}): GpuPod {
  return {
    cluster: 'spoke-a',
    uid: 'pod-1',
    namespace: 'team-07',
    name: 'tune-1a2b3c4d-abcde',
    node: 'gpu-1',
    phase: 'Running',
    workload: 'job-tune-1a2b3c4d-00000',
    owner: { kind: 'Job', name: 'tune-1a2b3c4d', uid: 'job-uid' },
    gpus: { 'nvidia.com/gpu': 2 },
    createdAt: at(33),
    scheduledAt: at(33),
    readyAt: at(35),
    ...more,
  };
}

export function application(more: Partial<Delivery> = {}): Delivery {
  return {
    cluster: 'hub',
    kind: 'Application',
    namespace: 'argocd',
    name: 'spoke-a-team-07',
    uid: 'app-1',
    path: 'clusters/spoke-a/team-07',
    revision: MERGE_COMMIT,
    sync: 'Synced',
    operation: 'Succeeded',
    operationFinishedAt: at(29),
    history: [{ revision: MERGE_COMMIT, deployedAt: at(29) }],
    resources: [
      {
        kind: 'Job',
        namespace: 'team-07',
        name: 'tune-1a2b3c4d',
        status: 'Synced',
      },
    ],
    ...more,
  };
}
