import fc from 'fast-check';
import { DeviceClass } from './deviceClass';
import { corePercentOf, FractionOffer, matchFraction } from './matchFraction';

function offer(
  id: string,
  model: string,
  form: DeviceClass['form'],
  shareNano: number,
  vramMiB: number,
  more: Partial<FractionOffer> = {},
): FractionOffer {
  return {
    deviceClass: {
      id,
      title: id,
      vendor: 'nvidia',
      model,
      form,
      resourceName: 'nvidia.com/gpu',
      shareNano,
      vramMiB,
      isolation: 'hardware',
      singleUnit: false,
      goodFor: [],
    },
    total: 8,
    free: 8,
    ...more,
  };
}
const mig = (profile: string, share: number, vram: number, more = {}) =>
  offer(
    `a100.${profile}`,
    'a100-80',
    { partition: profile },
    share,
    vram,
    more,
  );
const whole = offer('h100', 'h100-80', {}, 1e9, 81559);
const small = mig('1g.10gb', 142_857_142, 9728);
const medium = mig('2g.20gb', 266_666_666, 19968);
const large = mig('3g.40gb', 500_000_000, 40192);
const shared = offer(
  'l40s.shared-4',
  'l40s',
  { replicas: 4, sharing: 'time-slicing' },
  250_000_000,
  11517,
);
const all = [whole, large, shared, medium, small];
const reasons = (wanted: { corePercent: number; vramMiB: number }, of = all) =>
  Object.fromEntries(
    matchFraction(wanted, of).candidates.map(({ offer: item, reason }) => [
      item.deviceClass.id,
      reason,
    ]),
  );

describe('matchFraction', () => {
  it.each([
    [{ corePercent: 10, vramMiB: 8192 }, 'a100.1g.10gb'],
    // 20 % and 12 GiB: 1g has 14.3 % of the cores, the replica 11.2 GiB.
    [{ corePercent: 20, vramMiB: 12288 }, 'a100.2g.20gb'],
    [{ corePercent: 20, vramMiB: 10240 }, 'l40s.shared-4'],
    [{ corePercent: 40, vramMiB: 1024 }, 'a100.3g.40gb'],
    // 3g has 3/7 of the cores though half of the memory.
    [{ corePercent: 45, vramMiB: 1024 }, 'h100'],
    [{ corePercent: 100, vramMiB: 81559 }, 'h100'],
  ])('%p is matched to %s', (wanted, id) => {
    const match = matchFraction(wanted, all);
    expect(match.verdict).toBe('now');
    expect(match.chosen?.deviceClass.id).toBe(id);
    expect(match.candidates[0]).toMatchObject({
      verdict: 'chosen',
      reason: 'cheapest',
    });
    expect(match.candidates).toHaveLength(all.length);
  });

  it('gives every other class its reason', () => {
    expect(reasons({ corePercent: 20, vramMiB: 12288 })).toEqual({
      'a100.2g.20gb': 'cheapest',
      'a100.3g.40gb': 'larger-share',
      h100: 'larger-share',
      'l40s.shared-4': 'too-little-memory',
      'a100.1g.10gb': 'too-few-cores',
    });
    const { candidates } = matchFraction(
      { corePercent: 20, vramMiB: 12288 },
      all,
    );
    expect(candidates.map(item => item.sentence)).toContain(
      'a100.1g.10gb has 14.3 % of the cores, 20 % are wanted',
    );
    expect(candidates.map(item => item.sentence)).toContain(
      'l40s.shared-4 has 11517 MiB, 12288 MiB are wanted',
    );
  });

  it('prefers a larger class that is free to a smaller one that is not', () => {
    const busy = mig('2g.20gb', 266_666_666, 19968, { free: 0 });
    const wanted = { corePercent: 20, vramMiB: 12288 };
    expect(reasons(wanted, [busy, large])).toEqual({
      'a100.3g.40gb': 'cheapest',
      'a100.2g.20gb': 'none-free',
    });
    const busyLarge = mig('3g.40gb', 500_000_000, 40192, { free: 0 });
    const match = matchFraction(wanted, [busyLarge, busy]);
    expect(match.verdict).toBe('later');
    expect(match.chosen).toBe(busy);
  });

  it('decides equal shares by price, and no price comes last', () => {
    const priced = (id: string, price?: bigint) =>
      offer(id, 'h100-80', {}, 1e9, 81559, { pricePerGpuHourNano: price });
    const offers = [priced('none'), priced('dear', 4n), priced('cheap', 2n)];
    const match = matchFraction({ corePercent: 50, vramMiB: 0 }, offers);
    expect(match.candidates.map(item => item.offer.deviceClass.id)).toEqual([
      'cheap',
      'dear',
      'none',
    ]);
    expect(match.candidates[1].reason).toBe('higher-price');
  });

  it('answers never when nothing satisfies both', () => {
    const dead = offer('dead', 'h100-80', {}, 1e9, 81559, {
      total: 0,
      free: 0,
    });
    const vague = offer('vague', 'unknown:x', {}, 1e9, 0);
    const match = matchFraction({ corePercent: 100, vramMiB: 1024 }, [
      dead,
      vague,
      small,
    ]);
    expect(match).toMatchObject({ verdict: 'never' });
    expect(match.chosen).toBeUndefined();
    expect(match.candidates.map(item => item.reason)).toEqual([
      'no-units',
      'memory-unknown',
      'too-few-cores',
    ]);
    expect(matchFraction({ corePercent: 1, vramMiB: 1 }, [])).toEqual({
      verdict: 'never',
      candidates: [],
    });
  });

  it.each([
    [{ corePercent: 0, vramMiB: 1 }, 'corePercent is 0'],
    [{ corePercent: 101, vramMiB: 1 }, 'corePercent is 101'],
    [{ corePercent: NaN, vramMiB: 1 }, 'corePercent is NaN'],
    [{ corePercent: 10, vramMiB: -1 }, 'vramMiB is -1'],
    [{ corePercent: 10, vramMiB: 1.5 }, 'vramMiB is 1.5'],
  ])('refuses %p', (wanted, message) => {
    expect(() => matchFraction(wanted, all)).toThrow(message);
  });

  it('never chooses a class that gives less than was asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.nat({ max: 90_000 }),
        (corePercent, vramMiB) => {
          const { chosen } = matchFraction({ corePercent, vramMiB }, all);
          const enough =
            !chosen ||
            (chosen.deviceClass.vramMiB >= vramMiB &&
              corePercentOf(chosen.deviceClass) + 1e-6 >= corePercent);
          expect(enough).toBe(true);
        },
      ),
    );
  });
});

describe('corePercentOf', () => {
  it.each([
    [whole, 100],
    [small, 14.2857],
    [large, 42.857],
    [shared, 25],
  ])('%p', (item, percent) => {
    expect(corePercentOf(item.deviceClass)).toBeCloseTo(percent, 3);
  });

  it('of AMD partitions is their part of the GPU', () => {
    const cpx = offer('cpx', 'mi300x', { partition: 'cpx_nps4' }, 125e6, 24576);
    expect(corePercentOf(cpx.deviceClass)).toBe(12.5);
  });
});
