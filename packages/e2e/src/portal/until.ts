import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again until `ask` returns something, or fails after `timeoutMs` with
 * what was waited for.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  {
    timeoutMs = 60_000,
    everyMs = 100,
  }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) {
      throw new Error(`${what}: not so after ${timeoutMs / 1000} s`);
    }
    await delay(everyMs);
  }
}
