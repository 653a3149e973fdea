import fc from 'fast-check';
import { look, Look, T0 } from '../__testUtils__/observations';
import { heldIntervals } from './heldIntervals';
import { NO_HISTORY, withObservation } from './workloadHistory';

/** `kind opened-closed confidence reason`, seconds from zero. */
function metered(looks: Look[]): string[] {
  const history = looks.map(look).reduce(withObservation, NO_HISTORY);
  return heldIntervals(history)
    .map(interval => {
      const close =
        interval.closedAt === undefined ? '' : interval.closedAt - T0;
      return `${interval.kind} ${interval.openedAt - T0}-${close} ${
        interval.confidence
      }${interval.endReason ? ` ${interval.endReason}` : ''}`;
    })
    .sort();
}

const pending: Look = { rv: 1, reserved: [false, 0] };
const running: Look = { rv: 2, reserved: [true, 10], admitted: [true, 10] };
const done: Look = { ...running, rv: 3, finished: 70 };

const CASES: Array<[string, Look[], string[]]> = [
  ['nothing for a pending Workload', [pending], []],
  ['open from Admitted', [pending, running], ['allocated 10- measured']],
  [
    'closed by Finished, although Admitted stays true',
    [pending, running, done],
    ['allocated 10-70 measured Succeeded'],
  ],
  [
    'all of it from hindsight',
    [{ ...done, gap: [0, 90] }],
    ['allocated 10-70 measured Succeeded'],
  ],
  [
    'deletion after the end changes nothing',
    [running, done, { ...done, rv: 4, type: 'deleted', seen: 100 }],
    ['allocated 10-70 measured Succeeded'],
  ],
  [
    'deleted while admitted: when we saw it go',
    [running, { ...running, rv: 2, type: 'deleted', seen: 42 }],
    ['allocated 10-42 measured Deleted'],
  ],
  [
    "deleted while admitted: the cluster's stamp counts, not when we saw it go",
    [running, { ...running, type: 'deleted', seen: 400, deleting: 42 }],
    ['allocated 10-42 measured Deleted'],
  ],
  [
    'deleted while admitted, seen by a clock that is behind: ended, not open for ever',
    [running, { ...running, rv: 2, type: 'deleted', seen: -300 }],
    [],
  ],
  [
    'deleted in a gap by a clock that is behind: unknown since it was given',
    [running, { ...running, type: 'deleted', seen: 95, gap: [-200, 90] }],
    ['unknown 10-90 unknown Deleted'],
  ],
  [
    'deleted in a gap: unknown from the last look on',
    [running, { ...running, type: 'deleted', seen: 95, gap: [50, 90] }],
    ['allocated 10-50 estimated Deleted', 'unknown 50-90 unknown Deleted'],
  ],
  [
    'evicted, admission still held, then given back',
    [
      running,
      { ...running, rv: 3, evicted: 'Preempted' },
      {
        rv: 4,
        reserved: [false, 32],
        admitted: [false, 32],
        evicted: 'Preempted',
      },
    ],
    ['allocated 10-32 measured Preempted'],
  ],
  [
    'evicted and admitted again: two intervals',
    [
      running,
      {
        rv: 4,
        reserved: [false, 32],
        admitted: [false, 32],
        evicted: 'Preempted',
      },
      { rv: 5, reserved: [true, 50], admitted: [true, 50] },
      { rv: 6, reserved: [true, 50], admitted: [true, 50], finished: 60 },
    ],
    [
      'allocated 10-32 measured Preempted',
      'allocated 50-60 measured Succeeded',
    ],
  ],
  [
    'given back and admitted again in one second',
    [
      running,
      { rv: 4, reserved: [false, 32], admitted: [false, 32] },
      { rv: 5, reserved: [true, 32], admitted: [true, 32] },
    ],
    ['allocated 10-32 measured released', 'allocated 32- measured'],
  ],
  [
    'admitted, given back and admitted again in one second stays open',
    [
      running,
      { rv: 4, reserved: [false, 10], admitted: [false, 10] },
      { ...running, rv: 5 },
    ],
    ['allocated 10- measured'],
  ],
  [
    'readmission seen only after a gap: the time between is unknown',
    [
      running,
      { rv: 9, reserved: [true, 80], admitted: [true, 80], gap: [40, 90] },
    ],
    [
      'allocated 10-40 estimated NotSeen',
      'allocated 80- measured',
      'unknown 40-80 unknown NotSeen',
    ],
  ],
  [
    'reserved until the checks are done',
    [
      { rv: 2, reserved: [true, 5] },
      { rv: 3, reserved: [true, 5], admitted: [true, 25] },
    ],
    ['allocated 25- measured', 'reserved 5-25 measured Admitted'],
  ],
  [
    'reserved and never admitted',
    [
      { rv: 2, reserved: [true, 5] },
      { rv: 3, reserved: [false, 15], evicted: 'AdmissionCheck' },
    ],
    ['reserved 5-15 measured AdmissionCheck'],
  ],
];

