import { PrometheusApiError } from './apiError';
import { DeviceHistory, Unit } from './deviceHistory';
import {
  DeviceMetric,
  deviceMetrics,
  power,
  Reading,
  unitActivity,
  unitCores,
} from './deviceMetrics';
import { EnergyCounter } from './energyCounter';
import { holdersAt, isWithin, Segment, segmentsOf } from './segments';
import { Matcher, Selector } from './selector';
import {
  holderLabels,
  identity,
  isHolderLabel,
  Labels,
  unitLabels,
} from './seriesLabels';
import { Holder } from './workProfile';

/** A series with its samples: moment in milliseconds, value. */
export interface Series {
  labels: Labels;
  samples: Array<[number, number]>;
}

/** How far back a sample still counts as the present one. */
export const LOOKBACK_MS = 5 * 60_000;
const MAX_SAMPLES = 5_000_000;

/**
 * Answers selectors from the device history: samples exist at scrape instants
 * (multiples of the interval) only, a series ends with the scrape that no
 * longer shows it, as Prometheus' staleness markers have it.
 */
export class QueryEngine {
  private readonly energy = new Map<string, EnergyCounter>();
  /** Busy shares of boards, for one query or tick: each slice of a board asks, and history may still grow after. */
  private readonly boards = new Map<string, number>();
  private readonly startedAt: number;

  constructor(
    private readonly history: DeviceHistory,
    private readonly seed: number | string,
    private readonly intervalMs: number,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
  }

  /** Keeps counters running while nobody asks. */
  tick(): void {
    const minute = Math.floor(this.now() / 60_000);
    this.boards.clear();
    for (const unit of this.history.units.values()) {
      this.energyOf(unit).fillTo(minute);
    }
    this.history.prune();
  }

  /** Value of each series at each moment (start, start + step … end). */
  atMoments(selector: Selector, moments: number[]): Series[] {
    const scrapes = moments.map(moment =>
      this.scrapeBefore(moment - selector.offsetMs),
    );
    return this.collect(selector.matchers, scrapes, moments);
  }

  /** Raw samples in (at − range, at]. */
  range(selector: Selector & { rangeMs: number }, at: number): Series[] {
    const end = at - selector.offsetMs;
    const scrapes = this.scrapesBetween(end - selector.rangeMs + 1, end);
    return this.collect(selector.matchers, scrapes, scrapes);
  }

  /** Label sets of the series that had a sample in a span. */
  seriesBetween(selectors: Matcher[][], from: number, to: number): Labels[] {
    const scrapes = this.scrapesBetween(from, to);
    const found = new Map<string, Labels>();
    if (scrapes.length === 0) return [];
    for (const matchers of selectors) {
      this.eachSegment(matchers, scrapes, (_, labels) => {
        found.set(identity(labels), labels);
      });
    }
    return [...found.values()];
  }

  private collect(
    matchers: Matcher[],
    scrapes: Array<number | undefined>,
    stamps: number[],
  ): Series[] {
    const found = new Map<string, Series>();
    const known = scrapes.filter(
      (scrape): scrape is number => scrape !== undefined,
    );
    let samples = 0;
    this.boards.clear();
    this.eachSegment(matchers, known, (metric, labels, unit, segment) => {
      const key = identity(labels);
      const series = found.get(key) ?? { labels, samples: [] };
      let last: { scrape: number; value: number | undefined } | undefined;
      scrapes.forEach((scrape, index) => {
        if (scrape === undefined || !isWithin(segment, scrape)) return;
        if (last?.scrape !== scrape) {
          const reading = this.reading(unit, segment.holders, scrape);
          last = { scrape, value: metric.value(this.seed, reading) };
        }
        const { value } = last;
        if (value === undefined) return;
        samples += 1;
        if (samples > MAX_SAMPLES) {
          throw new PrometheusApiError(
            'execution',
            'query processing would load too many samples into memory in query execution',
          );
        }
        series.samples.push([stamps[index], value]);
      });
      if (series.samples.length > 0) found.set(key, series);
    });
    return [...found.values()].map(series => ({
      ...series,
      samples: series.samples.sort((a, b) => a[0] - b[0]),
    }));
  }

