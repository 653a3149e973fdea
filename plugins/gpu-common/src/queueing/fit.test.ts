import { FitQuestion, willItFit } from './fit';
import { QueueingEngine } from './queueingEngine';
import { ClusterQueueSpec } from './quotaSpec';
import { WorkloadSpec } from './workloadSpec';

const GPU = 'nvidia.com/gpu';

function queue(
  name: string,
  nominal: number,
  rest: Partial<ClusterQueueSpec> = {},
): ClusterQueueSpec {
  return {
    name,
    resourceGroups: [
      {
        coveredResources: [GPU],
        flavors: [{ name: 'h100', resources: [{ name: GPU, nominal }] }],
      },
    ],
    ...rest,
  };
}

function engineOf(...clusterQueues: ClusterQueueSpec[]) {
  return new QueueingEngine({
    clusterQueues,
    cohorts: [],
    resourceFlavors: [{ name: 'h100', nodeLabels: { model: 'h100' } }],
  });
}

function ask(
  count: number,
  rest: Partial<FitQuestion> & { requests?: Record<string, number> } = {},
): FitQuestion {
  const { requests = { [GPU]: count }, ...others } = rest;
  return {
    clusterQueue: 'q',
    priority: 0,
    podSets: [{ name: 'main', count: 1, requests }],
    ...others,
  };
}

function holding(engine: QueueingEngine, uid: string, question: FitQuestion) {
  const workload: WorkloadSpec = { uid, timestamp: 0, ...question };
  engine.add(workload);
  engine.run();
}

describe('willItFit', () => {
  it('shows quota before and after, and what is borrowed', () => {
    const engine = engineOf(
      queue('q', 4, { cohort: 'c' }),
      queue('lender', 8, { cohort: 'c' }),
    );
    holding(engine, 'running', ask(3));
    expect(willItFit(engine, ask(5))).toEqual({
      verdict: 'now',
      reason: 'fits',
      podSets: [
        {
          name: 'main',
          count: 1,
          flavors: { [GPU]: 'h100' },
          usage: { [GPU]: 5 },
        },
      ],
      quotas: [
        {
          flavor: 'h100',
          resource: GPU,
          units: 5,
          borrows: 4,
          before: {
            nominal: 4,
            subtreeQuota: 4,
            usage: 3,
            available: 9,
            potential: 12,
          },
          after: {
            nominal: 4,
            subtreeQuota: 4,
            usage: 8,
            available: 4,
            potential: 12,
          },
        },
      ],
    });
  });

  it('waits for quota in use', () => {
    const engine = engineOf(queue('q', 4));
    holding(engine, 'running', ask(3));
    expect(willItFit(engine, ask(2))).toMatchObject({
      verdict: 'later',
      reason: 'waits-for-quota',
      message:
        "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 1 more needed",
      quotas: [{ after: { available: -1 } }],
    });
  });

  it('waits behind those that would go first', () => {
    const engine = engineOf(queue('q', 4));
    engine.add({ uid: 'ahead', timestamp: 0, ...ask(3) });
    expect(willItFit(engine, ask(2))).toMatchObject({
      verdict: 'later',
      reason: 'waits-behind-others',
    });
    expect(willItFit(engine, ask(2, { priority: 1 }))).toMatchObject({
      verdict: 'now',
    });
  });

  it('waits behind the head of a StrictFIFO queue though it would fit', () => {
    const engine = engineOf(queue('q', 4, { queueingStrategy: 'StrictFIFO' }));
    holding(engine, 'running', ask(2));
    holding(engine, 'head', ask(3));
    expect(willItFit(engine, ask(1))).toMatchObject({
      verdict: 'later',
      reason: 'waits-behind-others',
    });
  });

  it.each<
    [
      string,
      Partial<FitQuestion> & { requests?: Record<string, number> },
      number,
      object,
    ]
  >([
    [
      'more than the queue could ever hold',
      {},
      5,
      {
        reason: 'exceeds-maximum',
        message:
          "couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor h100, previously considered podsets requests (0) + current podset request (5) > maximum capacity (4)",
      },
    ],
    [
      'a resource the queue does not cover',
      { requests: { 'amd.com/gpu': 1 } },
      1,
      {
        reason: 'resource-not-covered',
        message:
          "couldn't assign flavors to pod set main: resource amd.com/gpu unavailable in ClusterQueue",
      },
    ],
    [
      'a flavor nobody offers',
      {
        podSets: [
          {
            name: 'main',
            count: 1,
            requests: { [GPU]: 1 },
            nodeSelector: { model: 'a100' },
          },
        ],
      },
      1,
      {
        reason: 'no-matching-flavor',
        message:
          "couldn't assign flavors to pod set main: flavor h100 doesn't match node affinity",
      },
    ],
    [
      'a queue that does not exist',
      { clusterQueue: 'r' },
      1,
      { reason: 'queue-missing', message: "ClusterQueue r doesn't exist" },
    ],
    [
      'a namespace the queue does not serve',
      { namespaceLabels: { team: 'y' } },
      1,
      {
        reason: 'namespace-mismatch',
        message: "workload namespace doesn't match ClusterQueue selector",
      },
    ],
  ])('never: %s', (_, question, count, expected) => {
    const engine = engineOf(
      queue('q', 4, { namespaceSelector: { matchLabels: { team: 'x' } } }),
    );
    expect(willItFit(engine, ask(count, question))).toEqual({
      verdict: 'never',
      podSets: [],
      quotas: [],
      ...expected,
    });
  });

  it('waits for a stopped queue', () => {
    const engine = engineOf(queue('q', 4, { inactive: 'is stopped' }));
    expect(willItFit(engine, ask(1))).toMatchObject({
      verdict: 'later',
      reason: 'queue-stopped',
      message: 'ClusterQueue q is inactive',
      podSets: [{ flavors: { [GPU]: 'h100' } }],
    });
  });
});
