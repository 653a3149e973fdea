import { mockServices } from '@backstage/backend-test-utils';
import { UnobservedPod } from '@gpuaas/backstage-plugin-gpu-node';
import { FirstSamples } from './firstSamples';

const READY = 1_780_000_000;
const pod: UnobservedPod = {
  cluster: 'spoke-a',
  namespace: 'team-07',
  name: 'tune-abcde',
  uid: 'pod-1',
  readyAt: READY,
};

const SPOKE_A = { name: 'spoke-a', prometheus: { url: 'http://prometheus' } };

function setUp(
  pods: UnobservedPod[],
  answer: (query: string) => { status?: number; body?: unknown },
) {
  const asked: string[] = [];
  const recorded: unknown[] = [];
  const queries: unknown[] = [];
  const logger = mockServices.logger.mock();
  const scheduler = mockServices.scheduler.mock();
  const samples = new FirstSamples(
    {
      ledger: {
        within: () => {
          throw new Error('not used');
        },
        listUnobservedPods: async query => {
          queries.push(query);
          return pods;
        },
        recordFirstSample: async (...args) => {
          recorded.push(args);
        },
      },
      clusters: [SPOKE_A, { name: 'spoke-b' }],
      scheduler,
      logger,
    },
    {
      now: () => READY + 30,
      fetchFn: (async (url: string) => {
        const query = new URL(url).searchParams.get('query')!;
        asked.push(query);
        const { status = 200, body } = answer(query);
        return new Response(JSON.stringify(body), { status });
      }) as typeof fetch,
    },
  );
  const round = (signal?: AbortSignal) => samples.round(SPOKE_A, signal);
  return { samples, round, asked, recorded, queries, logger, scheduler };
}

const matrix = (values: Array<[number, string]>) => ({
  body: {
    status: 'success',
    data: { resultType: 'matrix', result: [{ metric: {}, values }] },
  },
});
const nothing = {
  body: { status: 'success', data: { resultType: 'matrix', result: [] } },
};

describe('FirstSamples', () => {
  it('takes the first raw sample after Ready, not before', async () => {
    const { round, asked, recorded } = setUp([pod], () =>
      matrix([
        [READY - 2.5, '0'],
        [READY + 7.25, '0.9'],
        [READY + 17.25, '0.9'],
      ]),
    );
    await round();
    expect(asked).toEqual([
      'DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="team-07",pod="tune-abcde"}[31s]',
    ]);
    expect(recorded).toEqual([
      [pod, READY + 7.25, 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'],
    ]);
  });

  it('takes any sample of a pod that is ready in the future: its clock is ahead', async () => {
    const ahead = { ...pod, readyAt: READY + 180 };
    const { round, asked, recorded } = setUp([ahead], () =>
      matrix([[READY + 27, '0.9']]),
    );
    await round();
    expect(asked[0]).toMatch(/\[901s\]$/);
    expect(recorded).toEqual([
      [ahead, READY + 27, 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'],
    ]);
  });

  it('knows the labels of a Prometheus without honorLabels', async () => {
    const { round, recorded } = setUp([pod], query =>
      query.includes('exported_pod') ? matrix([[READY + 3, '1']]) : nothing,
    );
    await round();
    expect(recorded).toHaveLength(1);
  });

  it('records nothing while there is no sample, and asks for no pod long ended', async () => {
    const { round, recorded, queries } = setUp([pod], () => nothing);
    await round();
    expect(recorded).toEqual([]);
    expect(queries).toEqual([
      { cluster: 'spoke-a', endedAfter: READY + 30 - 900, limit: 100 },
    ]);
  });

  it('looks after each cluster that has a Prometheus in a task of its own', async () => {
    const { samples, scheduler } = setUp([pod], () => nothing);
    await samples.start();
    expect(scheduler.scheduleTask.mock.calls.map(([{ id }]) => id)).toEqual([
      'gpu-first-samples-spoke-a',
    ]);
  });

  it('stops at the end of its time', async () => {
    const { round, asked } = setUp([pod], () => nothing);
    await round(AbortSignal.abort());
    expect(asked).toEqual([]);
  });

  it.each([NaN, Infinity, 1e30, 'later', null, READY + 60])(
    'takes no sample at %p',
    async at => {
      const { round, recorded } = setUp([pod], () =>
        matrix([[at as any, '1']]),
      );
      await round();
      expect(recorded).toEqual([]);
    },
  );

  it.each([
    ['refuses', { status: 503, body: {} }],
    ['lies', { body: { status: 'success', data: { resultType: 'vector' } } }],
    ['says nothing', { body: null }],
    [
      'sends series without samples',
      {
        body: { ...nothing.body, data: { resultType: 'matrix', result: [{}] } },
      },
    ],
    ['fails', { body: { status: 'error', error: 'query timed out' } }],
  ])('keeps going when Prometheus %s', async (_, answer) => {
    const { round, recorded, logger } = setUp([pod], () => answer);
    await round();
    expect(recorded).toEqual([]);
    expect(logger.warn).toHaveBeenCalledWith(
      expect.stringContaining('Prometheus of spoke-a'),
    );
  });
});
