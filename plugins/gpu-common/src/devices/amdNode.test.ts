import { NodePart } from './clusterParts';
import { readNodeDevices } from './nodeDevices';

function node(
  labels: Record<string, string>,
  capacity: Record<string, string>,
): NodePart {
  return {
    metadata: { name: 'n1', labels },
    status: { capacity, allocatable: capacity },
  };
}

describe('readNodeDevices, AMD', () => {
  it.each<Record<string, string>>([
    { 'amd.com/gpu.compute-memory-partition': 'cpx_nps4' },
    { 'amd.com/compute-memory-partition': 'CPX_NPS4' },
    { 'beta.amd.com/gpu.compute-memory-partition': 'cpx_nps4' },
  ])('64 partitions are eight MI300X: %p', labels => {
    const devices = readNodeDevices(
      node(
        { 'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM', ...labels },
        { 'amd.com/gpu': '64' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, findings: [] });
    expect(devices.offers[0]).toMatchObject({
      product: 'amd-instinct-mi300x',
      model: 'mi300x',
      form: { partition: 'cpx_nps4' },
      shareNano: 125_000_000,
      vramMiB: 24576,
    });
  });

  it('whole, with the legacy labels that carry values in their keys', () => {
    const devices = readNodeDevices(
      node(
        {
          'beta.amd.com/gpu.product-name.AMD_Instinct_MI300X_OAM': '8',
          'beta.amd.com/gpu.vram.192G': '8',
        },
        { 'amd.com/gpu': '8' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 8, findings: [] });
    expect(devices.offers[0]).toMatchObject({ form: {}, vramMiB: 196608 });
  });

  it('mixed names carry the partition themselves', () => {
    const devices = readNodeDevices(
      node(
        { 'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM' },
        { 'amd.com/spx_nps1': '4', 'amd.com/cpx_nps1': '32' },
      ),
    );
    expect(devices.gpus).toBe(8);
    expect(devices.offers.map(offer => [offer.form, offer.shareNano])).toEqual([
      [{}, 1_000_000_000],
      [{ partition: 'cpx_nps1' }, 125_000_000],
    ]);
  });

  it.each([
    ['AMD_Instinct_MI300X_OAM', 'tpx_nps1', 'amd-instinct-mi300x'],
    ['AMD_Instinct_MI300X_OAM', 'cpx_nps8', 'amd-instinct-mi300x'],
    ['AMD_Instinct_MI999X', 'cpx_nps4', 'amd-instinct-mi999x'],
  ])('says that it cannot count partitions of %s in %s', (name, mode, slug) => {
    const devices = readNodeDevices(
      node(
        {
          'amd.com/gpu.product-name': name,
          'amd.com/gpu.compute-memory-partition': mode,
        },
        { 'amd.com/gpu': '24' },
      ),
    );
    expect(devices.findings.at(-1)).toMatchObject({
      code: 'profile-unknown',
      message: `Node n1: the slice ${mode} of amd.com/gpu is not a profile of ${slug} in the device table; it is counted as a whole GPU`,
    });
    expect(devices.offers[0].form).toEqual({ partition: mode });
  });
});
