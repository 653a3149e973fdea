import { formatQueue, isQueueValue, parseQueue } from './queueValue';

describe('parseQueue', () => {
  it.each([
    ['team-07/gpu', { namespace: 'team-07', queue: 'gpu' }],
    ['  team-07/gpu ', { namespace: 'team-07', queue: 'gpu' }],
    ['team-07', undefined],
    ['team-07/', undefined],
    ['/gpu', undefined],
    ['team-07/gpu/more', undefined],
    ['Team 07/gpu', undefined],
    ['team-07/gpu\nowner: root', undefined],
    ['', undefined],
  ])('reads %j', (text, value) => {
    expect(parseQueue(text)).toEqual(value);
  });
});

describe('isQueueValue', () => {
  it.each([
    [{ namespace: 'team-07', queue: 'gpu' }, true],
    [{ namespace: 'team-07' }, false],
    [{ namespace: 7, queue: 'gpu' }, false],
    ['team-07/gpu', false],
    [undefined, false],
    [null, false],
  ])('%j: %s', (value, valid) => {
    expect(isQueueValue(value)).toBe(valid);
  });
});

describe('formatQueue', () => {
  it.each([
    [{ namespace: 'team-07', queue: 'gpu' }, 'team-07/gpu'],
    ['half-typed', 'half-typed'],
    [undefined, ''],
    [{}, ''],
  ])('shows %j as %j', (value, text) => {
    expect(formatQueue(value)).toBe(text);
  });
});
