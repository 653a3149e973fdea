import { NodeDevice, NodeDevices } from './devices';

const whole = (index: number): NodeDevice => ({
  uuid: `GPU-${index}`,
  index,
  partitions: [],
  replicas: 1,
});

describe('NodeDevices', () => {
  it('gives whole GPUs in order and takes them back', () => {
    const node = new NodeDevices([whole(0), whole(1)]);
    const first = node.pick('nvidia.com/gpu', 1)!;
    expect(first).toEqual([{ uuid: 'GPU-0', gpuIndex: 0 }]);
    node.hold(first);
    expect(node.pick('nvidia.com/gpu', 2)).toBeUndefined();
    expect(node.pick('nvidia.com/gpu', 1)![0].gpuIndex).toBe(1);
    node.release(first);
    expect(node.pick('nvidia.com/gpu', 2)).toHaveLength(2);
  });

  it('fills a partitioned GPU before opening the next', () => {
    const partitions = [
      { profile: '1g.10gb', id: 9 },
      { profile: '1g.10gb', id: 10 },
      { profile: '3g.40gb', id: 1 },
    ];
    const node = new NodeDevices([
      { ...whole(0), partitions },
      { ...whole(1), partitions },
    ]);
    node.hold([
      { uuid: 'GPU-1', gpuIndex: 1, migProfile: '1g.10gb', migId: 9 },
    ]);
    expect(node.pick('nvidia.com/mig-1g.10gb', 2)).toEqual([
      { uuid: 'GPU-1', gpuIndex: 1, migProfile: '1g.10gb', migId: 10 },
      { uuid: 'GPU-0', gpuIndex: 0, migProfile: '1g.10gb', migId: 9 },
    ]);
    expect(node.pick('nvidia.com/mig-3g.40gb', 3)).toBeUndefined();
  });

  it('spreads replicas', () => {
    const node = new NodeDevices([
      { ...whole(0), replicas: 2 },
      { ...whole(1), replicas: 2 },
    ]);
    const picked = node.pick('nvidia.com/gpu.shared', 3)!;
    expect(picked.map(one => `${one.gpuIndex}/${one.replica}`)).toEqual([
      '0/0',
      '1/0',
      '0/1',
    ]);
  });

  it('leaves other resources alone', () => {
    expect(new NodeDevices([]).pick('example.com/foo', 2)).toEqual([]);
  });
});
