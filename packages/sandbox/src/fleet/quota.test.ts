import fc from 'fast-check';
import { layouts } from './layouts';
import { layoutQuota, splitQuota } from './quota';
import { teams } from './teams';

const layout = (name: string) => layouts.find(entry => entry.name === name)!;

describe('splitQuota', () => {
  it('rounds each team down and leaves the rest at the root', () => {
    // Half of 10 is 5; weights 1, 2, 4 of 7: 0.71, 1.43, 2.86.
    expect(
      splitQuota(10, [
        { name: 'a', weight: 1 },
        { name: 'b', weight: 2 },
        { name: 'c', weight: 4 },
      ]),
    ).toEqual({ nominal: { a: 0, b: 1, c: 2 }, root: 7 });
  });

  // Weights of the fleet add to 85. By weight 1, 2, 4 a team gets
  // floor(pool·w / 170); fifteen, fifteen and ten teams have these weights.
  it.each([
    ['h100', 'spoke-a', 'nvidia.com/gpu', [0, 1, 3], 128 - 45],
    ['a100-mig-1g', 'spoke-a', 'nvidia.com/mig-1g.10gb', [1, 3, 7], 336 - 130],
    ['a100-mig-3g', 'spoke-b', 'nvidia.com/mig-3g.40gb', [0, 0, 1], 64 - 10],
    ['a100-mig-balanced', 'spoke-b', 'nvidia.com/mig-1g.10gb', [0, 0, 1], 54],
    ['a100-mig-balanced', 'spoke-b', 'nvidia.com/mig-2g.20gb', [0, 0, 0], 32],
    ['a100-mig-balanced', 'spoke-b', 'nvidia.com/mig-3g.40gb', [0, 0, 0], 32],
    ['l40s-shared', 'spoke-b', 'nvidia.com/gpu.shared', [3, 6, 12], 512 - 255],
  ] as const)('%s on %s: %s', (name, cluster, resource, byWeight, root) => {
    const split = layoutQuota(layout(name), cluster, teams)[resource];
    expect(split.root).toBe(root);
    expect([
      split.nominal['team-01'],
      split.nominal['team-04'],
      split.nominal['team-07'],
    ]).toEqual(byWeight);
  });

  it('never gives out more or less than the pool, nor more than half by weight', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.array(fc.integer({ min: 1, max: 50 }), {
          minLength: 1,
          maxLength: 60,
        }),
        (pool, weights) => {
          const members = weights.map((weight, index) => ({
            name: `t${index}`,
            weight,
          }));
          const { nominal, root } = splitQuota(pool, members);
          const given = Object.values(nominal).reduce((a, b) => a + b, 0);
          expect(given + root).toBe(pool);
          expect(given).toBeLessThanOrEqual(pool / 2);
          expect(Math.min(...Object.values(nominal))).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
