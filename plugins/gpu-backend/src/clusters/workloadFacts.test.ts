import {
  evictionCount,
  gpuDemand,
  isGpuDevice,
  owningJob,
  workloadPhase,
  workloadPodSets,
} from './workloadFacts';
import {
  ADMITTED,
  admitted,
  CREATED,
  finished,
  workload,
} from './__testUtils__/objects';

const NOW = '2026-11-02T12:00:00.000Z';

describe('workloadPhase', () => {
  const evicted = (requeueAt?: string) => {
    const object = workload('1', {
      conditions: [
        ['Evicted', 'True', ADMITTED, 'AdmissionCheck'],
        ['QuotaReserved', 'False', ADMITTED, 'Pending'],
      ],
    });
    object.status.requeueState = requeueAt && { count: 1, requeueAt };
    return object;
  };

  // Finished, deleted, inactive, Admitted, QuotaReserved, Evicted with a future requeueAt, else pending.
  it.each([
    ['an empty status', workload('1'), false, 'pending'],
    ['Finished, with Admitted still true', finished('1'), false, 'succeeded'],
    ['Finished as failed', finished('1', 'Failed'), false, 'failed'],
    ['Finished and then deleted', finished('1'), true, 'succeeded'],
    ['an owner that is gone', finished('1', 'OwnerNotFound'), false, 'deleted'],
    [
      'a replaced slice',
      finished('1', 'WorkloadSliceReplaced'),
      false,
      'deleted',
    ],
    ['deleted while admitted', admitted('1'), true, 'deleted'],
    [
      'inactive while Admitted is still true',
      { ...admitted('1'), spec: { active: false } },
      false,
      'deactivated',
    ],
    ['Admitted', admitted('1'), false, 'admitted'],
    [
      'quota reserved, checks to come',
      workload('1', { conditions: [['QuotaReserved', 'True', ADMITTED]] }),
      false,
      'reserved',
    ],
    [
      'being preempted: Evicted, yet still admitted',
      workload('1', {
        admitted: true,
        conditions: [
          ['QuotaReserved', 'True', ADMITTED],
          ['Admitted', 'True', ADMITTED],
          ['Evicted', 'True', ADMITTED, 'Preempted'],
        ],
      }),
      false,
      'admitted',
    ],
    [
      'evicted until later',
      evicted('2026-11-02T12:00:01Z'),
      false,
      'backing-off',
    ],
    ['evicted until before', evicted('2026-11-02T11:59:59Z'), false, 'pending'],
    ['evicted for no time', evicted(), false, 'pending'],
  ])('%s', (_, object, deleted, phase) => {
    expect(workloadPhase(object as any, { deleted, now: NOW })).toBe(phase);
  });
});

describe('facts of a Workload', () => {
  it('adds what containers ask for; limits stand in for requests', () => {
    const object = workload('1', { gpus: 2 });
    object.spec.podSets[0].count = 3;
    object.spec.podSets[0].template.spec.containers.push({
      name: 'second',
      resources: { limits: { 'nvidia.com/gpu': '1', cpu: '500m' } },
    });
    const podSets = workloadPodSets(object);
    expect(podSets[0].requests).toEqual({
      'nvidia.com/gpu': '3',
      cpu: '1500m',
    });
    expect(gpuDemand(podSets)).toEqual({
      resource: 'nvidia.com/gpu',
      units: 9,
      flavor: undefined,
    });
  });

  it('takes the first pod set that asks for a GPU', () => {
    const object = admitted('1');
    object.spec.podSets.unshift({ name: 'driver', count: 1, template: {} });
    expect(gpuDemand(workloadPodSets(object))).toEqual({
      resource: 'nvidia.com/gpu',
      units: 2,
      flavor: 'h100',
    });
  });

  it('sums evictions and names the controlling owner', () => {
    const object = workload('1');
    object.status.schedulingStats = {
      evictions: [
        { reason: 'Preempted', count: 2 },
        { reason: 'Deactivated', count: 1 },
      ],
    };
    expect(evictionCount(object)).toBe(3);
    expect(owningJob(object)).toEqual({ name: 'job-1', uid: 'job-uid-1' });
    expect(
      owningJob({
        metadata: { name: 'by-hand', uid: 'x', creationTimestamp: CREATED },
      }),
    ).toBeUndefined();
  });

  it.each([
    ['nvidia.com/gpu', true],
    ['nvidia.com/mig-1g.10gb', true],
    ['amd.com/gpu', true],
    ['gpu.intel.com/xe_monitoring', false],
    ['nvidia.com/gpumem', false],
    ['cpu', false],
    ['example.com/foo', false],
  ])('%s counts GPUs: %s', (resource, counts) => {
    expect(isGpuDevice(resource)).toBe(counts);
  });
});
