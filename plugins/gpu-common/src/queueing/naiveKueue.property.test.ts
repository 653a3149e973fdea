import fc from 'fast-check';
import { NaiveKueue } from './__testUtils__/naiveKueue';
import { QueueingEngine } from './queueingEngine';
import { QueueingSpec, ResourceGroup } from './quotaSpec';
import { PodSetAssignment, WorkloadSpec } from './workloadSpec';

const GPU = 'nvidia.com/gpu';
const limit = fc.option(fc.nat(5), { nil: undefined });
const quota = fc.record({
  nominal: fc.nat(6),
  borrowingLimit: limit,
  lendingLimit: limit,
});

/** GPUs with CPUs on two flavors, pods on a third. */
const groups = fc
  .tuple(quota, quota, quota, quota, quota, fc.boolean())
  .map(([gpuA, cpuA, gpuB, cpuB, pods, countsPods]): ResourceGroup[] => {
    const flavor = (name: string, gpu: typeof gpuA, cpu: typeof gpuA) => ({
      name,
      resources: [
        { name: 'cpu', ...cpu },
        { name: GPU, ...gpu },
      ],
    });
    const devices = {
      coveredResources: ['cpu', GPU],
      flavors: [flavor('a', gpuA, cpuA), flavor('b', gpuB, cpuB)],
    };
    const counts = {
      coveredResources: ['pods'],
      flavors: [{ name: 'any', resources: [{ name: 'pods', ...pods }] }],
    };
    return countsPods ? [devices, counts] : [devices];
  });

const config: fc.Arbitrary<QueueingSpec> = fc
  .record({
    queues: fc.array(
      fc.record({
        resourceGroups: groups,
        cohort: fc.constantFrom(undefined, 'left', 'right', 'root'),
        queueingStrategy: fc.constantFrom('BestEffortFIFO', 'StrictFIFO'),
        whenCanBorrow: fc.constantFrom('MayStopSearch', 'TryNextFlavor'),
        reclaimWithinCohort: fc.constantFrom('Never', 'Any'),
      } as const),
      { minLength: 1, maxLength: 4 },
    ),
    left: groups,
    root: groups,
  })
  .map(({ queues, left, root }) => ({
    resourceFlavors: ['a', 'b', 'any'].map(name => ({ name })),
    cohorts: [
      { name: 'left', parent: 'root', resourceGroups: left },
      { name: 'right', parent: 'root' },
      { name: 'root', resourceGroups: root },
    ],
    clusterQueues: queues.map((each, i) => ({ name: `q${i}`, ...each })),
  }));

const podSet = fc.record({
  count: fc.integer({ min: 1, max: 2 }),
  requests: fc.record(
    { [GPU]: fc.nat(4), cpu: fc.nat(4), 'example.com/other': fc.nat(1) },
    { requiredKeys: [] },
  ),
});
const requests = fc.array(
  fc.record({
    queue: fc.nat(3),
    podSets: fc.array(podSet, { minLength: 1, maxLength: 2 }),
    priority: fc.nat(1),
    timestamp: fc.nat(3),
  }),
  { maxLength: 8 },
);
/** What already runs, more than quota allows now and then. */
const held = fc.array(
  fc.record({
    queue: fc.nat(3),
    flavor: fc.constantFrom('a', 'b'),
    gpus: fc.nat(6),
  }),
  { maxLength: 3 },
);

describe('queueing engine beside the formulas', () => {
  it('admits the same, on the same flavors', () => {
    fc.assert(
      fc.property(config, held, requests, (spec, running, list) => {
        const at = (n: number) => `q${n % spec.clusterQueues.length}`;
        const engine = new QueueingEngine(spec);
        const naive = new NaiveKueue(spec);
        running.forEach(({ queue, flavor, gpus }, i) => {
          const podSets: PodSetAssignment[] = [
            {
              name: 'main',
              count: 1,
              flavors: { [GPU]: flavor },
              usage: { [GPU]: gpus },
            },
          ];
          const workload = { uid: `held${i}`, clusterQueue: at(queue) };
          engine.addAdmitted(
            { ...workload, priority: 0, timestamp: 0, podSets: [] },
            podSets,
          );
          naive.hold(at(queue), podSets);
        });
        const workloads: WorkloadSpec[] = list.map(
          ({ queue, podSets, ...rest }, i) => ({
            uid: `w${i}`,
            clusterQueue: at(queue),
            podSets: podSets.map((each, n) => ({ name: `p${n}`, ...each })),
            ...rest,
          }),
        );
        workloads.forEach(each => engine.add(each));
        const got = new Map(
          engine.run().admitted.map(({ uid, podSets }) => [uid, podSets]),
        );
        const byUid = (map: Map<string, PodSetAssignment[]>) =>
          Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
        expect(byUid(got)).toEqual(byUid(naive.run(workloads).admitted));
      }),
      { numRuns: 1500 },
    );
  });
});