  /** Calls back for each metric of each unit and each stretch with the same holders that has a scrape. */
  private eachSegment(
    matchers: Matcher[],
    scrapes: number[],
    onSegment: (
      metric: DeviceMetric,
      labels: Labels,
      unit: Unit,
      segment: Segment,
    ) => void,
  ): void {
    const name = matchers.filter(({ label }) => label === '__name__');
    const metrics = deviceMetrics.filter(metric =>
      name.every(matcher => matcher.matches(metric.name)),
    );
    if (metrics.length === 0 || scrapes.length === 0) return;
    for (const unit of this.history.units.values()) {
      const fixed = unitLabels(unit);
      const isOther = matchers.some(
        ({ label, matches }) =>
          label !== '__name__' &&
          !isHolderLabel(label) &&
          !matches(fixed[label] ?? ''),
      );
      if (isOther) continue;
      for (const segment of segmentsOf(unit, scrapes)) {
        const labels = { ...fixed, ...holderLabels(segment.holders) };
        if (
          !matchers.every(
            ({ label, matches }) =>
              label === '__name__' || matches(labels[label] ?? ''),
          )
        ) {
          continue;
        }
        for (const metric of metrics) {
          if (unit.partition && metric.name === 'DCGM_FI_DEV_GPU_UTIL')
            continue;
          onSegment(
            metric,
            { __name__: metric.name, ...labels },
            unit,
            segment,
          );
        }
      }
    }
  }

  private reading(unit: Unit, holders: Holder[], at: number): Reading {
    return {
      unit,
      at,
      holders,
      boardCompute: () => this.boardCompute(unit, at),
      energyMillijoules: () => this.energyOf(unit).at(at),
    };
  }

  /** Busy share of the board: each of its units by its part of the cores. */
  private boardCompute(unit: Unit, at: number): number {
    const key = `${unit.device.uuid}/${at}`;
    let busy = this.boards.get(key);
    if (busy === undefined) {
      busy = this.unitsOfBoard(unit).reduce((sum, part) => {
        const holders = holdersAt(part, at);
        const { compute } = unitActivity(this.seed, part, holders, at);
        return sum + unitCores(part) * compute;
      }, 0);
      this.boards.set(key, busy);
    }
    return busy;
  }

  private unitsOfBoard({ device }: Unit): Unit[] {
    const keys =
      device.partitions.length > 0
        ? device.partitions.map(({ id }) => `${device.uuid}/${id}`)
        : [device.uuid];
    return keys.flatMap(key => this.history.units.get(key) ?? []);
  }

  private energyOf(unit: Unit): EnergyCounter {
    const { uuid } = unit.device;
    let counter = this.energy.get(uuid);
    if (!counter) {
      counter = new EnergyCounter(
        at => power(unit, this.boardCompute(unit, at)),
        power(unit, 0),
        this.startedAt,
      );
      this.energy.set(uuid, counter);
    }
    return counter;
  }

  /** The last scrape at or before a moment that still counts; undefined if there is none. */
  private scrapeBefore(moment: number): number | undefined {
    const last = Math.min(moment, this.now());
    const scrape = Math.floor(last / this.intervalMs) * this.intervalMs;
    return scrape < this.startedAt || moment - scrape >= LOOKBACK_MS
      ? undefined
      : scrape;
  }

  private scrapesBetween(from: number, to: number): number[] {
    const start = Math.max(from, this.startedAt);
    const end = Math.min(to, this.now());
    const scrapes: number[] = [];
    const first = Math.ceil(start / this.intervalMs) * this.intervalMs;
    for (let at = first; at <= end; at += this.intervalMs) scrapes.push(at);
    return scrapes;
  }
}
