import type { Clock } from '../clock';

/** Keys handled in one turn, so that a burst does not hold up everything else. */
const perTurn = 500;

/**
 * Keys waiting to be handled, each once however often it was added. Handling
 * starts on a later turn; a key added while it is handled is handled again.
 */
export class WorkQueue {
  private readonly keys = new Set<string>();
  private readonly delayed = new Map<string, () => void>();
  private cancelTurn?: () => void;
  private stopped = false;

  /**
   * @param name - for error messages
   * @param handle - brings the object of a key to where it should be; when it throws the key is tried again a second later
   */
  constructor(
    private readonly name: string,
    private readonly clock: Clock,
    private readonly handle: (key: string) => void,
  ) {}

  add(key: string): void {
    if (this.stopped) {
      return;
    }
    this.keys.add(key);
    this.cancelTurn ??= this.clock.after(0, () => this.turn());
  }

  /** Adds the key later; replaces an earlier delay of the same key. */
  addAfter(key: string, milliseconds: number): void {
    if (this.stopped) {
      return;
    }
    this.delayed.get(key)?.();
    this.delayed.set(
      key,
      this.clock.after(Math.max(0, milliseconds), () => {
        this.delayed.delete(key);
        this.add(key);
      }),
    );
  }

  /** Forgets a delay of the key. */
  cancelDelay(key: string): void {
    this.delayed.get(key)?.();
    this.delayed.delete(key);
  }

  stop(): void {
    this.stopped = true;
    this.cancelTurn?.();
    this.delayed.forEach(cancel => cancel());
    this.delayed.clear();
    this.keys.clear();
  }

  private turn(): void {
    this.cancelTurn = undefined;
    let left = perTurn;
    for (const key of this.keys) {
      if (this.stopped) {
        return;
      }
      if (left-- === 0) {
        this.cancelTurn ??= this.clock.after(0, () => this.turn());
        return;
      }
      this.keys.delete(key);
      try {
        this.handle(key);
      } catch (error) {
        // eslint-disable-next-line no-console
        console.error(`${this.name}: ${key}:`, error);
        this.addAfter(key, 1000);
      }
    }
  }
}