describe('heldIntervals', () => {
  it.each(CASES)('%s', (_, looks, expected) => {
    expect(metered(looks)).toEqual(expected);
  });

  it.each(CASES)('%s, without resourceVersions', (_, looks, expected) => {
    expect(metered(looks.map(one => ({ ...one, rv: undefined })))).toEqual(
      expected,
    );
  });

  it.each(['x', '1e30', '', '-2', '9007199254740993'])(
    'meters nothing it cannot read, and the rest: %j',
    quantity => {
      const observation = look({ ...running, gpus: 4 });
      const { podSetAssignments } = (observation.object.status as any)
        .admission;
      podSetAssignments.unshift({
        name: 'odd',
        flavors: { 'nvidia.com/gpu': 'train' },
        resourceUsage: { 'nvidia.com/gpu': quantity },
      });
      expect(
        heldIntervals(withObservation(NO_HISTORY, observation)),
      ).toMatchObject([{ podSet: 'main', units: 4 }]);
    },
  );

  it('counts what was given, not what was asked for', () => {
    const [interval] = heldIntervals(
      withObservation(NO_HISTORY, look({ ...running, gpus: 4 })),
    );
    expect(interval).toMatchObject({
      podSet: 'main',
      flavor: 'train',
      resource: 'nvidia.com/gpu',
      units: 4,
    });
  });

  /** A life in steps: gaps in seconds between admission, eviction, readmission …, and the end. */
  const life = fc
    .record({
      waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
      end: fc.constantFrom('finished', 'deleted', 'open'),
    })
    .map(({ waits, end }) => {
      const looks: Look[] = [{ rv: 1, type: 'added', reserved: [false, 0] }];
      let second = 0;
      let rv = 1;
      waits.forEach((wait, index) => {
        second += wait;
        rv += 1;
        const holds = index % 2 === 0;
        looks.push({
          rv,
          reserved: [holds, second],
          admitted: [holds, second],
        });
      });
      const last = looks[looks.length - 1];
      if (end === 'finished') {
        looks.push({ ...last, rv: rv + 1, finished: second + 5 });
      } else if (end === 'deleted') {
        looks.push({ ...last, rv, type: 'deleted', seen: second + 5 });
      }
      return looks;
    });

  it('gives the same intervals in whatever order, and however often, it is told', () => {
    fc.assert(
      fc.property(
        life.chain(looks =>
          fc.tuple(
            fc.constant(looks),
            fc.shuffledSubarray([...looks, ...looks], {
              minLength: looks.length * 2,
            }),
          ),
        ),
        ([looks, shuffled]) => {
          expect(metered(shuffled)).toEqual(metered(looks));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never lets two intervals of a Workload overlap, nor end before they begin', () => {
    fc.assert(
      fc.property(life, looks => {
        const history = looks.map(look).reduce(withObservation, NO_HISTORY);
        const intervals = heldIntervals(history).sort(
          (a, b) => a.openedAt - b.openedAt,
        );
        const bounds = intervals.flatMap(({ openedAt, closedAt }) => [
          openedAt,
          closedAt ?? Infinity,
        ]);
        expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
        expect(
          intervals.filter(({ openedAt, closedAt }) => openedAt === closedAt),
        ).toEqual([]);
      }),
    );
  });
});
