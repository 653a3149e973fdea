import { queuesAt } from '../../dev/fixtures';
import { borrowableOf, gpuRows, hasAny, lentOf, quotaByClass } from './quotas';

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

describe('borrowableOf', () => {
  it.each([
    ['its own alone is free', { nominal: 6, used: 2, available: 4 }, 0],
    ['more can be borrowed', { nominal: 6, used: 2, available: 30 }, 26],
    [
      'it borrows and could borrow on',
      { nominal: 6, used: 8, available: 6 },
      6,
    ],
    ['others hold its own', { nominal: 6, used: 2, available: 1 }, 0],
    ['it has none', { nominal: 0, used: 0, available: 19 }, 19],
    [
      'usage exceeds a lowered quota',
      { nominal: 6, used: 9, available: -1 },
      0,
    ],
  ])('%s', (_, quota, borrowable) => {
    expect(borrowableOf({ ...line, ...quota })).toBe(borrowable);
  });
});

describe('quotaByClass', () => {
  const [first, , other] = queuesAt(new Date());
  const quota = {
    ...line,
    deviceClass: 'slice',
    nominal: 7,
    used: 9,
    borrowed: 2,
    available: 3,
  };
  const queues = [
    {
      ...first,
      quotas: [
        quota,
        {
          ...quota,
          flavor: 'b',
          nominal: 1,
          used: 0,
          borrowed: 0,
          available: 0,
        },
      ],
    },
    {
      ...first,
      cluster: 'spoke-b',
      quotas: [{ ...quota, nominal: 4, used: 1, borrowed: 0, available: 10 }],
    },
  ];

  it('adds flavors and clusters of one queue up', () => {
    expect(quotaByClass(queues)).toMatchObject([
      {
        namespace: 'team-07',
        queue: 'gpu',
        deviceClass: 'slice',
        nominal: 12,
        used: 10,
        borrowed: 2,
        lent: 1,
        borrowable: 10,
      },
    ]);
    expect(quotaByClass(queues)[0].lines).toHaveLength(3);
  });

  it('never adds two queues up: they may borrow the same units', () => {
    expect(
      quotaByClass([...queues, { ...other, quotas: [quota] }]).map(
        ({ namespace, borrowable }) => [namespace, borrowable],
      ),
    ).toEqual([
      ['team-07', 10],
      ['team-08', 3],
    ]);
  });
});

describe('hasAny', () => {
  it.each([
    [{ nominal: 0, used: 0 }, false],
    [{ nominal: 1, used: 0 }, true],
    [{ nominal: 0, used: 1 }, true],
  ])('%j: %s', (quota, any) => {
    expect(hasAny(quota)).toBe(any);
  });
});
