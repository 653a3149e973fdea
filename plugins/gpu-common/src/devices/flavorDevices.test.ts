import { NodePart } from './clusterParts';
import { fabricOf } from './fabric';
import {
  deviceClassId,
  flavorDevices,
  isolationOf,
  overlapFindings,
} from './flavorDevices';
import { readNodeDevices } from './nodeDevices';

function node(
  name: string,
  labels: Record<string, string>,
  capacity: Record<string, string>,
) {
  const part: NodePart = {
    metadata: { name, labels },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
  return readNodeDevices(part);
}
const product = (value: string, config?: string) => ({
  'nvidia.com/gpu.product': value,
  'nvidia.com/gpu.count': '8',
  ...(config && { 'nvidia.com/mig.config': config }),
});
const h100 = node('h1', product('NVIDIA-H100-80GB-HBM3'), {
  'nvidia.com/gpu': '8',
});
const sliced = node('a1', product('NVIDIA-A100-SXM4-80GB', 'all-1g.10gb'), {
  'nvidia.com/mig-1g.10gb': '56',
});
const balanced = node('a2', product('NVIDIA-A100-SXM4-80GB', 'all-balanced'), {
  'nvidia.com/mig-1g.10gb': '16',
  'nvidia.com/mig-2g.20gb': '8',
  'nvidia.com/mig-3g.40gb': '8',
});
const nodes = [h100, sliced, balanced];
const flavor = (name: string, nodeLabels?: Record<string, string>) => ({
  metadata: { name },
  spec: { nodeLabels },
});

describe('flavorDevices', () => {
  it('reads a class from the flavor’s nodes', () => {
    const devices = flavorDevices(
      flavor('h100', { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' }),
      nodes,
    );
    expect(devices.findings).toEqual([]);
    expect(devices.classes.map(({ deviceClass }) => deviceClass)).toEqual([
      {
        id: 'nvidia-h100-80gb-hbm3',
        title: 'NVIDIA H100 80 GB',
        vendor: 'nvidia',
        model: 'h100-80',
        form: {},
        resourceName: 'nvidia.com/gpu',
        shareNano: 1_000_000_000,
        vramMiB: 81920,
        isolation: 'hardware',
        singleUnit: false,
        goodFor: ['training', 'fine-tuning', 'whole nodes'],
      },
    ]);
  });

  it('gives a flavor with several resources several classes, or the one asked for', () => {
    const mixed = flavor('balanced', {
      'nvidia.com/mig.config': 'all-balanced',
    });
    const ids = (resource?: string) =>
      flavorDevices(mixed, nodes, resource).classes.map(
        ({ deviceClass }) => deviceClass.id,
      );
    expect(ids()).toEqual([
      'nvidia-a100-sxm4-80gb.mig-1g.10gb',
      'nvidia-a100-sxm4-80gb.mig-2g.20gb',
      'nvidia-a100-sxm4-80gb.mig-3g.40gb',
    ]);
    expect(ids('nvidia.com/mig-2g.20gb')).toEqual([
      'nvidia-a100-sxm4-80gb.mig-2g.20gb',
    ]);
  });

  it('averages the share over unlike nodes, by units', () => {
    const both = flavor('a100', {
      'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB',
    });
    const [slice] = flavorDevices(
      both,
      nodes,
      'nvidia.com/mig-1g.10gb',
    ).classes;
    // (56 × 142857142 + 16 × 133333332) ÷ 72
    expect(slice.deviceClass.shareNano).toBe(140_740_739);
    expect(slice.nodes.map(item => item.node)).toEqual(['a1', 'a2']);
  });

  it.each([
    [flavor('bare'), 'flavor-without-labels', /spec\.nodeLabels/],
    [
      flavor('gone', { 'nvidia.com/gpu.product': 'NVIDIA-H200' }),
      'flavor-matches-no-node',
      /none has nvidia\.com\/gpu\.product=NVIDIA-H200/,
    ],
  ])('explains %p', (item, code, message) => {
    const { classes, findings } = flavorDevices(item, nodes);
    expect(classes).toEqual([]);
    expect(findings).toMatchObject([{ code, name: item.metadata.name }]);
    expect(findings[0].message).toMatch(message);
  });

  it('explains a resource the flavor’s nodes do not have', () => {
    const devices = flavorDevices(
      flavor('h100', { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' }),
      nodes,
      'amd.com/gpu',
    );
    expect(devices.findings).toMatchObject([
      { code: 'flavor-without-devices' },
    ]);
  });

  it('has no class where one resource name means two', () => {
    const l40s = node(
      'l1',
      { ...product('NVIDIA-L40S'), pool: 'x' },
      { 'nvidia.com/gpu': '8' },
    );
    const other = node(
      'h2',
      { ...product('NVIDIA-H100-80GB-HBM3'), pool: 'x' },
      { 'nvidia.com/gpu': '8' },
    );
    const { classes, findings } = flavorDevices(flavor('x', { pool: 'x' }), [
      l40s,
      other,
    ]);
    expect(classes).toEqual([]);
    expect(findings[0].message).toBe(
      'ResourceFlavor x: nvidia.com/gpu is nvidia-l40s on node l1 and nvidia-h100-80gb-hbm3 on node h2; give the flavor a label that tells them apart',
    );
  });

  it('finds nodes that two flavors choose', () => {
    const found = overlapFindings([
      flavorDevices(
        flavor('a', { 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB' }),
        nodes,
      ),
      flavorDevices(
        flavor('b', { 'nvidia.com/mig.config': 'all-balanced' }),
        nodes,
      ),
    ]);
    expect(found).toMatchObject([{ code: 'flavors-overlap', name: 'a' }]);
    expect(found[0].message).toContain('a and b both match node a2');
  });
});

describe('deviceClassId', () => {
  it.each([
    ['nvidia', 'nvidia-l40s', { replicas: 4 }, 'nvidia-l40s.shared-4'],
    [
      'nvidia',
      'nvidia-l40s',
      { replicas: 4, sharing: 'mps' },
      'nvidia-l40s.mps-4',
    ],
    [
      'nvidia',
      'nvidia-a100-sxm4-80gb',
      { partition: '1g.10gb', replicas: 2, sharing: 'time-slicing' },
      'nvidia-a100-sxm4-80gb.mig-1g.10gb.shared-2',
    ],
    [
      'amd',
      'amd-instinct-mi300x',
      { partition: 'cpx_nps4' },
      'amd-instinct-mi300x.cpx_nps4',
    ],
  ] as const)('of %s %s %p is %s', (vendor, name, form, id) => {
    expect(deviceClassId({ vendor, product: name, form })).toBe(id);
  });
});

describe('isolationOf', () => {
  it.each([
    ['nvidia', {}, 'h100-80', 'hardware'],
    ['nvidia', { partition: '1g.10gb' }, 'h100-80', 'hardware'],
    ['nvidia', { replicas: 4, sharing: 'time-slicing' }, 'l40s', 'none'],
    ['nvidia', { replicas: 4, sharing: 'mps' }, 'l40s', 'memory'],
    ['nvidia', { partition: '1g.10gb', replicas: 2 }, 'h100-80', 'none'],
    ['amd', {}, 'mi300x', 'hardware'],
    ['amd', { partition: 'qpx_nps4' }, 'mi300x', 'hardware'],
    ['amd', { partition: 'cpx_nps4' }, 'mi300x', 'none'],
  ] as const)('%s %p of %s: %s', (vendor, form, model, isolation) => {
    expect(isolationOf(vendor, form, model)).toBe(isolation);
  });
});

describe('fabricOf', () => {
  it.each([
    ['h100-80', {}, 'nvlink'],
    ['gb200', {}, 'nvlink-rack'],
    ['l40s', {}, 'pcie'],
    ['mi300x', {}, 'infinity-fabric'],
    ['h100-80', { partition: '1g.10gb' }, 'none'],
    ['l40s', { replicas: 4 }, 'none'],
    ['unknown:nvidia-r200', {}, undefined],
  ])('of %s %p is %s', (model, form, fabric) => {
    expect(fabricOf({ model, form })).toBe(fabric);
  });
});
