import { formatCoarsely, formatDuration, secondsBetween } from './duration';

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [-4, '0 s'],
    [0.9, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [3_600, '1 h'],
    [7_500, '2 h 5 min'],
    [86_400, '1 d'],
    [273_600, '3 d 4 h'],
    [86_401, '1 d'],
  ])('shows %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('formatCoarsely', () => {
  it.each([
    [0, '0 s'],
    [200, '3 min'],
    [273_600, '3 d'],
  ])('shows %d seconds as %s', (seconds, text) => {
    expect(formatCoarsely(seconds)).toBe(text);
  });
});

describe('secondsBetween', () => {
  it('reads RFC 3339 and dates, and is negative when the order is', () => {
    expect(
      secondsBetween('2026-03-01T10:00:00Z', new Date('2026-03-01T10:01:30Z')),
    ).toBe(90);
    expect(secondsBetween('2026-03-01T10:00:03Z', '2026-03-01T10:00:00Z')).toBe(
      -3,
    );
  });
});
