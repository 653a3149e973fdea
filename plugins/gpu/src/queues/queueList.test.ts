import { h100, queuesAt } from '../../dev/fixtures';
import { Devices } from '../devices/useDevices';
import { borrowedNano, inOrder, matching, queueKey } from './queueList';

const queues = queuesAt(new Date());
const shareOf: Devices['shareOf'] = (_cluster, _flavor, deviceClass) =>
  deviceClass === h100.id ? 1_000_000_000 : undefined;
const keys = (found: typeof queues) => found.map(queueKey);

describe('borrowedNano', () => {
  it('weighs what is borrowed in physical GPUs', () => {
    expect(borrowedNano(queues[0], { shareOf })).toBe(2_000_000_000);
    expect(borrowedNano(queues[1], { shareOf })).toBe(0);
  });

  it('is not known where the share of a borrowed class is not', () => {
    expect(
      borrowedNano(queues[0], { shareOf: () => undefined }),
    ).toBeUndefined();
  });
});

describe('matching', () => {
  it.each([
    ['', 4],
    ['team-07', 2],
    ['  SPOKE-B ', 1],
    ['department-1 spoke-a', 2],
    ['group:default/team-23', 1],
    ['team-99', 0],
  ])('finds what %j is in', (text, count) => {
    expect(matching(queues, text)).toHaveLength(count);
  });
});

describe('inOrder', () => {
  it('sorts by name, by what waits and by what is borrowed', () => {
    const byName = [
      'team-07/gpu/spoke-a',
      'team-07/gpu/spoke-b',
      'team-08/gpu/spoke-a',
      'team-23/gpu/spoke-a',
    ];
    const devices = { shareOf };
    expect(keys(inOrder([...queues].reverse(), 'name', devices))).toEqual(
      byName,
    );
    expect(keys(inOrder(queues, 'waiting', devices))).toEqual([
      'team-08/gpu/spoke-a',
      'team-23/gpu/spoke-a',
      'team-07/gpu/spoke-a',
      'team-07/gpu/spoke-b',
    ]);
    expect(keys(inOrder(queues, 'borrowed', devices))).toEqual([
      'team-08/gpu/spoke-a',
      'team-07/gpu/spoke-a',
      'team-07/gpu/spoke-b',
      'team-23/gpu/spoke-a',
    ]);
  });
});
