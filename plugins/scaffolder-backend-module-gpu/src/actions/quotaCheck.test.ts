import { ServiceUnavailableError } from '@backstage/errors';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { fakeGpu, fits } from '../__testUtils__/fakeGpu';
import { createQuotaCheckAction } from './quotaCheck';

const input = {
  queue: { namespace: 'team-07', queue: 'gpu' },
  device: { deviceClass: 'nvidia-h100-80gb-hbm3' },
  count: 2,
};

async function run(
  changes: object = {},
  { gpu, client } = fakeGpu(),
  more: object = {},
) {
  const ctx: any = createMockActionContext({
    input: { ...input, ...changes },
  } as any);
  await createQuotaCheckAction({ gpu }).handler({ ...ctx, ...more });
  const output = Object.fromEntries(ctx.output.mock.calls);
  return { output, asked: client.getFit.mock.calls as unknown[][] };
}

describe('gpu:quota:check', () => {
  it('asks on behalf of the user and gives the answer', async () => {
    const { output, asked } = await run({ priorityClass: 'normal' });
    expect(asked).toEqual([
      [
        {
          namespace: 'team-07',
          queue: 'gpu',
          deviceClass: 'nvidia-h100-80gb-hbm3',
          count: 2,
          pods: 1,
          priorityClass: 'normal',
          cluster: undefined,
        },
        { token: expect.stringContaining('gpu'), signal: expect.anything() },
      ],
    ]);
    expect(output).toEqual({
      verdict: 'now',
      sentence: fits.sentence,
      cluster: 'spoke-a',
      deviceClass: 'nvidia-h100-80gb-hbm3',
      flavor: 'train',
      units: 2,
      poolShare: 0.015625,
      borrows: 0,
    });
  });

  it.each(['', 'best-fit', undefined])(
    'leaves the choice of cluster open for %j',
    async cluster => {
      const { asked } = await run({ cluster });
      expect(asked[0][0]).toHaveProperty('cluster', undefined);
    },
  );

  it('passes a fraction on', async () => {
    const fraction = { corePercent: 20, vramMiB: 12288 };
    const { asked } = await run({ device: { fraction } });
    expect(asked[0][0]).toMatchObject({ fraction });
  });

  it('does the same in a dry run, because it only reads', async () => {
    const { output, asked } = await run({}, fakeGpu(), { isDryRun: true });
    expect(asked).toHaveLength(1);
    expect(output.verdict).toBe('now');
  });

  it('keeps its choice when the task is repeated, and never a refusal', async () => {
    const kept = new Map<string, unknown>();
    const checkpoint = async ({ key, fn }: any) => {
      if (!kept.has(key)) kept.set(key, await fn());
      return kept.get(key);
    };
    const fake = fakeGpu();
    fake.client.getFit.mockRejectedValueOnce(new TypeError('fetch failed'));
    await expect(run({}, fake, { checkpoint })).rejects.toThrow();
    const first = await run({}, fake, { checkpoint });
    fake.client.getFit.mockResolvedValue({ ...fits, cluster: 'spoke-b' });
    expect((await run({}, fake, { checkpoint })).output).toEqual(first.output);
    const other = await run({ count: 3 }, fake, { checkpoint });
    expect(other.output.cluster).toBe('spoke-b');
  });

  it('stops with the reason when it never fits', async () => {
    const sentence = 'It asks for 900, and the queue can hold 64 at most.';
    const never = fakeGpu({
      getFit: jest.fn(async () => ({ ...fits, verdict: 'never', sentence })),
    });
    await expect(run({ count: 900 }, never)).rejects.toThrow(sentence);
  });

  it('lets a request wait, unless it must run now', async () => {
    const later = () =>
      fakeGpu({
        getFit: jest.fn(async () => ({ ...fits, verdict: 'later' })),
      });
    expect((await run({}, later())).output.verdict).toBe('later');
    await expect(run({ requireNow: true }, later())).rejects.toThrow(
      fits.sentence,
    );
  });

  it.each([
    [{ count: 0 }, /^count is 0; accepted: a whole number from 1 up$/],
    [{ count: -1 }, /count is -1/],
    [{ count: 1.5 }, /count is 1.5; accepted: a whole number/],
    [{ count: '2' }, /count is "2"/],
    [{ pods: 0 }, /pods is 0/],
    [{ queue: { namespace: 'team-07' } }, /queue\.queue is absent/],
    [{ queue: undefined }, /queue is absent/],
    [{ device: {} }, /device is \{\}; accepted is either/],
    [
      {
        device: { deviceClass: 'a', fraction: { corePercent: 1, vramMiB: 1 } },
      },
      /accepted is either deviceClass or fraction/,
    ],
    [
      { device: { fraction: { corePercent: 101, vramMiB: 1 } } },
      /device\.fraction\.corePercent is 101/,
    ],
  ])('refuses %j before it asks anybody', async (changes, message) => {
    const fake = fakeGpu();
    await expect(run(changes, fake)).rejects.toThrow(message);
    expect(fake.client.getFit).not.toHaveBeenCalled();
  });

  it('says so when the backend gives no answer', async () => {
    const down = fakeGpu({
      getFit: jest.fn(async () => {
        throw new TypeError('fetch failed');
      }),
    });
    await expect(run({}, down)).rejects.toThrow(ServiceUnavailableError);
  });
});
