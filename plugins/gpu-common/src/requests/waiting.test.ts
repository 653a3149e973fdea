import { explainWaiting, WaitingContext, WaitingWorkload } from './waiting';

const CREATED = '2026-11-02T10:00:00Z';
const TRIED = '2026-11-02T10:00:05Z';

function workload(status: WaitingWorkload['status'] = {}): WaitingWorkload {
  return {
    metadata: { creationTimestamp: CREATED },
    spec: { queueName: 'gpu' },
    status,
  };
}

function pending(message: string, reason = 'Pending'): WaitingWorkload {
  return workload({
    conditions: [
      {
        type: 'QuotaReserved',
        status: 'False',
        reason,
        message,
        lastTransitionTime: TRIED,
      },
    ],
  });
}

const PREFIX = "couldn't assign flavors to pod set main: ";

describe('explainWaiting', () => {
  // Messages as a running Kueue 0.19.2 wrote them.
  it.each([
    [
      `${PREFIX}insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed`,
      'quota-in-use',
      '2 GPUs more on "h100" must become free',
    ],
    [
      `${PREFIX}insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed, insufficient unused quota for nvidia.com/gpu in flavor l40s, 1 more needed`,
      'quota-in-use',
      'or other GPUs it accepts',
    ],
    [
      `${PREFIX}insufficient unused quota for nvidia.com/mig-1g.10gb in flavor a100, 1 more needed`,
      'quota-in-use',
      '1 GPU slice of 1g.10gb more',
    ],
    [
      `${PREFIX}insufficient unused quota for nvidia.com/gpu in flavor h100, 1 more needed. Pending the preemption of 1 workload(s)`,
      'preempting',
      '1 other job is being stopped',
    ],
    [
      `${PREFIX}insufficient quota for nvidia.com/gpu in flavor h100, previously considered podsets requests (0) + current podset request (9) > maximum capacity (8)`,
      'exceeds-maximum',
      'asks for 9 GPUs on "h100", but its queue can never have more than 8',
    ],
    [
      `${PREFIX}insufficient quota for nvidia.com/gpu in flavor h100, previously considered podsets requests (0) + current podset request (2k) > maximum capacity (8)`,
      'exceeds-maximum',
      '2k GPUs',
    ],
    [
      `${PREFIX}resource example.com/foo unavailable in ClusterQueue`,
      'resource-not-covered',
      'offers no example.com/foo',
    ],
    [
      `${PREFIX}untolerated taint {kf x NoSchedule <nil>} in flavor h100`,
      'flavor-mismatch',
      'set aside',
    ],
    [
      `${PREFIX}flavor h100 doesn't match node affinity`,
      'flavor-mismatch',
      'kind of GPU that its queue does not offer',
    ],
    [
      // One flavor never fits, another one later: it will run.
      `${PREFIX}flavor a100 doesn't match node affinity, insufficient unused quota for nvidia.com/gpu in flavor h100, 4 more needed`,
      'quota-in-use',
      '4 GPUs',
    ],
    [
      // Two pod sets start together: the one that never fits decides.
      `${PREFIX}insufficient unused quota for nvidia.com/gpu in flavor h100, 1 more needed; couldn't assign flavors to pod set worker: flavor h100 doesn't match node affinity`,
      'flavor-mismatch',
      'kind of GPU',
    ],
    [
      "workload namespace doesn't match ClusterQueue selector",
      'namespace-mismatch',
      'may not use',
    ],
    [
      'Workload no longer fits after processing another workload',
      'quota-in-use',
      'a moment before',
    ],
    [
      'Preempted to accommodate a workload (UID: 1, JobUID: 2) due to prioritization in the ClusterQueue; preemptor path: /c/q; preemptee path: /c/q',
      'quota-in-use',
      'stopped to make room',
    ],
    ['Something Kueue says in a later release', 'unknown', 'words below'],
  ])('explains %s', (message, cause, words) => {
    const waiting = explainWaiting(pending(message));
    expect(waiting).toMatchObject({ cause, message, since: TRIED });
    expect(waiting?.sentence).toContain(words);
  });

  it.each([
    ["LocalQueue gpu doesn't exist", 'queue-missing'],
    ['LocalQueue gpu is inactive', 'queue-stopped'],
    ["ClusterQueue team-07 doesn't exist", 'queue-missing'],
    ['ClusterQueue team-07 is inactive', 'queue-stopped'],
  ])('explains Inadmissible: %s', (message, cause) => {
    expect(explainWaiting(pending(message, 'Inadmissible'))?.cause).toBe(cause);
  });

  it.each([
    ['WaitingForQuota', 'quota-in-use'],
    ['ExceedsMaxQuota', 'exceeds-maximum'],
    ['NoMatchingFlavor', 'flavor-mismatch'],
    ['WaitingForPreemptedWorkloads', 'preempting'],
    ['PendingEvaluation', 'not-yet-tried'],
  ])('falls back on the granular reason %s', (reason, cause) => {
    expect(explainWaiting(pending('new words', reason))?.cause).toBe(cause);
  });

  it('explains a gate from the message, and from the Job before Kueue said anything', () => {
    expect(
      explainWaiting(
        pending('Admission is gated by: example.com/budget', 'AdmissionGated'),
      ),
    ).toMatchObject({
      cause: 'admission-gate',
      sentence: expect.stringContaining('example.com/budget'),
    });
    expect(
      explainWaiting(workload(), {
        gates: ['example.com/order'],
        localQueue: null,
      }),
    ).toMatchObject({ cause: 'admission-gate', since: CREATED });
  });

  it('names the checks that have not agreed while quota is reserved', () => {
    expect(
      explainWaiting(
        workload({
          conditions: [
            {
              type: 'QuotaReserved',
              status: 'True',
              lastTransitionTime: TRIED,
            },
          ],
          admissionChecks: [
            { name: 'budget', state: 'Pending', message: 'asking' },
            { name: 'capacity', state: 'Ready' },
          ],
        }),
      ),
    ).toEqual({
      cause: 'admission-check',
      sentence:
        'Its GPUs are reserved; it starts when these checks agree: budget.',
      message: 'asking',
      since: TRIED,
    });
  });

  it('is backing off until requeueAt and pending after it', () => {
    const evicted = workload({
      conditions: [
        {
          type: 'Evicted',
          status: 'True',
          reason: 'AdmissionCheck',
          message: 'retry',
          lastTransitionTime: TRIED,
        },
      ],
      requeueState: { count: 1, requeueAt: '2026-11-02T10:01:00Z' },
    });
    expect(
      explainWaiting(evicted, { now: '2026-11-02T10:00:59Z' })?.cause,
    ).toBe('backing-off');
    expect(
      explainWaiting(evicted, { now: '2026-11-02T10:01:01Z' })?.cause,
    ).toBe('not-yet-tried');
  });

  describe('with an empty status', () => {
    const message = `${PREFIX}insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed`;
    it.each<[string, WaitingContext, string]>([
      ['nothing known', {}, 'not-yet-tried'],
      ['no LocalQueue', { localQueue: null }, 'queue-missing'],
      [
        'no ClusterQueue',
        { localQueue: { active: true }, clusterQueue: null },
        'queue-missing',
      ],
      ['a held LocalQueue', { localQueue: { active: false } }, 'queue-stopped'],
      [
        'an identical sibling',
        { standIn: { message, relation: 'identical' } },
        'quota-in-use',
      ],
      [
        'the head of a strict queue',
        { standIn: { message, relation: 'head' } },
        'quota-in-use',
      ],
    ])('takes the reason from %s', (_, context, cause) => {
      expect(explainWaiting(workload(), context)?.cause).toBe(cause);
    });
  });

  it('believes a held ClusterQueue more than text from before the hold', () => {
    const message = `${PREFIX}insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed`;
    expect(
      explainWaiting(pending(message), {
        clusterQueue: { name: 'team-07', active: false },
      }),
    ).toMatchObject({ cause: 'queue-stopped', message });
  });

  it.each<[string, WaitingWorkload]>([
    [
      'admitted',
      workload({
        conditions: [
          { type: 'Admitted', status: 'True', lastTransitionTime: TRIED },
        ],
      }),
    ],
    [
      'finished',
      workload({
        conditions: [
          { type: 'Finished', status: 'True', lastTransitionTime: TRIED },
        ],
      }),
    ],
    ['deactivated', { ...workload(), spec: { active: false } }],
  ])('says nothing of one that is %s', (_, ended) => {
    expect(explainWaiting(ended)).toBeUndefined();
  });
});
