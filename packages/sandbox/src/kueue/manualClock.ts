import { Clock } from '../clock';

interface Timer {
  at: number;
  order: number;
  callback: () => void;
}

/** A clock for tests: time passes only when told to, and callbacks run in the order they are due. */
export class ManualClock implements Clock {
  private time: number;
  private created = 0;
  private readonly timers = new Set<Timer>();

  constructor(start = '2026-01-01T00:00:00Z') {
    this.time = Date.parse(start);
  }

  now(): Date {
    return new Date(this.time);
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = {
      at: this.time + milliseconds,
      order: this.created++,
      callback,
    };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Lets `milliseconds` pass, and runs all that becomes due, what that causes included. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = [...this.timers].sort(
        (a, b) => a.at - b.at || a.order - b.order,
      );
      if (!next || next.at > end) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.callback();
    }
    this.time = end;
  }
}
