import { Clock } from '../clock';
import { WorkQueue } from '../core/workQueue';

const RETRY_MS = 1000;

export interface KeyQueueOptions {
  /** Whose keys they are, for messages. */
  kind: string;
  clock: Clock;
  /** Brings the object of a key to where it should be; may say after how many milliseconds to look again. */
  reconcile: (key: string) => number | void;
  onError: (what: string, error: unknown) => void;
}

/** Keys to be looked at, and looked at again when that fails. */
export class KeyQueue {
  private readonly queue: WorkQueue;

  constructor(private readonly options: KeyQueueOptions) {
    const { kind, clock } = options;
    this.queue = new WorkQueue(`Kueue ${kind}`, clock, key => this.handle(key));
  }

  add(key: string): void {
    this.queue.add(key);
  }

  stop(): void {
    this.queue.stop();
  }

  /** Looks at a key now, not on a later turn. */
  handle(key: string): void {
    const { kind, reconcile, onError } = this.options;
    let again: number | void;
    try {
      again = reconcile(key);
    } catch (error) {
      onError(`${kind} ${key}`, error);
      again = RETRY_MS;
    }
    if (again !== undefined) this.queue.addAfter(key, again);
  }
}
