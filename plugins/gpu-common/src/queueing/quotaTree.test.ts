import fc from 'fast-check';
import { QuotaTree } from './quotaTree';
import { ClusterQueueSpec, CohortSpec, ResourceQuota } from './quotaSpec';

const GPU = 'nvidia.com/gpu';

function group(quota: Omit<ResourceQuota, 'name'>, flavor = 'f') {
  return [
    {
      coveredResources: [GPU],
      flavors: [{ name: flavor, resources: [{ name: GPU, ...quota }] }],
    },
  ];
}

function queue(
  name: string,
  cohort: string | undefined,
  quota: Omit<ResourceQuota, 'name'>,
): ClusterQueueSpec {
  return { name, cohort, resourceGroups: group(quota) };
}

function treeOf(queues: ClusterQueueSpec[], cohorts: CohortSpec[] = []) {
  const tree = new QuotaTree(queues, cohorts);
  const node = (name: string) =>
    tree.clusterQueue(name) ?? (tree.cohort(name) as number);
  return {
    tree,
    line: (name: string) =>
      tree.line(node(name), tree.pair(node(name), 'f', GPU) as number),
    use: (name: string, amount: number) =>
      tree.addUsage(
        node(name),
        tree.pair(node(name), 'f', GPU) as number,
        amount,
      ),
  };
}

