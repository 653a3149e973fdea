import fc from 'fast-check';
import { apportion } from './apportion';

describe('apportion', () => {
  it.each<[bigint, bigint[], bigint[]]>([
    // 100 by thirds: 33⅓ each, the first of equal remainders gets the odd one.
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    // 10 × 5/8, 2/8, 1/8 = 6.25, 2.5, 1.25: the one left goes to the largest remainder.
    [10n, [5n, 2n, 1n], [6n, 3n, 1n]],
    [7n, [0n, 1n], [0n, 7n]],
    [0n, [3n, 4n], [0n, 0n]],
    [0n, [0n, 0n], [0n, 0n]],
    [0n, [], []],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n]],
  ])('divides %p by %p', (total, weights, parts) => {
    expect(apportion(total, weights)).toEqual(parts);
  });

  it('refuses a negative weight, and an amount nobody can take', () => {
    expect(() => apportion(1n, [1n, -2n])).toThrow('Weight 1 is -2');
    expect(() => apportion(5n, [0n, 0n])).toThrow('all 2 weights are zero');
    expect(() => apportion(5n, [])).toThrow('all 0 weights are zero');
  });

  it('sums exactly, and no part is a whole unit off its proportion', () => {
    const weights = fc
      .array(fc.bigInt({ min: 0n, max: 10n ** 18n }), { minLength: 1 })
      .filter(list => list.some(weight => weight > 0n));
    const total = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(total, weights, (amount, list) => {
        const parts = apportion(amount, list);
        const sum = list.reduce((a, b) => a + b, 0n);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(amount);
        parts.forEach((part, index) => {
          const offBy = part * sum - amount * list[index];
          expect(offBy < sum && offBy > -sum).toBe(true);
        });
      }),
    );
  });
});
