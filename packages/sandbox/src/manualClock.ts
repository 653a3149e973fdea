import { Clock } from './clock';

/** A clock that moves only when told to: time for tests. */
export class ManualClock implements Clock {
  private readonly timers = new Set<{ at: number; callback: () => void }>();

  constructor(private time: number) {}

  now(): Date {
    return new Date(this.time);
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.time + milliseconds, callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Moves on, calling back what falls due in between, in order. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = [...this.timers]
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at);
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.callback();
    }
    this.time = end;
  }
}
