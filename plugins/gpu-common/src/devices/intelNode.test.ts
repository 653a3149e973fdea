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

describe('readNodeDevices, Intel', () => {
  it('shares a GPU among as many pods as it is advertised for', () => {
    const devices = readNodeDevices(
      node(
        {
          'gpu.intel.com/product': 'Max_1550',
          'gpu.intel.com/device.count': '2',
        },
        { 'gpu.intel.com/xe': '8', 'gpu.intel.com/xe_monitoring': '1' },
      ),
    );
    expect(devices).toMatchObject({ gpus: 2, findings: [] });
    expect(devices.offers).toHaveLength(1);
    expect(devices.offers[0]).toMatchObject({
      model: 'max-1550',
      form: { replicas: 4, sharing: 'time-slicing' },
      shareNano: 250_000_000,
      vramMiB: 32768,
    });
  });

  it('sums the counts per PCI device where there is no total', () => {
    const devices = readNodeDevices(
      node(
        { 'gpu.intel.com/device-id.0380-56c0.count': '4' },
        { 'gpu.intel.com/i915': '4' },
      ),
    );
    expect(devices).toMatchObject({
      gpus: 4,
      findings: [{ code: 'labels-missing' }],
    });
  });
});
