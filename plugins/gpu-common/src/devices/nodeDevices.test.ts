import fc from 'fast-check';
import { NodePart } from './clusterParts';
import { readNodeDevices } from './nodeDevices';

function node(
  labels: Record<string, string>,
  capacity: Record<string, string>,
  more: Partial<NodePart> = {},
): NodePart {
  return {
    metadata: { name: 'n1', labels },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [{ type: 'Ready', status: 'True' }],
    },
    ...more,
  };
}
const nvidia = (labels: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [`nvidia.com/${key}`, value]),
  );

describe('readNodeDevices: NVIDIA', () => {
  it('whole GPUs', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-H100-80GB-HBM3',
          'gpu.count': '8',
          'gpu.memory': '81559',
          'gpu.replicas': '1',
          'gpu.sharing-strategy': 'none',
          'mig.strategy': 'mixed',
        }),
        { 'nvidia.com/gpu': '8', cpu: '256' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, alive: true, findings: [] });
    expect(devices.offers).toEqual([
      {
        resourceName: 'nvidia.com/gpu',
        vendor: 'nvidia',
        product: 'nvidia-h100-80gb-hbm3',
        model: 'h100-80',
        form: {},
        capacity: 8,
        allocatable: 8,
        shareNano: 1_000_000_000,
        vramMiB: 81559,
      },
    ]);
  });

  it.each([
    ['nvidia.com/gpu', 'NVIDIA-L40S-SHARED'],
    ['nvidia.com/gpu.shared', 'NVIDIA-L40S'],
  ])('time-slicing as %s', (resource, product) => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': product,
          'gpu.count': '8',
          'gpu.memory': '46068',
          'gpu.replicas': '4',
          'gpu.sharing-strategy': 'time-slicing',
        }),
        { [resource]: '32' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, findings: [] });
    expect(devices.offers[0]).toMatchObject({
      product: 'nvidia-l40s',
      model: 'l40s',
      form: { replicas: 4, sharing: 'time-slicing' },
      shareNano: 250_000_000,
      vramMiB: 11517,
    });
  });

  it('MPS', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A30-SHARED',
          'gpu.count': '1',
          'gpu.replicas': '10',
          'gpu.sharing-strategy': 'mps',
        }),
        { 'nvidia.com/gpu': '10' },
      ),
    );
    expect(devices.offers[0].form).toEqual({ replicas: 10, sharing: 'mps' });
  });

  it('MIG strategy single: gpu.count is slices', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A100-SXM4-80GB-MIG-1g.10gb',
          'gpu.count': '56',
          'gpu.memory': '9728',
          'mig.strategy': 'single',
        }),
        { 'nvidia.com/gpu': '56' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, findings: [] });
    expect(devices.offers[0]).toMatchObject({
      product: 'nvidia-a100-sxm4-80gb',
      form: { partition: '1g.10gb' },
      shareNano: 142_857_142,
      vramMiB: 9728,
    });
  });

  it('MIG strategy single, shared: both suffixes are stripped from the right', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A100-SXM4-80GB-MIG-3g.40gb-SHARED',
          'gpu.count': '16',
          'gpu.replicas': '2',
          'gpu.sharing-strategy': 'time-slicing',
          'mig.strategy': 'single',
        }),
        { 'nvidia.com/gpu': '32' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, findings: [] });
    expect(devices.offers[0]).toMatchObject({
      product: 'nvidia-a100-sxm4-80gb',
      form: { partition: '3g.40gb', replicas: 2, sharing: 'time-slicing' },
      shareNano: 250_000_000,
      // No memory label: half of half of 80 GiB.
      vramMiB: 20480,
    });
  });

  it('compute instances are named, not passed over', () => {
    const mixed = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A100-SXM4-80GB',
          'gpu.count': '8',
          'mig.strategy': 'mixed',
        }),
        { 'nvidia.com/gpu': '7', 'nvidia.com/mig-1c.3g.40gb': '3' },
      ),
    );
    expect(mixed.findings).toMatchObject([
      { code: 'labels-disagree' },
      {
        code: 'resource-unknown',
        message: expect.stringContaining('offers 3 nvidia.com/mig-1c.3g.40gb'),
      },
    ]);
    const single = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A100-SXM4-80GB-MIG-1c.3g.40gb',
          'gpu.count': '6',
        }),
        { 'nvidia.com/gpu': '6' },
      ),
    );
    expect(single.findings).toMatchObject([
      {
        code: 'profile-unknown',
        message: expect.stringContaining('"1c.3g.40gb" of its label'),
      },
    ]);
  });

  it('MIG strategy mixed, balanced: normalised to the GPUs of the node', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A100-SXM4-80GB',
          'gpu.count': '8',
          'gpu.memory': '81920',
          'mig.strategy': 'mixed',
          'mig-1g.10gb.count': '16',
          'mig-1g.10gb.memory': '9728',
          'mig-2g.20gb.count': '8',
          'mig-3g.40gb.count': '8',
        }),
        {
          'nvidia.com/gpu': '0',
          'nvidia.com/mig-1g.10gb': '16',
          'nvidia.com/mig-2g.20gb': '8',
          'nvidia.com/mig-3g.40gb': '8',
        },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, findings: [] });
    expect(
      devices.offers.map(({ form, shareNano, vramMiB }) => [
        form.partition,
        shareNano,
        vramMiB,
      ]),
    ).toEqual([
      ['1g.10gb', 133_333_332, 9728],
      ['2g.20gb', 266_666_666, 20480],
      ['3g.40gb', 466_666_667, 40960],
    ]);
  });

  it('MIG mixed beside whole GPUs, and shared MIG slices', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-H100-80GB-HBM3',
          'gpu.count': '4',
          'mig.strategy': 'mixed',
          'mig-1g.10gb.count': '14',
          'mig-1g.10gb.replicas': '2',
          'mig-1g.10gb.sharing-strategy': 'time-slicing',
        }),
        { 'nvidia.com/gpu': '2', 'nvidia.com/mig-1g.10gb.shared': '28' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 4, findings: [] });
    expect(devices.offers.map(offer => offer.shareNano)).toEqual([
      1_000_000_000, 71_428_571,
    ]);
    expect(devices.offers[1].form).toEqual({
      partition: '1g.10gb',
      replicas: 2,
      sharing: 'time-slicing',
    });
  });

  it('labels that disagree with capacity are named together, capacity is used', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-L40S',
          'gpu.count': '8',
          'gpu.replicas': '4',
          'gpu.sharing-strategy': 'time-slicing',
        }),
        { 'nvidia.com/gpu.shared': '30' },
      ),
    );
    expect(devices.offers[0].capacity).toBe(30);
    expect(devices.findings).toEqual([
      {
        code: 'labels-disagree',
        kind: 'Node',
        name: 'n1',
        message:
          'Node n1: label nvidia.com/gpu.count says 8 × 4 replicas, capacity says 30 nvidia.com/gpu.shared; capacity is used',
      },
    ]);
  });

  it('without labels it still counts, and says what is missing', () => {
    const devices = readNodeDevices(
      node({}, { 'nvidia.com/gpu': '4', 'nvidia.com/mig-1g.10gb': '7' }),
    );
    expect(devices.gpus).toBe(11);
    expect(devices.findings[0]).toMatchObject({ code: 'labels-missing' });
    expect(devices.findings[0].message).toContain('nvidia.com/gpu.product');
    expect(devices.offers[0]).toMatchObject({
      product: 'nvidia-gpu',
      model: 'unknown:nvidia-gpu',
      vramMiB: 0,
    });
  });

  it('a model the table lacks is taken at its labels’ word', () => {
    const devices = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-R200',
          'gpu.count': '4',
          'gpu.memory': '294912',
        }),
        { 'nvidia.com/gpu': '4' },
      ),
    );
    expect(devices.offers[0]).toMatchObject({
      model: 'unknown:nvidia-r200',
      vramMiB: 294912,
      shareNano: 1_000_000_000,
    });
    expect(devices.findings).toMatchObject([{ code: 'model-unknown' }]);
  });

  it('uneven slices under single, and a profile the model lacks, are findings', () => {
    const uneven = readNodeDevices(
      node(
        nvidia({
          'gpu.product': 'NVIDIA-A100-SXM4-80GB-MIG-1g.10gb',
          'gpu.count': '13',
        }),
        { 'nvidia.com/gpu': '13' },
      ),
    );
    expect(uneven.gpus).toBe(2);
    expect(uneven.findings).toMatchObject([{ code: 'layout-uneven' }]);
    const odd = readNodeDevices(
      node(nvidia({ 'gpu.product': 'NVIDIA-L40S', 'gpu.count': '1' }), {
        'nvidia.com/mig-1g.10gb': '1',
      }),
    );
    expect(odd.findings).toMatchObject([{ code: 'profile-unknown' }]);
  });
});

