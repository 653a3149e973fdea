import { QueueingEngine } from './queueingEngine';
import { ClusterQueueSpec, QueueingSpec, ResourceGroup } from './quotaSpec';
import { PodSetSpec, WorkloadSpec } from './workloadSpec';

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

let created = 0;

function workload(
  uid: string,
  clusterQueue: string,
  count: number,
  rest: Partial<WorkloadSpec> & { podSet?: Partial<PodSetSpec> } = {},
): WorkloadSpec {
  const { podSet, ...others } = rest;
  return {
    uid,
    clusterQueue,
    priority: 0,
    timestamp: created++,
    podSets: [
      { name: 'main', count: 1, requests: { [GPU]: count }, ...podSet },
    ],
    ...others,
  };
}

function outcome(engine: QueueingEngine) {
  const { admitted, inadmissible } = engine.run();
  return {
    admitted: admitted.map(
      ({ uid, podSets }) => `${uid}@${podSets.map(p => p.flavors[GPU])}`,
    ),
    inadmissible: Object.fromEntries(
      inadmissible.map(({ uid, message }) => [uid, message]),
    ),
  };
}

describe('queueing engine', () => {
  it('tries flavors in order', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [2], b: [4] })]));
    ['one', 'two', 'three'].forEach(uid => engine.add(workload(uid, 'q', 2)));
    expect(outcome(engine).admitted).toEqual(['one@a', 'two@b', 'three@b']);
  });

  it.each([
    [
      'too little unused, in each flavor',
      workload('w', 'q', 6),
      "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a, 2 more needed, insufficient unused quota for nvidia.com/gpu in flavor b, 4 more needed",
    ],
    [
      'never fits',
      workload('w', 'q', 9),
      "couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor a, previously considered podsets requests (0) + current podset request (9) > maximum capacity (8), insufficient quota for nvidia.com/gpu in flavor b, previously considered podsets requests (0) + current podset request (9) > maximum capacity (6)",
    ],
    [
      'written in thousands',
      workload('w', 'q', 2000),
      "couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor a, previously considered podsets requests (0) + current podset request (2k) > maximum capacity (8), insufficient quota for nvidia.com/gpu in flavor b, previously considered podsets requests (0) + current podset request (2k) > maximum capacity (6)",
    ],
    [
      'not covered',
      workload('w', 'q', 1, {
        podSet: { requests: { 'example.com/foo': 1, [GPU]: 1 } },
      }),
      "couldn't assign flavors to pod set main: resource example.com/foo unavailable in ClusterQueue",
    ],
    [
      'affinity and taint',
      workload('w', 'q', 1, { podSet: { nodeSelector: { model: 'c' } } }),
      "couldn't assign flavors to pod set main: flavor a doesn't match node affinity, untolerated taint {kf x NoSchedule <nil>} in flavor b",
    ],
  ])('explains: %s', (_, waiting, message) => {
    const engine = new QueueingEngine(
      spec([queue('q', { a: [8], b: [6] })], {
        resourceFlavors: [
          { name: 'a', nodeLabels: { model: 'a' } },
          {
            name: 'b',
            nodeLabels: { model: 'b' },
            nodeTaints:
              waiting.podSets[0].nodeSelector !== undefined
                ? [{ key: 'kf', value: 'x', effect: 'NoSchedule' }]
                : [],
          },
        ],
      }),
    );
    engine.addAdmitted(workload('held', 'q', 4), [
      { name: 'main', count: 1, flavors: { [GPU]: 'a' }, usage: { [GPU]: 4 } },
      { name: 'two', count: 1, flavors: { [GPU]: 'b' }, usage: { [GPU]: 4 } },
    ]);
    engine.add(waiting);
    expect(outcome(engine)).toEqual({
      admitted: [],
      inadmissible: { w: message },
    });
  });

  it('ignores selector keys the flavor does not define, and heeds those it does', () => {
    const engine = new QueueingEngine(
      spec([queue('q', { a: [8], b: [8] })], {
        resourceFlavors: [
          { name: 'a', nodeLabels: { model: 'a' } },
          { name: 'b', nodeLabels: { model: 'b' } },
        ],
      }),
    );
    engine.add(
      workload('x', 'q', 1, { podSet: { nodeSelector: { zone: '1' } } }),
    );
    engine.add(
      workload('y', 'q', 1, {
        podSet: {
          requiredNodeAffinity: [
            {
              matchExpressions: [
                { key: 'model', operator: 'NotIn', values: ['a'] },
                { key: 'zone', operator: 'In', values: ['1'] },
              ],
            },
          ],
        },
      }),
    );
    expect(outcome(engine).admitted).toEqual(['x@a', 'y@b']);
  });

  it('counts pod sets one after the other', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [4] })]));
    engine.add({
      ...workload('w', 'q', 0),
      podSets: [
        { name: 'driver', count: 1, requests: { [GPU]: 2 } },
        { name: 'workers', count: 3, requests: { [GPU]: 1 } },
      ],
    });
    expect(outcome(engine).inadmissible.w).toBe(
      "couldn't assign flavors to pod set workers: insufficient quota for nvidia.com/gpu in flavor a, previously considered podsets requests (2) + current podset request (3) > maximum capacity (4)",
    );
  });

  it('admits what asks for nothing, with nothing assigned', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [0] })]));
    engine.add(workload('w', 'q', 0, { podSet: { requests: {} } }));
    expect(engine.run().admitted[0].podSets).toEqual([
      { name: 'main', count: 1, flavors: {}, usage: {} },
    ]);
  });

  it('orders by priority, then age, then uid', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [3] })]));
    engine.add(workload('c', 'q', 1, { timestamp: 5 }));
    engine.add(workload('b', 'q', 1, { timestamp: 5 }));
    engine.add(workload('old', 'q', 1, { timestamp: 1 }));
    engine.add(workload('high', 'q', 1, { timestamp: 9, priority: 10 }));
    expect(outcome(engine).admitted).toEqual(['high@a', 'old@a', 'b@a']);
  });

  it('parks equals without a word of their own, and goes on with what fits', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [4] })]));
    ['big-1', 'big-2', 'big-3'].forEach(uid =>
      engine.add(workload(uid, 'q', 5)),
    );
    engine.add(workload('small', 'q', 1));
    const { admitted, inadmissible } = outcome(engine);
    expect(admitted).toEqual(['small@a']);
    expect(Object.keys(inadmissible)).toEqual(['big-1']);
    engine.add(workload('big-4', 'q', 5));
    expect(engine.cycle()).toBeUndefined();
  });

  it('lets a StrictFIFO head block those behind it', () => {
    const engine = new QueueingEngine(
      spec([queue('q', { a: [4] }, { queueingStrategy: 'StrictFIFO' })]),
    );
    engine.add(workload('first', 'q', 3));
    engine.run();
    engine.add(workload('head', 'q', 2));
    engine.add(workload('small', 'q', 1));
    const { admitted, inadmissible } = outcome(engine);
    expect(admitted).toEqual([]);
    expect(Object.keys(inadmissible)).toEqual(['head']);
    engine.remove('first');
    expect(outcome(engine).admitted).toEqual(['head@a', 'small@a']);
  });

  it('retries what is parked in the whole cohort when quota is freed', () => {
    const engine = new QueueingEngine(
      spec([
        queue('p', { a: [2] }, { cohort: 'c' }),
        queue('q', { a: [2] }, { cohort: 'c' }),
      ]),
    );
    engine.add(workload('lent', 'p', 4));
    engine.run();
    engine.add(workload('waits', 'q', 2));
    expect(outcome(engine).inadmissible.waits).toBe(
      "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a, 2 more needed",
    );
    engine.remove('lent');
    expect(outcome(engine).admitted).toEqual(['waits@a']);
  });

  it('serves those within nominal quota before those who borrow, whatever their priority', () => {
    const engine = new QueueingEngine(
      spec([
        queue('p', { a: [2] }, { cohort: 'c' }),
        queue('q', { a: [2] }, { cohort: 'c' }),
      ]),
    );
    engine.add(workload('borrower', 'p', 3, { priority: 100 }));
    engine.add(workload('owner', 'q', 2));
    const { admitted, inadmissible } = outcome(engine);
    expect(admitted).toEqual(['owner@a']);
    expect(inadmissible.borrower).toContain('insufficient unused quota');
  });

  it('says of a skipped one that it no longer fits, and tries it again', () => {
    const engine = new QueueingEngine(
      spec(
        [
          queue('p', { a: [0] }, { cohort: 'c' }),
          queue('q', { a: [0] }, { cohort: 'c' }),
        ],
        { cohorts: [{ name: 'c', resourceGroups: gpus({ a: [4] }) }] },
      ),
    );
    engine.add(workload('one', 'p', 3));
    engine.add(workload('two', 'q', 3));
    expect(engine.cycle()?.inadmissible[0].message).toBe(
      'Workload no longer fits after processing another workload',
    );
    expect(engine.cycle()?.inadmissible[0]).toMatchObject({
      uid: 'two',
      kind: 'quota',
    });
  });

  it('keeps for a waiting head what its queue is entitled to, unless it may reclaim it', () => {
    const queues = (reclaimWithinCohort: 'Never' | 'Any') => [
      queue('p', { a: [4] }, { cohort: 'c', reclaimWithinCohort }),
      queue('q', { a: [0] }, { cohort: 'c' }),
    ];
    const first = (reclaim: 'Never' | 'Any') => {
      const engine = new QueueingEngine(spec(queues(reclaim)));
      engine.add(workload('borrows', 'q', 1));
      engine.run();
      engine.add(workload('head', 'p', 4));
      engine.add(workload('other', 'q', 3));
      return engine.cycle()?.admitted.map(({ uid }) => uid);
    };
    expect(first('Never')).toEqual([]);
    expect(first('Any')).toEqual(['other']);
  });

  it('avoids borrowing when told to try the next flavor', () => {
    const build = (whenCanBorrow: 'MayStopSearch' | 'TryNextFlavor') =>
      spec([
        queue('p', { a: [1], b: [4] }, { cohort: 'c', whenCanBorrow }),
        queue('q', { a: [4], b: [0] }, { cohort: 'c' }),
      ]);
    const flavorOf = (config: QueueingSpec) => {
      const engine = new QueueingEngine(config);
      engine.add(workload('w', 'p', 2));
      return outcome(engine).admitted;
    };
    expect(flavorOf(build('MayStopSearch'))).toEqual(['w@a']);
    expect(flavorOf(build('TryNextFlavor'))).toEqual(['w@b']);
  });

  it('checks the namespace, one Workload at a time', () => {
    const engine = new QueueingEngine(
      spec([
        queue(
          'q',
          { a: [4] },
          { namespaceSelector: { matchLabels: { team: 'x' } } },
        ),
        queue('none', { a: [4] }, { namespaceSelector: null }),
      ]),
    );
    engine.add(workload('wrong', 'q', 1, { namespaceLabels: { team: 'y' } }));
    engine.add(workload('right', 'q', 1, { namespaceLabels: { team: 'x' } }));
    engine.add(workload('closed', 'none', 1, { namespaceLabels: {} }));
    const text = "workload namespace doesn't match ClusterQueue selector";
    expect(outcome(engine)).toEqual({
      admitted: ['right@a'],
      inadmissible: { wrong: text, closed: text },
    });
  });

  it('admits nothing while a queue is inactive or below a cycle', () => {
    const config = (inactive?: string) =>
      spec(
        [
          queue('q', { a: [4] }, { inactive }),
          queue('r', { a: [4] }, { cohort: 'x' }),
        ],
        {
          cohorts: [
            { name: 'x', parent: 'y' },
            { name: 'y', parent: 'x' },
          ],
        },
      );
    const engine = new QueueingEngine(config('is stopped'));
    engine.add(workload('w', 'q', 1));
    engine.add(workload('v', 'r', 1));
    expect(engine.cycle()).toBeUndefined();
    expect(engine.clusterQueueSpec('r')?.inactive).toBe(
      'Cohorts form a cycle: x -> y -> x',
    );
    engine.configure(config());
    expect(outcome(engine).admitted).toEqual(['w@a']);
  });

  it('lets Workloads wait for a queue that does not exist yet', () => {
    const engine = new QueueingEngine();
    engine.add(workload('w', 'q', 1));
    expect(engine.cycle()).toBeUndefined();
    engine.configure(spec([queue('q', { a: [4] })]));
    expect(outcome(engine).admitted).toEqual(['w@a']);
  });

  it('goes on counting a flavor that was taken off its queue', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [4], b: [4] })]));
    engine.add(workload('w', 'q', 4));
    engine.run();
    engine.configure(spec([queue('q', { b: [4] })]));
    expect(engine.quota('q', 'a', GPU)).toMatchObject({
      nominal: 0,
      usage: 4,
      available: -4,
    });
    engine.add(workload('x', 'q', 4));
    expect(outcome(engine).admitted).toEqual(['x@b']);
    engine.remove('w');
    expect(engine.quota('q', 'a', GPU)).toMatchObject({ usage: 0 });
  });

  it('gives back the quota of pods that are done', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [4] })]));
    engine.add(workload('w', 'q', 1, { podSet: { count: 4 } }));
    engine.run();
    engine.add(workload('x', 'q', 2));
    expect(outcome(engine).admitted).toEqual([]);
    engine.changeHeld('w', [
      { name: 'main', count: 2, flavors: { [GPU]: 'a' }, usage: { [GPU]: 2 } },
    ]);
    expect(outcome(engine).admitted).toEqual(['x@a']);
    expect(engine.quota('q', 'a', GPU)).toMatchObject({ usage: 4 });
  });

  it('moves a pending Workload whose priority changes', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [2] })]));
    engine.add(workload('running', 'q', 2));
    engine.run();
    const [one, two] = [workload('one', 'q', 2), workload('two', 'q', 2)];
    engine.add(one);
    engine.add(two);
    engine.run();
    engine.add({ ...two, priority: 1 });
    expect(engine.pending('q').map(({ uid }) => uid)).toEqual(['two', 'one']);
    engine.run();
    engine.remove('running');
    expect(outcome(engine).admitted).toEqual(['two@a']);
  });

  it('refuses a request beyond all counting, and goes on', () => {
    const engine = new QueueingEngine(spec([queue('q', { a: [2] })]));
    const podSet = { count: 3, requests: { [GPU]: 2 ** 52 } };
    engine.add(workload('huge', 'q', 1, { podSet }));
    engine.add(workload('small', 'q', 1));
    expect(outcome(engine)).toMatchObject({
      admitted: ['small@a'],
      inadmissible: { huge: expect.stringContaining('> maximum capacity (2)') },
    });
  });
});
