import { NodePart, PodPart } from './clusterParts';
import { deviceInventory, podUnits } from './inventory';

function node(
  name: string,
  product: string,
  capacity: Record<string, string>,
  more: { ready?: boolean; cordoned?: boolean; withheld?: number } = {},
): NodePart {
  const { ready = true, cordoned = false, withheld = 0 } = more;
  const allocatable = Object.fromEntries(
    Object.entries(capacity).map(([key, value]) => [
      key,
      String(Number(value) - withheld),
    ]),
  );
  return {
    metadata: {
      name,
      labels: {
        'nvidia.com/gpu.product': product,
        'nvidia.com/gpu.count': '8',
        ...(capacity['nvidia.com/gpu.shared'] && {
          'nvidia.com/gpu.replicas': '4',
          'nvidia.com/gpu.sharing-strategy': 'time-slicing',
        }),
      },
    },
    spec: { unschedulable: cordoned },
    status: {
      capacity,
      allocatable,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }],
    },
  };
}

function pod(
  nodeName: string | undefined,
  resource: string,
  units: number,
  phase = 'Running',
): PodPart {
  return {
    metadata: { name: `p-${nodeName}-${units}` },
    spec: {
      nodeName,
      containers: [{ resources: { limits: { [resource]: String(units) } } }],
    },
    status: { phase },
  };
}
const GPU = 'nvidia.com/gpu';
const SHARED = 'nvidia.com/gpu.shared';
const H100 = 'NVIDIA-H100-80GB-HBM3';
const flavors = [
  {
    metadata: { name: 'h100' },
    spec: { nodeLabels: { 'nvidia.com/gpu.product': H100 } },
  },
  {
    metadata: { name: 'l40s' },
    spec: { nodeLabels: { 'nvidia.com/gpu.product': 'NVIDIA-L40S' } },
  },
];

describe('deviceInventory', () => {
  const inventory = deviceInventory({
    flavors,
    nodes: [
      node('h1', H100, { [GPU]: '8' }),
      node('h2', H100, { [GPU]: '8' }, { cordoned: true }),
      node('h3', H100, { [GPU]: '8' }, { ready: false }),
      node('h4', H100, { [GPU]: '8' }, { withheld: 1 }),
      node('l1', 'NVIDIA-L40S', { [SHARED]: '32' }),
    ],
    pods: [
      pod('h1', GPU, 2),
      pod('h1', GPU, 4, 'Pending'),
      pod('h1', GPU, 8, 'Succeeded'),
      pod('h1', GPU, 8, 'Failed'),
      pod(undefined, GPU, 8, 'Pending'),
      pod('h2', GPU, 1),
      pod('h3', GPU, 8),
      pod('l1', SHARED, 1),
      pod('elsewhere', GPU, 8),
    ],
  });

  it('counts what is alive, held, free and unavailable, by flavor', () => {
    const [h100, l40s] = inventory.stock;
    // Alive: 8 + 8 + 7. Held: 6 + 1. Free: 2 on h1, none on the cordoned h2, 7 on h4.
    expect(h100).toMatchObject({
      flavor: 'h100',
      nodes: 4,
      total: 23,
      used: 7,
      free: 9,
      unavailable: 9,
    });
    expect(l40s).toMatchObject({ total: 32, used: 1, free: 31 });
    expect(l40s.deviceClass).toMatchObject({
      id: 'nvidia-l40s.shared-4',
      isolation: 'none',
      singleUnit: true,
      goodFor: ['notebooks', 'development'],
    });
  });

  it('counts physical GPUs on nodes that are alive, and what is held of them', () => {
    expect(inventory.gpus).toBe(32);
    expect(inventory.usedNano).toBe(7_250_000_000);
    expect(inventory.findings).toEqual([]);
  });

  it('is empty, not wrong, for a cluster without GPUs', () => {
    expect(deviceInventory({ flavors: [], nodes: [], pods: [] })).toEqual({
      nodes: [],
      flavors: [],
      stock: [],
      gpus: 0,
      usedNano: 0,
      findings: [],
    });
  });
});

describe('podUnits', () => {
  const container = (units: number, restartPolicy?: string) => ({
    restartPolicy,
    resources: { requests: { [GPU]: units, cpu: '500m' } },
  });
  it.each([
    [[container(2), container(1)], [], 3],
    [[container(1)], [container(4)], 4],
    [[container(2)], [container(1, 'Always')], 3],
    [[], [], undefined],
  ])('of containers %p with init %p is %p', (containers, init, units) => {
    const found = podUnits({
      metadata: { name: 'p' },
      spec: { containers, initContainers: init },
    });
    expect(found.get(GPU)).toBe(units);
    expect(found.has('cpu')).toBe(false);
  });
});
