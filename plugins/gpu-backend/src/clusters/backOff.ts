import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Exponential back-off with jitter: the n-th wait is a random part, at
 * least half, of `first × 2^n`, at most `max` milliseconds, so that replicas
 * and watches that failed together do not come back together.
 */
export class BackOff {
  private attempt = 0;

  constructor(
    private readonly firstMillis: number,
    private readonly maxMillis: number,
    private readonly random: () => number = Math.random,
  ) {}

  /** Milliseconds of the next wait. */
  next(): number {
    const ceiling = Math.min(
      this.maxMillis,
      this.firstMillis * 2 ** Math.min(this.attempt, 30),
    );
    this.attempt += 1;
    return ceiling * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.attempt = 0;
  }

  /** Waits; returns early, without an error, when `signal` aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    await pause(this.next(), signal);
  }
}

/** Waits for `millis`; returns early, without an error, when `signal` aborts. */
export async function pause(
  millis: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(millis, undefined, { signal }).catch(() => undefined);
}

/** Resolves when `begin` calls back or `signal` aborts, whichever comes first. */
export async function orAborted(
  signal: AbortSignal,
  begin: (resolve: () => void) => void,
): Promise<void> {
  if (signal.aborted) {
    return;
  }
  let resolve: () => void = () => {};
  const settled = new Promise<void>(settle => {
    resolve = settle;
  });
  signal.addEventListener('abort', resolve);
  try {
    begin(resolve);
    await settled;
  } finally {
    signal.removeEventListener('abort', resolve);
  }
}
