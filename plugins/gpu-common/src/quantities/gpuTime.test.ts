import { addGpuTime, formatGpuHours, gpuTime, MAX_GPU_TIME } from './gpuTime';

describe('gpuTime', () => {
  it.each<[bigint | number, number, bigint]>([
    [1_000_000_000n, 3600, 3_600_000_000_000n],
    [142_857_143, 7, 1_000_000_001n],
    [0n, 99, 0n],
    [250_000_000n, 0, 0n],
  ])('of %p nano-GPU over %i s is %p', (share, seconds, time) => {
    expect(gpuTime(share, seconds)).toBe(time);
  });

  it('refuses what is negative, fractional or beyond 64 bits', () => {
    expect(() => gpuTime(-1n, 1)).toThrow('shareNano is -1');
    expect(() => gpuTime(1n, -1)).toThrow('seconds is -1');
    expect(() => gpuTime(1n, 1.5)).toThrow('seconds is 1.5');
    expect(() => gpuTime(NaN, 1)).toThrow('shareNano is NaN');
    expect(() => gpuTime(MAX_GPU_TIME, 2)).toThrow('does not fit in 64 bits');
  });
});

describe('addGpuTime', () => {
  it('adds, and refuses to overflow', () => {
    expect(addGpuTime(1n, 2n, 3n)).toBe(6n);
    expect(addGpuTime()).toBe(0n);
    expect(addGpuTime(MAX_GPU_TIME, 0n)).toBe(MAX_GPU_TIME);
    expect(() => addGpuTime(MAX_GPU_TIME, 1n)).toThrow('GPU time of');
  });
});

describe('formatGpuHours', () => {
  it.each<[bigint, number, string]>([
    [3_600_000_000_000n, 2, '1.00'],
    [5_400_000_000_000n, 1, '1.5'],
    [18_000_000_000n, 2, '0.01'],
    [17_999_999_999n, 2, '0.00'],
    [-3_600_000_000_000n, 0, '-1'],
    [-1n, 2, '0.00'],
  ])('writes %p with %i places as %s', (time, digits, text) => {
    expect(formatGpuHours(time, digits)).toBe(text);
  });
});
