/**
 * Time for the sandbox: stamps are always wall time; only durations of jobs
 * and of the background load are scaled.
 */
export interface Clock {
  now(): Date;
  /** Calls back after `milliseconds` of wall time; returns a canceller. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const wallClock: Clock = {
  now: () => new Date(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** RFC 3339 with whole seconds, rounded down, as Kubernetes stamps are. */
export function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