describe('readNodeDevices: any node', () => {
  it('is not alive without Ready, not schedulable when cordoned', () => {
    expect(readNodeDevices({ metadata: { name: 'x' } })).toEqual({
      node: 'x',
      labels: {},
      alive: false,
      schedulable: false,
      gpus: 0,
      offers: [],
      findings: [],
    });
    const cordoned = node({}, {}, { spec: { unschedulable: true } });
    expect(readNodeDevices(cordoned)).toMatchObject({
      alive: true,
      schedulable: false,
    });
  });

  it('never throws, and never offers more than its GPUs', () => {
    const key = fc.oneof(
      fc.constantFrom(
        'nvidia.com/gpu.product',
        'nvidia.com/gpu.count',
        'nvidia.com/gpu.memory',
        'nvidia.com/gpu.replicas',
        'nvidia.com/gpu.sharing-strategy',
        'nvidia.com/mig.strategy',
        'nvidia.com/mig-1g.10gb.count',
        'amd.com/gpu.product-name',
        'amd.com/compute-memory-partition',
        'beta.amd.com/gpu.vram.192G',
        'gpu.intel.com/device.count',
        'gpu.intel.com/product',
      ),
      fc.string(),
    );
    const value = fc.oneof(
      fc.constantFrom(
        'NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED',
        'NVIDIA-H100-80GB-HBM3',
        'AMD_Instinct_MI300X_OAM',
        'cpx_nps4',
        'single',
        'mixed',
        'mps',
        '0',
        '8',
        '-1',
        'Max_1550',
      ),
      fc.string(),
    );
    const resource = fc.constantFrom(
      'nvidia.com/gpu',
      'nvidia.com/gpu.shared',
      'nvidia.com/mig-1g.10gb',
      'nvidia.com/mig-4g.40gb',
      'nvidia.com/mig-9g.1gb',
      'amd.com/gpu',
      'amd.com/cpx_nps1',
      'gpu.intel.com/xe',
    );
    const quantity = fc.oneof(
      fc.nat({ max: 64 }).map(String),
      fc.constantFrom('', 'x', '-3', '1k', '500m'),
    );
    fc.assert(
      fc.property(
        fc.dictionary(key, value),
        fc.dictionary(resource, quantity),
        (labels, capacity) => {
          const devices = readNodeDevices(node(labels, capacity));
          const total = devices.offers.reduce(
            (sum, offer) => sum + offer.shareNano * offer.capacity,
            0,
          );
          expect(total).toBeLessThanOrEqual(devices.gpus * 1e9);
          expect(Number.isInteger(devices.gpus)).toBe(true);
        },
      ),
    );
  });
});
