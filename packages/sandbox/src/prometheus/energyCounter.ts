const MINUTE = 60_000;
/** Minutes of readings kept: the retention of six hours and a little. */
const KEPT = 380;
/** Boards are taken to have idled since this moment before they were watched. */
const BOOT = Date.UTC(2026, 0, 1);

/**
 * Energy counter of one board, mJ: never falls, and grows by the power at the
 * start of each minute times the minute, so that it is the same whenever it is
 * asked for.
 */
export class EnergyCounter {
  private readonly totals: number[] = [];
  private first: number;
  private drawn = { minute: -1, watts: 0 };

  /** @param power - watts drawn at a moment */
  constructor(
    private readonly power: (at: number) => number,
    idlePower: number,
    startedAt: number,
  ) {
    this.first = Math.floor(startedAt / MINUTE);
    this.totals.push(
      Math.round((idlePower * Math.max(0, this.first * MINUTE - BOOT)) / 1000) *
        1000,
    );
  }

  /** The counter at a moment, at the earliest the first minute that is kept. */
  at(moment: number): number {
    const minute = Math.max(this.first, Math.floor(moment / MINUTE));
    this.fillTo(minute);
    const since = Math.max(0, moment - minute * MINUTE);
    const watts = this.wattsOf(minute);
    return this.totals[minute - this.first] + Math.round(watts * since);
  }

  /** Adds the minutes up to a moment, and forgets those beyond the retention. */
  fillTo(minute: number): void {
    while (this.first + this.totals.length <= minute) {
      const last = this.first + this.totals.length - 1;
      this.totals.push(
        this.totals[this.totals.length - 1] +
          Math.round(this.wattsOf(last) * MINUTE),
      );
    }
    const excess = this.totals.length - KEPT;
    if (excess > 0) {
      this.totals.splice(0, excess);
      this.first += excess;
    }
  }

  /** Power at the start of a minute; asked for again by every slice of a board. */
  private wattsOf(minute: number): number {
    if (this.drawn.minute !== minute) {
      this.drawn = { minute, watts: this.power(minute * MINUTE) };
    }
    return this.drawn.watts;
  }
}
