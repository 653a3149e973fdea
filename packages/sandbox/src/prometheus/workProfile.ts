import { uniform } from '../seededRandom';

/** What a pod does with its GPU. */
export type WorkKind = 'batch' | 'interactive' | 'serving';

/** The pod that holds a device, and what decides how it behaves. */
export interface Holder {
  namespace: string;
  pod: string;
  container: string;
  kind: WorkKind;
  /** When it started, milliseconds since the epoch. */
  startedAt: number;
}

/** How busy a holder keeps its part of a device at one moment, both 0 to 1. */
export interface Activity {
  compute: number;
  memory: number;
}

const MINUTE = 60_000;
const RAMP_MS = 90_000;

/**
 * A believable course of work, a pure function of seed, pod and time: training
 * loads data, climbs and dips at checkpoints; most notebooks sit unused, some
 * with memory held; services follow the day.
 */
export function activityOf(
  seed: number | string,
  holder: Holder,
  at: number,
): Activity {
  const who = `${holder.namespace}/${holder.pod}`;
  const draw = (...what: Array<string | number>) => uniform(seed, who, ...what);
  switch (holder.kind) {
    case 'interactive':
      return notebook(draw, at);
    case 'serving':
      return service(draw, at);
    default:
      return training(draw, at, Math.max(0, at - holder.startedAt));
  }
}

type Draw = (...what: Array<string | number>) => number;

function training(draw: Draw, at: number, age: number): Activity {
  const isSlow = draw('slow') < 0.08;
  const level = isSlow
    ? 0.2 + 0.2 * draw('level')
    : 0.78 + 0.18 * draw('level');
  const ramp = Math.min(1, age / RAMP_MS);
  // A checkpoint every eight to sixteen minutes stops the arithmetic for 20 s.
  const period = (8 + Math.floor(8 * draw('period'))) * MINUTE;
  const isCheckpoint = age > period && age % period < 20_000;
  const noise = 0.06 * (draw('noise', Math.floor(at / 15_000)) - 0.5);
  const compute = isCheckpoint ? 0.12 : 0.04 + ramp * (level - 0.04) + noise;
  return {
    compute: clamp(compute),
    memory: clamp(
      0.05 + Math.min(1, age / 30_000) * (0.5 + 0.4 * draw('memory')),
    ),
  };
}

function notebook(draw: Draw, at: number): Activity {
  const habit = draw('habit');
  // Six of ten are forgotten: two of these keep their tensors in memory.
  if (habit < 0.4) return { compute: 0, memory: 0.01 };
  if (habit < 0.6) return { compute: 0, memory: 0.35 + 0.3 * draw('held') };
  const date = new Date(at);
  const hour = date.getUTCHours();
  const isWork = hour >= 7 && hour < 18 && date.getUTCDay() % 6 !== 0;
  const bucket = Math.floor(at / (5 * MINUTE));
  const isBusy = draw('busy', bucket) < (isWork ? 0.35 : 0.04);
  return {
    compute: isBusy ? 0.25 + 0.5 * draw('burst', Math.floor(at / 15_000)) : 0,
    memory: 0.15 + 0.2 * draw('memory'),
  };
}

function service(draw: Draw, at: number): Activity {
  const hours = (at % (24 * 60 * MINUTE)) / (60 * MINUTE);
  // Lowest at 02:00, highest at 14:00 UTC.
  const day = (1 - Math.cos(((hours - 2) / 24) * 2 * Math.PI)) / 2;
  const peak = 0.45 + 0.4 * draw('peak');
  const noise = 0.1 * (draw('noise', Math.floor(at / 15_000)) - 0.5);
  return {
    compute: clamp(0.05 + (peak - 0.05) * day + noise),
    // A serving engine takes its cache at the start and keeps it.
    memory: 0.85 + 0.07 * draw('memory'),
  };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
