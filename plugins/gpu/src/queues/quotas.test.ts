import { queuesAt } from '../../dev/fixtures';
import { gpuRows, lentOf } from './quotas';

const line = {
  flavor: 'h100',
  resource: 'nvidia.com/gpu',
  borrowed: 0,
  potential: 70,
};

describe('lentOf', () => {
  it.each([
    ['all of it is free', { nominal: 6, used: 0, available: 6 }, 0],
    ['more can be borrowed', { nominal: 6, used: 2, available: 30 }, 0],
    ['others hold three', { nominal: 16, used: 4, available: 9 }, 3],
    [
      'others hold all that is unused',
      { nominal: 6, used: 2, available: 0 },
      4,
    ],
    ['it borrows itself', { nominal: 6, used: 8, available: 0 }, 0],
    [
      'usage exceeds a lowered quota',
      { nominal: 6, used: 2, available: -1 },
      4,
    ],
  ])('%s', (_, quota, lent) => {
    expect(lentOf({ ...line, ...quota })).toBe(lent);
  });
});

describe('gpuRows', () => {
  it('leaves out quota of resources that are no GPUs', () => {
    const [queue] = queuesAt(new Date());
    const rows = gpuRows([
      {
        ...queue,
        quotas: [
          ...queue.quotas,
          { ...line, resource: 'cpu', nominal: 9, used: 0, available: 9 },
        ],
      },
    ]);
    expect(rows.map(row => row.quota.resource)).toEqual([
      'nvidia.com/gpu',
      'nvidia.com/mig-1g.10gb',
    ]);
  });
});
