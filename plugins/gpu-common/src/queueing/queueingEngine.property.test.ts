import fc from 'fast-check';
import { willItFit } from './fit';
import { QueueingEngine } from './queueingEngine';
import { QueueingSnapshot } from './queueingSnapshot';
import { ClusterQueueSpec, QueueingSpec, ResourceGroup } from './quotaSpec';
import { WorkloadSpec } from './workloadSpec';

const GPU = 'nvidia.com/gpu';

/** A group of flavors for GPUs: name → [nominal, borrowingLimit, lendingLimit]. */
function gpus(
  flavors: Record<string, [number, number?, number?]>,
): ResourceGroup[] {
  return [
    {
      coveredResources: [GPU],
      flavors: Object.entries(flavors).map(
        ([name, [nominal, borrowingLimit, lendingLimit]]) => ({
          name,
          resources: [{ name: GPU, nominal, borrowingLimit, lendingLimit }],
        }),
      ),
    },
  ];
}

function queue(
  name: string,
  flavors: Record<string, [number, number?, number?]>,
  rest: Partial<ClusterQueueSpec> = {},
): ClusterQueueSpec {
  return { name, resourceGroups: gpus(flavors), ...rest };
}

function spec(
  clusterQueues: ClusterQueueSpec[],
  rest: Partial<QueueingSpec> = {},
): QueueingSpec {
  const names = new Set(
    clusterQueues.flatMap(({ resourceGroups }) =>
      resourceGroups.flatMap(({ flavors }) => flavors.map(f => f.name)),
    ),
  );
  return {
    clusterQueues,
    cohorts: [],
    resourceFlavors: [...names].map(name => ({ name })),
    ...rest,
  };
}

type Quota = [nominal: number, borrowing?: number, lending?: number];

