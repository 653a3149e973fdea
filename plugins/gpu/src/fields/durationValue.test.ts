import { isDuration, readDuration } from './durationValue';

describe('isDuration', () => {
  it.each([
    [undefined, true],
    [{}, true],
    [{ hours: 0, minutes: 30 }, true],
    [{ days: 1, seconds: 5 }, true],
    [{ hours: 1.5 }, false],
    [{ minutes: -1 }, false],
    [{ hours: '2' }, false],
    [{ minutes: NaN }, false],
    ['PT2H', false],
  ])('%j: %s', (value, valid) => {
    expect(isDuration(value)).toBe(valid);
  });
});

describe('readDuration', () => {
  it.each([
    [undefined, { hours: '', minutes: '' }],
    [{}, { hours: '', minutes: '' }],
    [{ minutes: 10 }, { hours: '', minutes: '10' }],
    [{ hours: 0 }, { hours: '0', minutes: '' }],
    [
      { days: 1, hours: 2 },
      { hours: '26', minutes: '' },
    ],
    [
      { minutes: 1, seconds: 61 },
      { hours: '', minutes: '3' },
    ],
  ])('reads %j as %j', (value, typed) => {
    expect(readDuration(value)).toEqual(typed);
  });
});
