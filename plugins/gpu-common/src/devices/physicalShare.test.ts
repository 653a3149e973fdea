import fc from 'fast-check';
import { MigGeometry } from './gpuModel';
import { findGpuModel, gpuModels } from './gpuModels';
import { isLegalLayout } from './migProfile';
import {
  amdPartitionShare,
  migShare,
  normaliseShares,
  sharedAmong,
  unitShare,
  WHOLE_GPU,
} from './physicalShare';

const mig = (key: string) => findGpuModel(key)!.mig!;
const h100 = mig('h100-80');

const sharesOf = (geometry: MigGeometry, layout: Record<string, number>) =>
  Object.entries(layout).map(([name, count]) => ({
    shareNano: migShare(geometry, name)!.shareNano,
    count,
  }));
const sum = (units: Array<{ shareNano: number; count: number }>) =>
  units.reduce((total, unit) => total + unit.shareNano * unit.count, 0);

describe('migShare', () => {
  // max(g / 7, memory / 8), in nano-GPU rounded down.
  it.each([
    ['1g.10gb', 142_857_142],
    ['1g.20gb', 250_000_000],
    ['2g.20gb', 285_714_285],
    ['3g.40gb', 500_000_000],
    ['4g.40gb', 571_428_571],
    ['7g.80gb', 1_000_000_000],
  ])('of %s on an H100 is %i', (name, share) => {
    expect(migShare(h100, name)?.shareNano).toBe(share);
  });

  it('keeps compute and memory apart', () => {
    expect(migShare(h100, '3g.40gb')).toEqual({
      computeNano: 428_571_428,
      memoryNano: 500_000_000,
      shareNano: 500_000_000,
    });
    expect(migShare(mig('a30'), '2g.12gb')?.shareNano).toBe(500_000_000);
  });
});

describe('layouts', () => {
  // Sums of the reference table: what the larger-of-both rule gives by itself.
  it.each<[Record<string, number>, number]>([
    [{ '1g.10gb': 7 }, 1],
    [{ '1g.20gb': 4 }, 1],
    [{ '3g.40gb': 2 }, 1],
    [{ '2g.20gb': 3 }, 0.8571],
    [{ '4g.40gb': 1, '3g.40gb': 1 }, 1.0714],
    [{ '1g.10gb': 2, '2g.20gb': 1, '3g.40gb': 1 }, 1.0714],
  ])('%p adds up to %f GPU before normalising', (layout, gpus) => {
    expect(sum(sharesOf(h100, layout)) / WHOLE_GPU).toBeCloseTo(gpus, 4);
  });

  it('are scaled down where they exceed a GPU, and left alone where they do not', () => {
    const over = sharesOf(h100, { '4g.40gb': 1, '3g.40gb': 1 });
    // 4/7 ÷ (15/14) = 8/15 and 1/2 ÷ (15/14) = 7/15.
    expect(normaliseShares(over, 1)).toEqual([533_333_333, 466_666_666]);
    const under = sharesOf(h100, { '2g.20gb': 3 });
    expect(normaliseShares(under, 1)).toEqual([285_714_285]);
  });

  it('of eight balanced GPUs share out exactly eight', () => {
    const node = sharesOf(h100, { '1g.10gb': 16, '2g.20gb': 8, '3g.40gb': 8 });
    // (1/7, 2/7, 1/2), rounded down, ÷ (15/14) = 2/15, 4/15, 7/15 less rounding.
    expect(normaliseShares(node, 8)).toEqual([
      133_333_332, 266_666_666, 466_666_667,
    ]);
  });

  it('never exceed a GPU once normalised, whatever is legal', () => {
    const geometries = gpuModels.flatMap(model =>
      model.mig ? [model.mig] : [],
    );
    const layout = fc.constantFrom(...geometries).chain(geometry =>
      fc
        .tuple(...geometry.profiles.map(({ max }) => fc.nat({ max })))
        .map(counts => ({
          geometry,
          layout: Object.fromEntries(
            counts.map((count, i) => [geometry.profiles[i].name, count]),
          ),
        }))
        .filter(({ layout: counts }) => isLegalLayout(geometry, counts)),
    );
    fc.assert(
      fc.property(layout, fc.integer({ min: 1, max: 16 }), (item, gpus) => {
        const node = sharesOf(item.geometry, item.layout).map(unit => ({
          ...unit,
          count: unit.count * gpus,
        }));
        const shares = normaliseShares(node, gpus);
        const total = sum(
          node.map((unit, i) => ({ ...unit, shareNano: shares[i] })),
        );
        expect(total).toBeLessThanOrEqual(gpus * WHOLE_GPU);
      }),
      { numRuns: 60 },
    );
  });
});

describe('amdPartitionShare', () => {
  const mi300x = findGpuModel('mi300x')!.amd!;
  it.each([
    ['spx_nps1', 1_000_000_000],
    ['dpx_nps2', 500_000_000],
    ['qpx_nps4', 250_000_000],
    ['cpx_nps4', 125_000_000],
  ])('of %s on an MI300X is %i', (partition, share) => {
    expect(amdPartitionShare(mi300x, partition)?.shareNano).toBe(share);
  });

  it('knows the third of an MI300A, and refuses modes a model lacks', () => {
    const mi300a = findGpuModel('mi300a')!.amd!;
    expect(amdPartitionShare(mi300a, 'tpx_nps1')?.shareNano).toBe(333_333_333);
    expect(amdPartitionShare(mi300a, 'cpx_nps4')).toBeUndefined();
    expect(amdPartitionShare(mi300x, 'tpx_nps1')).toBeUndefined();
  });
});

describe('sharedAmong', () => {
  it('divides what replicas share', () => {
    expect(sharedAmong(unitShare(1, 1), 4).shareNano).toBe(250_000_000);
    expect(sharedAmong(migShare(h100, '1g.10gb')!, 2).shareNano).toBe(
      71_428_571,
    );
  });
});
