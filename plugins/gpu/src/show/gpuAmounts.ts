const NANO = 1_000_000_000;

/** Physical GPUs: `0.14 GPUs`, `1 GPU`, `12.5 GPUs`. */
export function formatGpus(nano: number): string {
  const gpus = Math.round((nano / NANO) * 100) / 100;
  return `${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'}`;
}

/**
 * The physical share of one unit: `1 GPU`, `1/7 GPU`, `1/2 GPU`. Shares that
 * are no simple fraction are shown per cent.
 */
export function formatShare(shareNano: number): string {
  for (let parts = 1; parts <= 32; parts++) {
    const numerator = Math.round((shareNano * parts) / NANO);
    // a mean over nodes, each rounded to nano-GPU, is a few of them off
    if (
      numerator >= 1 &&
      Math.abs(numerator * NANO - shareNano * parts) <= 10 * parts
    ) {
      return parts === 1 ? `${numerator} GPU` : `${numerator}/${parts} GPU`;
    }
  }
  return `${Math.round((shareNano / NANO) * 1_000) / 10} % GPU`;
}

/** Memory in GiB, as `nvidia-smi` and pod limits count: `80 GiB`, `9.5 GiB`. */
export function formatVram(mib: number): string {
  return `${Math.round((mib / 1_024) * 10) / 10} GiB`;
}

/** Every share that occurs: one class may be cut differently on two flavors. */
export function formatShares(shares: number[]): string {
  return shares.map(formatShare).join(', ');
}

const GPU_TIME_UNITS: Array<[seconds: bigint, name: string]> = [
  [3_600n, 'GPU-hours'],
  [60n, 'GPU-minutes'],
  [1n, 'GPU-seconds'],
];

/**
 * GPU time from nano-GPU-seconds as a decimal string (int64), in the largest
 * unit of which there is at least one: `3.2 GPU-hours`, `21 GPU-seconds`.
 */
export function formatGpuTime(nanoSeconds: string): string {
  const nano = BigInt(nanoSeconds);
  const [seconds, name] =
    GPU_TIME_UNITS.find(([size]) => nano >= size * BigInt(NANO)) ??
    GPU_TIME_UNITS[GPU_TIME_UNITS.length - 1];
  const hundredths = Number((nano * 100n) / (seconds * BigInt(NANO)));
  return `${hundredths / 100} ${name}`;
}
