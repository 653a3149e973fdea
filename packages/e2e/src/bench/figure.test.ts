import { p95Figure, percentile } from './figure';

describe('percentile', () => {
  it.each([
    [[5], 0.95, 5],
    [[1, 2, 3, 4], 0.5, 2],
    [[4, 3, 2, 1], 0.75, 3],
    [Array.from({ length: 100 }, (_, i) => i + 1), 0.95, 95],
    [Array.from({ length: 30 }, (_, i) => i + 1), 0.95, 29],
  ])('nearest rank of %j at %d is %d', (samples, p, expected) => {
    expect(percentile(samples, p)).toBe(expected);
  });

  it('says how many samples a figure stands on', () => {
    expect(p95Figure('x', 's', [1, 2, 3])).toEqual({
      name: 'x',
      value: 3,
      unit: 's',
      note: '3 samples, median 2, maximum 3',
    });
  });
});