describe('quota tree', () => {
  it('gives a queue without cohort its nominal quota and nothing else', () => {
    const { line, use } = treeOf([
      queue('a', undefined, { nominal: 8, lendingLimit: 2 }),
    ]);
    use('a', 3);
    expect(line('a')).toEqual({
      nominal: 8,
      lendingLimit: 2,
      subtreeQuota: 8,
      usage: 3,
      available: 5,
      potential: 8,
    });
  });

  it('shares a flat cohort that no Cohort object declares', () => {
    const { line, use } = treeOf([
      queue('a', 'c', { nominal: 8 }),
      queue('b', 'c', { nominal: 4 }),
    ]);
    expect(line('a')).toMatchObject({ available: 12, potential: 12 });
    use('b', 10);
    expect(line('a')).toMatchObject({ available: 2, potential: 12 });
    expect(line('c')).toMatchObject({
      nominal: 0,
      subtreeQuota: 12,
      usage: 10,
    });
  });

  it('adds the quota of a Cohort on top of its children', () => {
    const { line } = treeOf(
      [queue('a', 'c', { nominal: 8 })],
      [{ name: 'c', resourceGroups: group({ nominal: 5 }) }],
    );
    expect(line('c')).toMatchObject({ subtreeQuota: 13 });
    expect(line('a')).toMatchObject({ available: 13, potential: 13 });
  });

  it('keeps from the cohort what a lending limit withholds', () => {
    const { line, use } = treeOf([
      queue('a', 'c', { nominal: 8, lendingLimit: 3 }),
      queue('b', 'c', { nominal: 4 }),
    ]);
    // a keeps 5, lends 3: the cohort holds 3 + 4.
    expect(line('c')).toMatchObject({ subtreeQuota: 7 });
    expect(line('b')).toMatchObject({ available: 7, potential: 7 });
    expect(line('a')).toMatchObject({ available: 12, potential: 12 });
    use('a', 6); // 5 of its own, 1 from the cohort
    expect(line('c')).toMatchObject({ usage: 1 });
    expect(line('b')).toMatchObject({ available: 6 });
    use('b', 6);
    expect(line('a')).toMatchObject({ available: 0 });
  });

  it('lends nothing at a lending limit of zero', () => {
    const { line } = treeOf([
      queue('a', 'c', { nominal: 8, lendingLimit: 0 }),
      queue('b', 'c', { nominal: 4 }),
    ]);
    expect(line('b')).toMatchObject({ potential: 4 });
    expect(line('a')).toMatchObject({ potential: 12 });
  });

  it('caps what is borrowed at the borrowing limit', () => {
    const { line, use } = treeOf([
      queue('a', 'c', { nominal: 2, borrowingLimit: 3 }),
      queue('b', 'c', { nominal: 10 }),
    ]);
    expect(line('a')).toMatchObject({ available: 5, potential: 5 });
    use('a', 4);
    expect(line('a')).toMatchObject({ available: 1, potential: 5 });
    expect(line('b')).toMatchObject({ available: 8 });
  });

  it('walks cohorts of cohorts', () => {
    const { line, use } = treeOf(
      [
        queue('a', 'left', { nominal: 4 }),
        queue('b', 'right', { nominal: 6 }),
        queue('c', 'right', { nominal: 2, borrowingLimit: 1 }),
      ],
      [
        { name: 'root', resourceGroups: group({ nominal: 10 }) },
        {
          name: 'left',
          parent: 'root',
          resourceGroups: group({ nominal: 0, borrowingLimit: 5 }),
        },
        {
          name: 'right',
          parent: 'root',
          resourceGroups: group({ nominal: 1, lendingLimit: 3 }),
        },
      ],
    );
    // right: 6 + 2 + 1 = 9, lends 3, keeps 6. root: 10 + 4 + 3 = 17.
    expect(line('right')).toMatchObject({ subtreeQuota: 9, potential: 23 });
    expect(line('root')).toMatchObject({ subtreeQuota: 17, potential: 17 });
    // left may have 4 + 5 of the 17.
    expect(line('left')).toMatchObject({ potential: 9 });
    expect(line('a')).toMatchObject({ potential: 9, available: 9 });
    expect(line('b')).toMatchObject({ potential: 23 });
    expect(line('c')).toMatchObject({ potential: 3 });
    use('b', 8); // 6 kept by right, 2 from root
    expect(line('root')).toMatchObject({ usage: 2 });
    expect(line('b')).toMatchObject({ available: 15 });
    expect(line('a')).toMatchObject({ available: 9 });
    use('a', 9);
    expect(line('a')).toMatchObject({ available: 0 });
    expect(line('root')).toMatchObject({ usage: 11, available: 6 });
  });

  it('goes below zero when quota is cut under what is used', () => {
    const { line, use } = treeOf([queue('a', undefined, { nominal: 2 })]);
    use('a', 5);
    expect(line('a')).toMatchObject({ available: -3, potential: 2 });
  });

  it('says how far up a request must borrow', () => {
    const { tree } = treeOf(
      [queue('a', 'left', { nominal: 4 }), queue('b', 'left', { nominal: 4 })],
      [
        { name: 'left', parent: 'root' },
        { name: 'root', resourceGroups: group({ nominal: 10 }) },
      ],
    );
    const pair = tree.pair(0, 'f', GPU) as number;
    expect(tree.borrowingHeight(0, pair, 4)).toEqual({
      height: 0,
      reclaimable: true,
    });
    expect(tree.borrowingHeight(0, pair, 8)).toEqual({
      height: 1,
      reclaimable: true,
    });
    expect(tree.borrowingHeight(0, pair, 9)).toEqual({
      height: 2,
      reclaimable: false,
    });
  });

  it('refuses a cycle of cohorts by name', () => {
    expect(
      () =>
        new QuotaTree(
          [],
          [
            { name: 'x', parent: 'y' },
            { name: 'y', parent: 'z' },
            { name: 'z', parent: 'x' },
          ],
        ),
    ).toThrow('Cohorts form a cycle: x -> y -> z -> x');
  });

  it('counts no further than it can count exactly', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const { line, use } = treeOf([
      queue('a', 'c', { nominal: 2 ** 53, borrowingLimit: 2 ** 53 }),
      queue('b', 'c', { nominal: 1 }),
    ]);
    expect(line('a')).toMatchObject({
      nominal: most,
      subtreeQuota: most,
      potential: most,
    });
    use('b', 7);
    expect(line('b')).toMatchObject({ usage: 7, available: most - 7 });
    expect(line('c')).toMatchObject({ subtreeQuota: most, usage: 7 });
  });

  it('holds its invariants whatever is taken and given back', () => {
    const limit = fc.option(fc.nat(10), { nil: undefined });
    const quota = fc.record({
      nominal: fc.nat(10),
      borrowingLimit: limit,
      lendingLimit: limit,
    });
    const shape = fc.record({
      cohorts: fc.array(quota, { minLength: 1, maxLength: 4 }),
      queues: fc.array(fc.tuple(quota, fc.nat(3)), {
        minLength: 1,
        maxLength: 6,
      }),
      requests: fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 6 })), {
        maxLength: 30,
      }),
    });
    fc.assert(
      fc.property(shape, ({ cohorts, queues, requests }) => {
        const { tree, line } = treeOf(
          queues.map(([each, cohort], i) =>
            queue(`q${i}`, `c${cohort % cohorts.length}`, each),
          ),
          cohorts.map((each, i) => ({
            name: `c${i}`,
            // A chain: each below the one before it.
            parent: i > 0 ? `c${i - 1}` : undefined,
            resourceGroups: group(each),
          })),
        );
        const names = [
          ...queues.map((_, i) => `q${i}`),
          ...cohorts.map((_, i) => `c${i}`),
        ];
        const before = names.map(line);
        const taken: Array<[number, number]> = [];
        for (const [i, amount] of requests) {
          const node = i % queues.length;
          const pair = tree.pair(node, 'f', GPU) as number;
          if (tree.available(node, pair) >= amount) {
            tree.addUsage(node, pair, amount);
            taken.push([node, amount]);
          }
          for (const name of names) {
            const { usage, available, potential } = line(name);
            expect(usage).toBeLessThanOrEqual(potential);
            expect(available).toBeLessThanOrEqual(potential);
            expect(available).toBeGreaterThanOrEqual(0);
          }
        }
        for (const [node, amount] of taken) {
          tree.removeUsage(node, tree.pair(node, 'f', GPU) as number, amount);
        }
        expect(names.map(line)).toEqual(before);
      }),
    );
  });
});
