import { QueueingEngine } from './queueingEngine';
import { ClusterQueueSpec } from './quotaSpec';
import { WorkloadSpec } from './workloadSpec';

const GPU = 'nvidia.com/gpu';

function queue(
  name: string,
  quota: { cpu: number; gpu: number },
  rest: Partial<ClusterQueueSpec> = {},
): ClusterQueueSpec {
  return {
    name,
    cohort: 'all',
    resourceGroups: [
      {
        coveredResources: ['cpu', GPU],
        flavors: [
          {
            name: 'f',
            resources: [
              { name: 'cpu', nominal: quota.cpu },
              { name: GPU, nominal: quota.gpu },
            ],
          },
        ],
      },
    ],
    ...rest,
  };
}

function engineOf(...clusterQueues: ClusterQueueSpec[]): QueueingEngine {
  return new QueueingEngine({
    resourceFlavors: [{ name: 'f' }],
    cohorts: [],
    clusterQueues,
  });
}

function workload(
  uid: string,
  clusterQueue: string,
  requests: Record<string, number>,
  rest: Partial<WorkloadSpec> = {},
): WorkloadSpec {
  return {
    uid,
    clusterQueue,
    priority: 0,
    timestamp: 0,
    podSets: [{ name: 'main', count: 1, requests }],
    ...rest,
  };
}

function hold(engine: QueueingEngine, clusterQueue: string, gpus: number) {
  engine.addAdmitted(workload(`holder of ${gpus}`, clusterQueue, {}), [
    { name: 'main', count: 1, flavors: { [GPU]: 'f' }, usage: { [GPU]: gpus } },
  ]);
}

describe('admission cycle', () => {
  describe('in a queue whose quota was cut below what it uses', () => {
    // ClusterQueueSnapshot.Available is never below zero: debt is no part of what is missing.
    it('asks for no more than what is wanted', () => {
      const engine = engineOf(queue('q', { cpu: 0, gpu: 4 }));
      hold(engine, 'q', 7);
      engine.add(workload('w', 'q', { [GPU]: 2 }));
      expect(engine.run().inadmissible).toMatchObject([
        {
          message:
            "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor f, 2 more needed",
        },
      ]);
    });

    it('admits what asks for zero', () => {
      const engine = engineOf(queue('q', { cpu: 2, gpu: 4 }));
      hold(engine, 'q', 7);
      engine.add(workload('w', 'q', { cpu: 1, [GPU]: 0 }));
      expect(engine.run().admitted).toMatchObject([
        { podSets: [{ usage: { cpu: 1, [GPU]: 0 } }] },
      ]);
    });
  });

  it('orders heads by the farthest any of their resources reaches, also where another one waits', () => {
    const engine = engineOf(
      queue('q1', { cpu: 2, gpu: 4 }, { queueingStrategy: 'StrictFIFO' }),
      queue('q2', { cpu: 4, gpu: 0 }),
    );
    hold(engine, 'q2', 2);
    // Its GPUs are its own and taken; its CPUs are borrowed: height 1, as of the other.
    engine.add(workload('waits', 'q1', { cpu: 4, [GPU]: 4 }));
    engine.add(workload('first', 'q2', { [GPU]: 1 }, { priority: 1 }));
    expect(engine.run().admitted.map(({ uid }) => uid)).toEqual(['first']);
  });

  it('says of a StrictFIFO head what is missing after the others of its cycle', () => {
    const engine = engineOf(
      queue('q1', { cpu: 0, gpu: 1 }, { queueingStrategy: 'StrictFIFO' }),
      queue('q2', { cpu: 0, gpu: 4 }),
    );
    hold(engine, 'q2', 1);
    engine.add(workload('waits', 'q1', { [GPU]: 5 }));
    engine.add(workload('runs', 'q2', { [GPU]: 2 }));
    const { inadmissible } = engine.run();
    expect(inadmissible[inadmissible.length - 1].message).toMatch(
      'flavor f, 3 more needed',
    );
  });
});
