/** GPUAAS_SEED, or a seed of this run; a test names it, so that it can be run again. */
export function seedFromEnvironment(): number {
  const given = process.env.GPUAAS_SEED;
  return given === undefined
    ? Math.floor(Math.random() * 2 ** 31)
    : Number(given);
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    /* eslint-disable no-bitwise */
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    /* eslint-enable no-bitwise */
  };
}
