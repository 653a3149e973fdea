import fc from 'fast-check';
import { RequestFacts, RequestRunFacts } from './requestFacts';
import { ENDED_REQUEST_STATES, requestState } from './requestState';
import { requestSteps } from './requestSteps';
import { REQUEST_STEPS } from './steps';

const at = (second: number) =>
  new Date(Date.UTC(2026, 10, 2, 10, 0, second)).toISOString();

const run: RequestRunFacts = {
  uid: 'uid-1',
  name: 'job-tune-1a2b3c4d-00000',
  phase: 'succeeded',
  outcome: 'succeeded',
  clusterQueue: 'team-07',
  flavors: 'train',
  createdAt: at(21),
  placedAt: at(22),
  releasedAt: at(90),
  meteredAt: at(41),
  expectedPods: 2,
  pods: [
    {
      node: 'gpu-2',
      scheduledAt: at(24),
      readyAt: at(27),
      firstSampleAt: '2026-11-02T10:00:40.250Z',
    },
    {
      node: 'gpu-1',
      scheduledAt: at(23),
      readyAt: at(31),
      firstSampleAt: at(35),
    },
  ],
};

const whole: RequestFacts = {
  requestedAt: '2026-11-02T10:00:00.400Z',
  requester: 'user:default/mira',
  taskStatus: 'completed',
  pullRequest: {
    provider: 'gitea',
    number: 7,
    state: 'merged',
    mergedBy: 'pavel',
    mergedAt: at(20),
  },
  delivery: 'delivered',
  runs: [run],
};

describe('requestSteps', () => {
  it('takes each stamp from the system that made the step true', () => {
    expect(requestSteps(whole)).toEqual([
      {
        name: 'Requested',
        at: '2026-11-02T10:00:00Z',
        source: 'Scaffolder',
        actor: 'user:default/mira',
      },
      {
        name: 'Authorised',
        at: '2026-11-02T10:00:20Z',
        source: 'gitea',
        actor: 'pavel',
        detail: 'pull request 7 merged',
      },
      {
        name: 'Placed',
        at: '2026-11-02T10:00:22Z',
        source: 'Workload',
        actor: 'Kueue',
        detail: 'team-07, flavor train',
      },
      {
        name: 'Partitioned',
        at: '2026-11-02T10:00:24Z',
        source: 'Pod',
        actor: 'kube-scheduler',
        detail: 'on gpu-1, gpu-2',
      },
      {
        name: 'Running',
        at: '2026-11-02T10:00:31Z',
        source: 'Pod',
        actor: 'kubelet',
        detail: '2 pods ready',
      },
      {
        name: 'Observed',
        at: '2026-11-02T10:00:35Z',
        source: 'Prometheus',
        actor: 'GPU metrics exporter',
        detail: 'first metric sample',
      },
      {
        name: 'Metered',
        at: '2026-11-02T10:00:41Z',
        source: 'ledger',
        actor: 'usage meter',
        detail: 'interval of Workload job-tune-1a2b3c4d-00000',
      },
      {
        name: 'Released',
        at: '2026-11-02T10:01:30Z',
        source: 'Workload',
        actor: 'Kueue',
        detail: 'succeeded',
      },
    ]);
  });

  it('has all eight steps of a request nothing is known of yet', () => {
    const steps = requestSteps({
      requestedAt: at(0),
      requester: 'user:default/mira',
      delivery: 'waiting',
      runs: [],
    });
    expect(steps.map(({ name }) => name)).toEqual(REQUEST_STEPS);
    expect(steps.filter(step => step.at).map(({ name }) => name)).toEqual([
      'Requested',
    ]);
  });

  it('waits for every pod', () => {
    const steps = requestSteps({
      ...whole,
      runs: [{ ...run, pods: run.pods.slice(0, 1) }],
    });
    expect(steps[3]).toEqual({ name: 'Partitioned' });
    expect(steps[4]).toEqual({ name: 'Running' });
  });

  it('shows clocks that differ, and does not take them for an error', () => {
    const steps = requestSteps({
      ...whole,
      pullRequest: { ...whole.pullRequest!, mergedAt: at(25) },
    });
    expect(steps[2]).toMatchObject({ name: 'Placed', clockSkewSeconds: 3 });
    expect(steps.filter(step => step.clockSkewSeconds)).toHaveLength(1);
  });

  it('keeps the first admission and the last release of a Job run twice', () => {
    const steps = requestSteps({
      ...whole,
      runs: [
        { ...run, outcome: undefined, phase: 'deleted', releasedAt: at(50) },
        {
          ...run,
          uid: 'uid-2',
          createdAt: at(51),
          placedAt: at(60),
          releasedAt: at(120),
          pods: [],
        },
      ],
    });
    expect(steps[2].at).toBe('2026-11-02T10:00:22Z');
    expect(steps[7].at).toBe('2026-11-02T10:02:00Z');
  });

  it('does not depend on the order in which pods and runs were heard of', () => {
    const facts: RequestFacts = {
      ...whole,
      runs: [run, { ...run, uid: 'uid-0', createdAt: at(10), pods: [] }],
    };
    fc.assert(
      fc.property(
        fc.shuffledSubarray(facts.runs, { minLength: 2 }),
        fc.shuffledSubarray(run.pods, { minLength: 2 }),
        (runs, pods) => {
          const shuffled = {
            ...facts,
            runs: runs.map(one =>
              one.uid === run.uid ? { ...one, pods } : one,
            ),
          };
          expect(requestSteps(shuffled)).toEqual(requestSteps(facts));
          expect(requestState(shuffled)).toBe(requestState(facts));
        },
      ),
    );
  });
});

describe('requestState', () => {
  const alone = { ...whole, runs: [] };
  const running = (more: Partial<RequestRunFacts>) => ({
    ...whole,
    runs: [{ ...run, outcome: undefined, ...more }],
  });
  it.each<[string, RequestFacts, string]>([
    ['registered', { ...alone, pullRequest: undefined }, 'submitted'],
    [
      'task failed before a pull request',
      { ...alone, pullRequest: undefined, taskStatus: 'failed' },
      'failed',
    ],
    [
      'open',
      { ...alone, pullRequest: { ...whole.pullRequest!, state: 'open' } },
      'in-review',
    ],
    [
      'closed',
      { ...alone, pullRequest: { ...whole.pullRequest!, state: 'closed' } },
      'rejected',
    ],
    ['merged', { ...alone, delivery: 'waiting' }, 'merged'],
    ['refused by the cluster', { ...alone, delivery: 'refused' }, 'refused'],
    ['waits', running({ phase: 'pending' }), 'queued'],
    ['reserved', running({ phase: 'reserved' }), 'queued'],
    ['backing off', running({ phase: 'backing-off' }), 'queued'],
    ['admitted', running({ phase: 'admitted', pods: [] }), 'starting'],
    ['all ready', running({ phase: 'admitted' }), 'running'],
    ['stopped', running({ phase: 'deactivated' }), 'stopped'],
    ['deleted', running({ phase: 'deleted' }), 'deleted'],
    ['ended', whole, 'succeeded'],
    [
      'ended, then deleted',
      running({ phase: 'deleted', outcome: 'failed' }),
      'failed',
    ],
  ])('%s', (_, facts, state) => {
    expect(requestState(facts)).toBe(state);
  });

  it('names the states that end', () => {
    expect(ENDED_REQUEST_STATES).toEqual([
      'rejected',
      'succeeded',
      'failed',
      'deleted',
    ]);
  });
});
