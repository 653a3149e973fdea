/**
 * Largest GPU time one sum may hold: int64 nano-GPU-seconds, 2.56 million GPU-hours.
 *
 * @public
 */
export const MAX_GPU_TIME = 2n ** 63n - 1n;

const NANO_PER_GPU_HOUR = 3_600_000_000_000n;

/**
 * Time on GPUs, in nano-GPU-seconds: share in nano-GPU × whole seconds.
 *
 * @throws RangeError for a negative or fractional part, and for a product beyond int64.
 * @public
 */
export function gpuTime(shareNano: bigint | number, seconds: number): bigint {
  return checked(
    wholeNumber('shareNano', shareNano) * wholeNumber('seconds', seconds),
  );
}

/**
 * Sum of GPU times, in nano-GPU-seconds.
 *
 * @throws RangeError beyond int64: a wrong total must never be shown.
 * @public
 */
export function addGpuTime(...times: bigint[]): bigint {
  return times.reduce((sum, time) => checked(sum + time), 0n);
}

/**
 * GPU-hours as a decimal number with up to `digits` places, rounded half up.
 * For display: sums are made before, in nano-GPU-seconds.
 *
 * @public
 */
export function formatGpuHours(time: bigint, digits: number = 2): string {
  const scale = 10n ** BigInt(digits);
  const magnitude = time < 0n ? -time : time;
  const scaled =
    (magnitude * scale + NANO_PER_GPU_HOUR / 2n) / NANO_PER_GPU_HOUR;
  const fraction = (scaled % scale).toString().padStart(digits, '0');
  const sign = time < 0n && scaled > 0n ? '-' : '';
  return `${sign}${scaled / scale}${digits > 0 ? `.${fraction}` : ''}`;
}

function wholeNumber(name: string, value: bigint | number): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(
      `${name} is ${value}: accepted is a whole number of at most ${Number.MAX_SAFE_INTEGER}`,
    );
  }
  if (value < 0) {
    throw new RangeError(`${name} is ${value}: accepted is zero or more`);
  }
  return BigInt(value);
}

function checked(time: bigint): bigint {
  if (time > MAX_GPU_TIME || time < -MAX_GPU_TIME) {
    throw new RangeError(
      `GPU time of ${time} nano-GPU-seconds does not fit in 64 bits: at most ${MAX_GPU_TIME} (2.56 million GPU-hours) is accepted; sum a shorter period`,
    );
  }
  return time;
}
