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
    // one nano-GPU a part is what rounding down to integers can take away
    if (
      numerator >= 1 &&
      Math.abs(numerator * NANO - shareNano * parts) <= parts
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

/** GPU time from nano-GPU-seconds as a decimal string (int64): `3.2 GPU-hours`. */
export function formatGpuTime(nanoSeconds: string): string {
  const hundredths = Number((BigInt(nanoSeconds) * 100n) / 3_600_000_000_000n);
  return `${hundredths / 100} GPU-hours`;
}
