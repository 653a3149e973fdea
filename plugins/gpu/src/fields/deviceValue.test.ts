import { isDeviceValue } from './deviceValue';

describe('isDeviceValue', () => {
  it.each([
    [{ deviceClass: 'nvidia-h100-80gb-hbm3' }, true],
    [{ deviceClass: 'nvidia-a100-sxm4-80gb.mig-1g.10gb.shared-2' }, true],
    [{ deviceClass: 'amd-instinct-mi300x.cpx_nps4' }, true],
    [{ fraction: { corePercent: 20, vramMiB: 12_288 } }, true],
    [{ fraction: { corePercent: 100, vramMiB: 1 } }, true],
    [{ fraction: { corePercent: 0, vramMiB: 1 } }, false],
    [{ fraction: { corePercent: 101, vramMiB: 1 } }, false],
    [{ fraction: { corePercent: 20.5, vramMiB: 1 } }, false],
    [{ fraction: { corePercent: 20, vramMiB: 0 } }, false],
    [{ fraction: { corePercent: '20', vramMiB: 12_288 } }, false],
    [{ fraction: { corePercent: 20 } }, false],
    [{ deviceClass: '' }, false],
    [{ deviceClass: 'h100"; rm -rf /' }, false],
    [{ deviceClass: 'h100', fraction: { corePercent: 20, vramMiB: 1 } }, false],
    ['nvidia-h100-80gb-hbm3', false],
    [undefined, false],
  ])('%j: %s', (value, valid) => {
    expect(isDeviceValue(value)).toBe(valid);
  });
});
