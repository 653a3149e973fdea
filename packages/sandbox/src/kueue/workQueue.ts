import { Clock } from '../clock';

export interface WorkQueueOptions {
  clock: Clock;
  handle: (key: string) => void;
  /** A key whose handling failed; it is tried again. */
  onError: (key: string, error: unknown) => void;
}

const KEYS_PER_TURN = 256;
const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 10_000;

/**
 * Keys to be looked at, each once however often it was named, outside the
 * caller's stack. Handling goes by the present state alone, so that nothing is
 * lost when events are; what fails is tried again with growing pauses.
 */
export class WorkQueue {
  private readonly waiting = new Set<string>();
  private readonly later = new Map<string, () => void>();
  private readonly failures = new Map<string, number>();
  private scheduled?: () => void;
  private stopped = false;

  constructor(private readonly options: WorkQueueOptions) {}

  add(key: string): void {
    if (this.stopped) return;
    this.waiting.add(key);
    this.scheduled ??= this.options.clock.after(0, () => this.turn());
  }

  /** Handles everything that waits, now. */
  flush(): void {
    for (const key of this.waiting) {
      this.waiting.delete(key);
      this.handle(key);
    }
  }

  /** Looks at a key no earlier than after `milliseconds`; a later call replaces an earlier one. */
  addAfter(key: string, milliseconds: number): void {
    if (this.stopped) return;
    this.later.get(key)?.();
    this.later.set(
      key,
      this.options.clock.after(milliseconds, () => {
        this.later.delete(key);
        this.add(key);
      }),
    );
  }

  stop(): void {
    this.stopped = true;
    this.scheduled?.();
    this.later.forEach(cancel => cancel());
    this.waiting.clear();
  }

  private turn(): void {
    this.scheduled = undefined;
    let left = KEYS_PER_TURN;
    for (const key of this.waiting) {
      if (left === 0) break;
      left -= 1;
      this.waiting.delete(key);
      this.handle(key);
    }
    if (this.waiting.size > 0 && !this.stopped) {
      this.scheduled ??= this.options.clock.after(0, () => this.turn());
    }
  }

  private handle(key: string): void {
    try {
      this.options.handle(key);
      this.failures.delete(key);
    } catch (error) {
      const failures = (this.failures.get(key) ?? 0) + 1;
      this.failures.set(key, failures);
      this.options.onError(key, error);
      this.addAfter(
        key,
        Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS),
      );
    }
  }
}