describe('queueing engine, whatever comes', () => {
  const limit = fc.option(fc.nat(6), { nil: undefined });
  const queueSpec: fc.Arbitrary<
    Partial<ClusterQueueSpec> & { quota: Quota; second: Quota }
  > = fc.record({
    quota: fc.tuple(fc.nat(8), limit, limit),
    second: fc.tuple(fc.nat(8), limit, limit),
    cohort: fc.constantFrom(undefined, 'left', 'right'),
    queueingStrategy: fc.constantFrom('BestEffortFIFO', 'StrictFIFO'),
    whenCanBorrow: fc.constantFrom('MayStopSearch', 'TryNextFlavor'),
    reclaimWithinCohort: fc.constantFrom('Never', 'Any'),
  });
  const config = fc
    .tuple(fc.array(queueSpec, { minLength: 1, maxLength: 5 }), fc.nat(6))
    .map(([queues, root]) =>
      spec(
        queues.map(({ quota, second, ...rest }, i) =>
          queue(`q${i}`, { a: quota, b: second }, rest),
        ),
        {
          cohorts: [
            { name: 'left', parent: 'root' },
            { name: 'right', parent: 'root' },
            { name: 'root', resourceGroups: gpus({ a: [root] }) },
          ],
        },
      ),
    );
  const requests = fc.array(
    fc.record({
      queue: fc.nat(4),
      units: fc.integer({ min: 1, max: 8 }),
      pods: fc.integer({ min: 1, max: 2 }),
      priority: fc.nat(2),
      timestamp: fc.nat(3),
    }),
    { maxLength: 25 },
  );
  type Request = {
    queue: number;
    units: number;
    pods: number;
    priority: number;
    timestamp: number;
  };

  function workloads(config_: QueueingSpec, list: Request[]): WorkloadSpec[] {
    return list.map(({ queue: q, units, pods, ...rest }, i) => ({
      uid: `w${i}`,
      clusterQueue: `q${q % config_.clusterQueues.length}`,
      podSets: [{ name: 'main', count: pods, requests: { [GPU]: units } }],
      ...rest,
    }));
  }

  function sorted({ pending, admitted, ...rest }: QueueingSnapshot) {
    const byUid = (list: Array<{ workload: WorkloadSpec }>) =>
      [...list].sort((a, b) => (a.workload.uid < b.workload.uid ? -1 : 1));
    return { ...rest, pending: byUid(pending), admitted: byUid(admitted) };
  }

  function lines(engine: QueueingEngine) {
    return engine.configuration.clusterQueues.flatMap(({ name }) =>
      ['a', 'b'].map(flavor => engine.quota(name, flavor, GPU)),
    );
  }

  it('never uses more than a node may hold, and comes back to where it was', () => {
    fc.assert(
      fc.property(config, requests, (config_, list) => {
        const engine = new QueueingEngine(config_);
        const before = lines(engine);
        workloads(config_, list).forEach(each => engine.add(each));
        const { admitted } = engine.run();
        for (const line of lines(engine)) {
          expect(line?.usage).toBeLessThanOrEqual(line?.potential as number);
          expect(line?.available).toBeLessThanOrEqual(
            line?.potential as number,
          );
        }
        for (const cohort of ['left', 'right', 'root']) {
          const line = engine.cohortQuota(cohort, 'a', GPU);
          expect(line?.usage ?? 0).toBeLessThanOrEqual(line?.potential ?? 0);
        }
        admitted.forEach(({ uid }) => engine.remove(uid));
        expect(lines(engine)).toEqual(before);
      }),
    );
  });

  it('decides the same whatever the order of arrival', () => {
    fc.assert(
      fc.property(
        config,
        requests,
        fc.infiniteStream(fc.nat()),
        (c, list, random) => {
          const decide = (all: WorkloadSpec[]) => {
            const engine = new QueueingEngine(c);
            all.forEach(each => engine.add(each));
            return engine.run();
          };
          const all = workloads(c, list);
          const keys = all.map(() => random.next().value);
          const shuffled = all
            .map((each, i) => ({ each, key: keys[i] }))
            .sort((a, b) => a.key - b.key)
            .map(({ each }) => each);
          const texts = (result: ReturnType<typeof decide>) =>
            result.admitted.map(each => JSON.stringify(each)).sort();
          expect(texts(decide(shuffled))).toEqual(texts(decide(all)));
        },
      ),
    );
  });

  it('answers now exactly for what the next cycles admit, and never for what an idle cluster refuses', () => {
    fc.assert(
      fc.property(config, requests, requests, (c, list, questions) => {
        const engine = new QueueingEngine(c);
        workloads(c, list).forEach(each => engine.add(each));
        for (const [i, each] of workloads(c, questions).entries()) {
          const snapshot = engine.snapshot();
          const answer = willItFit(engine, each);
          expect(sorted(engine.snapshot())).toEqual(sorted(snapshot));

          const trial = QueueingEngine.restore(snapshot);
          trial.add({ ...each, uid: '~asked' });
          const admits = trial.run().admitted.some(a => a.uid === '~asked');
          expect(answer.verdict === 'now').toBe(admits);

          const idle = new QueueingEngine(c);
          idle.add({ ...each, uid: '~asked' });
          const couldRun = idle.run().admitted.length === 1;
          expect(answer.verdict === 'never').toBe(!couldRun);
          if (i % 2) engine.run();
        }
      }),
    );
  });

  it('goes on from a snapshot as it would have gone on', () => {
    fc.assert(
      fc.property(config, requests, requests, (c, list, later) => {
        const engine = new QueueingEngine(c);
        workloads(c, list).forEach(each => engine.add(each));
        engine.run();
        const restored = QueueingEngine.restore(
          JSON.parse(JSON.stringify(engine.snapshot())),
        );
        const more = workloads(c, later).map(each => ({
          ...each,
          uid: `later-${each.uid}`,
        }));
        const go = (each: QueueingEngine) => {
          more.forEach(w => each.add(w));
          const { admitted } = each.run();
          return admitted.map(({ uid }) => uid).sort();
        };
        expect(go(restored)).toEqual(go(engine));
      }),
    );
  });
});
