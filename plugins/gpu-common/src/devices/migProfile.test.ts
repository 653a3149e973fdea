import { gpuModels, findGpuModel } from './gpuModels';
import { findMigProfile, isLegalLayout, migProfileName } from './migProfile';

const a100 = findGpuModel('a100-80')!.mig!;
const a30 = findGpuModel('a30')!.mig!;
const rtx = findGpuModel('rtx-pro-6000')!.mig!;

describe('migProfileName', () => {
  it.each([
    ['1g.10gb', '1g.10gb'],
    ['1g.10gb+me', '1g.10gb.me'],
    ['1g.24gb+me.all', '1g.24gb.me.all'],
    ['1g.24gb-me', '1g.24gb-me'],
    ['4g.96gb+gfx', '4g.96gb.gfx'],
    ['10gb', undefined],
    ['1c.3g.40gb', undefined],
    ['', undefined],
  ])('of %p is %p', (text, name) => {
    expect(migProfileName(text)).toBe(name);
  });
});

describe('findMigProfile', () => {
  // Maxima of mig-parted's default configurations.
  it.each([
    ['a100-40', '1g.5gb', 7],
    ['a100-40', '1g.5gb+me', 1],
    ['a100-40', '1g.10gb', 4],
    ['a100-40', '2g.10gb', 3],
    ['a100-40', '3g.20gb', 2],
    ['a100-40', '4g.20gb', 1],
    ['a100-40', '7g.40gb', 1],
    ['h100-80', '1g.10gb', 7],
    ['h100-80', '1g.20gb', 4],
    ['h100-nvl-94', '3g.47gb', 2],
    ['h200-141', '1g.18gb', 7],
    ['h200-141', '1g.35gb', 4],
    ['a30', '1g.6gb', 4],
    ['a30', '2g.12gb', 2],
    ['gh200-96', '3g.48gb', 2],
    ['gh200-144', '2g.36gb', 3],
    ['b200', '1g.23gb', 7],
    ['b200', '7g.180gb', 1],
    ['b300', '1g.34gb', 7],
    ['gb200', '3g.93gb', 2],
    ['gb300', '3g.139gb', 2],
    ['rtx-pro-6000', '1g.24gb+gfx', 4],
    ['rtx-pro-6000', '1g.24gb+me.all', 1],
    ['rtx-pro-6000', '1g.24gb-me', 4],
    ['rtx-pro-6000', '2g.48gb', 2],
  ])('%s holds %s at most %i times', (key, name, max) => {
    expect(findMigProfile(findGpuModel(key)!.mig!, name)?.max).toBe(max);
  });

  it('takes the nearest row for another driver’s name of the same slice', () => {
    const gb200 = findGpuModel('gb200')!.mig!;
    expect(findMigProfile(gb200, '7g.189gb')).toMatchObject({
      name: '7g.189gb',
      memory: 8,
    });
    expect(findMigProfile(gb200, '1g.24gb')).toMatchObject({ memory: 1 });
    expect(findMigProfile(gb200, '3g.95gb')).toMatchObject({ memory: 4 });
    const gb300 = findGpuModel('gb300')!.mig!;
    expect(findMigProfile(gb300, '7g.251gb')).toMatchObject({ memory: 8 });
  });

  it('does not stretch a row to any size', () => {
    expect(findMigProfile(a100, '1g.40gb')).toBeUndefined();
    expect(findMigProfile(a100, '5g.50gb')).toBeUndefined();
  });
});

describe('isLegalLayout', () => {
  it.each<[Record<string, number>, boolean]>([
    [{}, true],
    [{ '1g.10gb': 7 }, true],
    [{ '1g.10gb': 8 }, false],
    [{ '1g.20gb': 4 }, true],
    [{ '2g.20gb': 3, '1g.10gb': 1 }, true],
    [{ '2g.20gb': 3, '1g.10gb': 2 }, false],
    [{ '3g.40gb': 2 }, true],
    // Both halves are taken: compute is left over, memory is not.
    [{ '3g.40gb': 2, '1g.10gb': 1 }, false],
    [{ '4g.40gb': 1, '3g.40gb': 1 }, true],
    [{ '1g.10gb': 2, '2g.20gb': 1, '3g.40gb': 1 }, true],
    [{ '4g.40gb': 1, '2g.20gb': 1, '1g.10gb': 1 }, true],
    [{ '4g.40gb': 1, '2g.20gb': 1, '1g.10gb': 2 }, false],
    [{ '7g.80gb': 1 }, true],
    [{ '7g.80gb': 1, '1g.10gb': 1 }, false],
    [{ '1g.10gb.me': 1, '1g.10gb': 6 }, true],
    [{ '1g.10gb.me': 2 }, false],
    [{ '9g.90gb': 1 }, false],
    [{ '1g.10gb': 1.5 }, false],
    [{ '1g.10gb': -1 }, false],
  ])('of an A100 80 GB: %p is %p', (layout, legal) => {
    expect(isLegalLayout(a100, layout)).toBe(legal);
  });

  it('knows the four-slice models', () => {
    expect(isLegalLayout(a30, { '1g.6gb': 2, '2g.12gb': 1 })).toBe(true);
    expect(isLegalLayout(a30, { '1g.6gb': 3, '2g.12gb': 1 })).toBe(false);
    expect(isLegalLayout(rtx, { '2g.48gb': 1, '1g.24gb-me': 2 })).toBe(true);
    expect(isLegalLayout(rtx, { '4g.96gb.gfx': 1, '1g.24gb': 1 })).toBe(false);
  });

  it('accepts every balanced layout and every maximum of the table', () => {
    for (const { mig } of gpuModels) {
      if (!mig) continue;
      expect(isLegalLayout(mig, mig.balanced)).toBe(true);
      for (const { name, max } of mig.profiles) {
        expect(isLegalLayout(mig, { [name]: max })).toBe(true);
      }
    }
  });
});
