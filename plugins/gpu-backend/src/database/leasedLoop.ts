import { pause } from '../clusters/backOff';
import { Leases } from './leases';

/**
 * Does `round` every so often on whichever replica holds the lease, until the
 * signal aborts. What goes wrong is told to `onError` and tried again; never
 * rejects.
 */
export async function leasedLoop(options: {
  leases: Leases;
  lease: string;
  everyMillis: number;
  signal: AbortSignal;
  round(): Promise<void>;
  onError(error: Error): void;
}): Promise<void> {
  const { leases, everyMillis, signal } = options;
  while (!signal.aborted) {
    try {
      const lease = await leases.acquire(options.lease);
      if (lease) {
        try {
          while (!signal.aborted) {
            await leases.guard(lease);
            await options.round();
            await pause(everyMillis, signal);
          }
        } finally {
          await leases.release(lease).catch(() => undefined);
        }
      }
    } catch (error) {
      options.onError(error as Error);
    }
    await pause(everyMillis, signal);
  }
}
