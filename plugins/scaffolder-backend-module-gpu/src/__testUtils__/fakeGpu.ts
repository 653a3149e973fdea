import {
  DeviceClassOffer,
  FitAnswer,
  GpuApi,
  Queue,
} from '@gpuaas/backstage-plugin-gpu-common';
import { mockServices } from '@backstage/backend-test-utils';
import { GpuBackend } from '../gpuBackend';

/** What the gpu backend of these tests knows: one queue and two device classes on `spoke-a`. */
export const queue: Queue = {
  cluster: 'spoke-a',
  namespace: 'team-07',
  name: 'gpu',
  clusterQueue: 'team-07',
  cohort: 'department-1',
  owner: 'group:default/team-07',
  active: true,
  priorityClasses: [
    { name: 'normal', value: 500 },
    { name: 'low', value: 100 },
  ],
  pendingWorkloads: 0,
  admittedWorkloads: 0,
  quotas: [],
  freshAt: '2026-01-01T00:00:00Z',
};

export function offer(
  id: string,
  flavor: string,
  change: Partial<DeviceClassOffer['deviceClass']> = {},
): DeviceClassOffer {
  return {
    cluster: 'spoke-a',
    flavor,
    nodeLabels: { 'nvidia.com/gpu.product': id },
    deviceClass: {
      id,
      title: id,
      vendor: 'nvidia',
      model: id,
      form: {},
      resourceName: 'nvidia.com/gpu',
      shareNano: 1_000_000_000,
      vramMiB: 81_920,
      isolation: 'hardware',
      singleUnit: false,
      goodFor: [],
      ...change,
    },
    nodes: 16,
    total: 128,
    free: 60,
    freshAt: '2026-01-01T00:00:00Z',
  };
}

export const fits: FitAnswer = {
  verdict: 'now',
  reason: 'fits',
  sentence: 'It fits the quota of team-07.',
  cluster: 'spoke-a',
  clusterQueue: 'team-07',
  flavor: 'train',
  nodeLabels: { 'nvidia.com/gpu.product': 'nvidia-h100-80gb-hbm3' },
  resourceName: 'nvidia.com/gpu',
  coveredResources: ['nvidia.com/gpu'],
  deviceClass: 'nvidia-h100-80gb-hbm3',
  units: 2,
  physicalNano: 2_000_000_000,
  poolShare: 0.015625,
  before: { nominal: 3, used: 0, borrowed: 0, available: 64, potential: 64 },
  after: { nominal: 3, used: 2, borrowed: 0, available: 62, potential: 64 },
  borrows: 0,
};

/** The gpu backend as the actions see it; each call can be replaced and is recorded. */
export function fakeGpu(change: Partial<Record<keyof GpuApi, any>> = {}) {
  const client = {
    getFit: jest.fn(async () => fits),
    getQueues: jest.fn(async () => ({ items: [queue], totalItems: 1 })),
    getDeviceClasses: jest.fn(async () => ({
      items: [
        offer('nvidia-h100-80gb-hbm3', 'train'),
        offer('nvidia-l40s.shared-4', 'dev', { singleUnit: true }),
      ],
    })),
    putRequest: jest.fn(async () => ({})),
    ...change,
  };
  const gpu = new GpuBackend({
    auth: mockServices.auth(),
    discovery: mockServices.discovery(),
    client: client as unknown as GpuApi,
  });
  return { gpu, client };
}
