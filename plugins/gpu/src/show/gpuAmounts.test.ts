import {
  formatGpus,
  formatGpuTime,
  formatShare,
  formatVram,
} from './gpuAmounts';

describe('formatGpus', () => {
  it.each([
    [0, '0 GPUs'],
    [142_857_142, '0.14 GPUs'],
    [1_000_000_000, '1 GPU'],
    [12_500_000_000, '12.5 GPUs'],
  ])('shows %d nano-GPU as %s', (nano, text) => {
    expect(formatGpus(nano)).toBe(text);
  });
});

describe('formatShare', () => {
  it.each([
    [1_000_000_000, '1 GPU'],
    [500_000_000, '1/2 GPU'],
    [142_857_142, '1/7 GPU'],
    [428_571_428, '3/7 GPU'],
    [375_000_000, '3/8 GPU'],
    [71_428_571, '1/14 GPU'],
    [31_250_000, '1/32 GPU'],
    [133_333_332, '2/15 GPU'],
    [466_666_667, '7/15 GPU'],
    [12_345_678, '1.2 % GPU'],
  ])('shows %d nano-GPU as %s', (nano, text) => {
    expect(formatShare(nano)).toBe(text);
  });
});

describe('formatVram', () => {
  it.each([
    [81_920, '80 GiB'],
    [9_728, '9.5 GiB'],
    [512, '0.5 GiB'],
  ])('shows %d MiB as %s', (mib, text) => {
    expect(formatVram(mib)).toBe(text);
  });
});

describe('formatGpuTime', () => {
  it.each([
    ['0', '0 GPU-seconds'],
    ['142857142', '0.14 GPU-seconds'],
    ['21000000000', '21 GPU-seconds'],
    ['59999999999', '59.99 GPU-seconds'],
    ['60000000000', '1 GPU-minutes'],
    ['1200000000000', '20 GPU-minutes'],
    ['3600000000000', '1 GPU-hours'],
    ['11520000000000', '3.2 GPU-hours'],
    ['9223372036854775807', '2562047.78 GPU-hours'],
  ])('shows %s nano-GPU-seconds as %s', (nano, text) => {
    expect(formatGpuTime(nano)).toBe(text);
  });
});
