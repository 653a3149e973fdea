import { ObjectStore } from '../apiserver/objectStore';
import { Clock, wallClock } from '../clock';
import { LoadFleet, LoadItem, planner, referenceFleet } from './loadPlan';
import { LoadPlace } from './loadPlace';

export interface LoadOptions {
  clusters: ReadonlyArray<{ name: string; store: ObjectStore }>;
  /** The same seed gives the same history from the same start. */
  seed?: number | string;
  clock?: Clock;
  /**
   * How many seconds of work pass in one second of wall time. Arrivals are
   * scaled here; run times by the kubelet, which scales every `sleep`.
   */
  timeScale?: number;
  fleet?: LoadFleet;
  /** Teams that submit nothing. */
  quiet?: readonly string[];
  /** Objects of the load alive at once on a cluster, at most. */
  maxLive?: number;
  /** Finished objects of the load kept on a cluster, at most. */
  maxFinished?: number;
  /** Wall time a finished Job is kept, so that its end can be seen. */
  keepFinishedSeconds?: number;
  /** Told what a cluster refused. */
  onRefused?: (item: LoadItem, error: unknown) => void;
}

export interface LoadStats {
  /** Objects of the load that exist and have not finished. */
  live: number;
  finished: number;
  /** Pieces left out because `maxLive` was reached, or because a cluster refused them. */
  leftOut: number;
}

export interface RunningLoad {
  stats(): LoadStats;
  /** Stops submitting and tidying; what runs stays. */
  close(): void;
}

const TICK_MS = 1000;
/** The longest a piece runs: what was submitted before cannot still be there. */
const LONGEST_MS = 24 * 3_600_000;
const MAX_CATCH_UP_MS = 3_600_000;

/**
 * Keeps teams busy: submits what the plan says as time passes, and removes
 * what has finished. It begins in the middle of things, with what was
 * submitted earlier and would still be running.
 */
export function startLoad(options: LoadOptions): RunningLoad {
  const {
    clusters,
    seed = 1,
    clock = wallClock,
    timeScale = 1,
    fleet = referenceFleet,
    quiet = [],
  } = options;
  const started = clock.now().getTime();
  const places = new Map(
    clusters.map(({ name, store }) => [
      name,
      new LoadPlace(store, clock, {
        maxLive: options.maxLive ?? 600,
        maxFinished: options.maxFinished ?? 500,
        keepFinishedMs: 1000 * (options.keepFinishedSeconds ?? 600),
        onRefused: options.onRefused ?? (() => {}),
      }),
    ]),
  );
  const plan = planner(seed, fleet, quiet);
  const submit = (item: LoadItem, seconds: number) =>
    places.get(item.cluster)?.submit(item, Math.ceil(seconds));

  for (const item of plan(started - LONGEST_MS, started)) {
    const left = item.seconds - (started - item.at) / 1000;
    if (left > 0) submit(item, left);
  }

  let reached = started;
  let cancel = () => {};
  const tick = () => {
    const now = started + (clock.now().getTime() - started) * timeScale;
    // After a pause (a suspended laptop) the gap is skipped, not replayed.
    const from = Math.max(reached, now - MAX_CATCH_UP_MS * timeScale);
    plan(from, now).forEach(item => submit(item, item.seconds));
    reached = now;
    places.forEach(place => place.tidy());
    cancel = clock.after(TICK_MS, tick);
  };
  cancel = clock.after(TICK_MS, tick);

  return {
    stats: () => {
      const sum: LoadStats = { live: 0, finished: 0, leftOut: 0 };
      places.forEach(({ live, finished, leftOut }) => {
        sum.live += live.size;
        sum.finished += finished.size;
        sum.leftOut += leftOut;
      });
      return sum;
    },
    close: () => {
      cancel();
      places.forEach(place => place.close());
    },
  };
}
