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

function setUp(
  pods: UnobservedPod[],
  answer: (query: string) => { status?: number; body?: unknown },
) {
  const asked: string[] = [];
  const recorded: unknown[] = [];
  const logger = mockServices.logger.mock();
  const samples = new FirstSamples(
    {
      ledger: {
        within: () => {
          throw new Error('not used');
        },
        listUnobservedPods: async () => pods,
        recordFirstSample: async (...args) => {
          recorded.push(args);
        },
      },
      clusters: [
        { name: 'spoke-a', prometheus: { url: 'http://prometheus' } },
        { name: 'spoke-b' },
      ],
      scheduler: mockServices.scheduler.mock(),
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
  return { samples, asked, recorded, logger };
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
    const { samples, asked, recorded } = setUp([pod], () =>
      matrix([
        [READY - 2.5, '0'],
        [READY + 7.25, '0.9'],
        [READY + 17.25, '0.9'],
      ]),
    );
    await samples.round();
    expect(asked).toEqual([
      'DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="team-07",pod="tune-abcde"}[31s]',
    ]);
    expect(recorded).toEqual([
      [pod, READY + 7.25, 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'],
    ]);
  });

  it('takes any sample of a pod that is ready in the future: its clock is ahead', async () => {
    const ahead = { ...pod, readyAt: READY + 180 };
    const { samples, asked, recorded } = setUp([ahead], () =>
      matrix([[READY + 27, '0.9']]),
    );
    await samples.round();
    expect(asked[0]).toMatch(/\[901s\]$/);
    expect(recorded).toEqual([
      [ahead, READY + 27, 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'],
    ]);
  });

  it('knows the labels of a Prometheus without honorLabels', async () => {
    const { samples, recorded } = setUp([pod], query =>
      query.includes('exported_pod') ? matrix([[READY + 3, '1']]) : nothing,
    );
    await samples.round();
    expect(recorded).toHaveLength(1);
  });

  it('records nothing while there is no sample, and asks no more for a pod long ended', async () => {
    const { samples, recorded, asked } = setUp(
      [pod, { ...pod, uid: 'pod-2', finishedAt: READY - 1000 }],
      () => nothing,
    );
    await samples.round();
    expect(recorded).toEqual([]);
    expect(asked.length).toBe(4);
  });

  it.each([
    ['refuses', { status: 503, body: {} }],
    ['lies', { body: { status: 'success', data: { resultType: 'vector' } } }],
    ['fails', { body: { status: 'error', error: 'query timed out' } }],
  ])('keeps going when Prometheus %s', async (_, answer) => {
    const { samples, recorded, logger } = setUp([pod], () => answer);
    await samples.round();
    expect(recorded).toEqual([]);
    expect(logger.warn).toHaveBeenCalledWith(
      expect.stringContaining('Prometheus of spoke-a'),
    );
  });
});
