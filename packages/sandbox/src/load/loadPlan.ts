import { layouts, NodeLayout, SpokeName, Team, teams } from '../fleet/fleet';
import { SeededRandom } from '../seededRandom';
import { hourFactor, teamDemand } from './demand';
import { LoadKind, WorkStream, workStreams } from './pools';

/** One piece of work of the background load. */
export interface LoadItem {
  /** Moment it is submitted, milliseconds since the epoch. */
  at: number;
  cluster: SpokeName;
  /** Namespace of the team. */
  namespace: string;
  name: string;
  kind: LoadKind;
  /** False: a pod that nobody queued (3 %). */
  managed: boolean;
  resource: string;
  /** Labels that pin its flavor. */
  nodeSelector: Readonly<Record<string, string>>;
  pods: number;
  /** Of each pod. */
  units: number;
  /** How long it runs once it runs. */
  seconds: number;
  fails: boolean;
  priorityClass: string;
}

/** Teams and devices a plan is made for. */
export interface LoadFleet {
  teams: readonly Team[];
  layouts: readonly NodeLayout[];
}

export const referenceFleet: LoadFleet = { teams, layouts };

const HOUR_MS = 3_600_000;
const UNMANAGED = 0.03;
const REMEMBERED_HOURS = 3;

/**
 * What is submitted in [from, to), in order. A pure function: one seed gives
 * one history, and two neighbouring spans give the same as the whole.
 *
 * @param from - milliseconds since the epoch
 * @param quiet - teams that submit nothing
 */
export function loadPlan(
  seed: number | string,
  fleet: LoadFleet,
  from: number,
  to: number,
  quiet: readonly string[] = [],
): LoadItem[] {
  return planner(seed, fleet, quiet)(from, to);
}

/** {@link loadPlan} for one who asks again and again: the hours asked for last are remembered. */
export function planner(
  seed: number | string,
  fleet: LoadFleet,
  quiet: readonly string[] = [],
): (from: number, to: number) => LoadItem[] {
  const teamsAtWork = fleet.teams.filter(team => !quiet.includes(team.name));
  const streams = workStreams(fleet.layouts);
  const recent = new Map<number, LoadItem[]>();
  const planOf = (hour: number): LoadItem[] => {
    const known = recent.get(hour);
    if (known) return known;
    const items = hourPlan(seed, teamsAtWork, streams, hour);
    recent.set(hour, items);
    if (recent.size > REMEMBERED_HOURS) {
      recent.delete(recent.keys().next().value!);
    }
    return items;
  };
  return (from, to) => {
    const items: LoadItem[] = [];
    const last = Math.ceil(to / HOUR_MS);
    for (let hour = Math.floor(from / HOUR_MS); hour < last; hour++) {
      for (const item of planOf(hour)) {
        if (item.at >= from && item.at < to) items.push(item);
      }
    }
    return items;
  };
}

/** All of one hour (UTC, counted since the epoch), in order. */
function hourPlan(
  seed: number | string,
  teamsAtWork: readonly Team[],
  streams: readonly WorkStream[],
  hour: number,
): LoadItem[] {
  const items: LoadItem[] = [];
  streams.forEach((stream, index) => {
    const demands = teamsAtWork.map(team =>
      teamDemand(seed, team, stream, hour),
    );
    const total = demands.reduce((sum, demand) => sum + demand, 0);
    const rate = arrivalsPerHour(stream) * hourFactor(stream, hour);
    teamsAtWork.forEach((team, place) => {
      const random = new SeededRandom(seed, index, team.name, hour);
      const share = (rate * demands[place]) / total;
      let moment = random.exponential(share);
      while (moment < 1) {
        items.push(piece(stream, team, (hour + moment) * HOUR_MS, random));
        moment += random.exponential(share);
      }
    });
  });
  return items.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
}

/** Arrivals that keep `meanUnits` in use: mean units ÷ (mean size × mean run time), by Little's law. */
function arrivalsPerHour(stream: WorkStream): number {
  const weights = stream.sizes.reduce((sum, [, weight]) => sum + weight, 0);
  const size =
    stream.sizes.reduce((sum, [units, weight]) => sum + units * weight, 0) /
    weights;
  return stream.meanUnits / (size * meanHours(stream));
}

/**
 * Mean of the log-normal run time cut off at its cap,
 * E[min(X, c)] = e^(μ+σ²/2) Φ((ln c − μ − σ²)/σ) + c (1 − Φ((ln c − μ)/σ)),
 * less what failing early takes: failures end at half their time on average.
 */
function meanHours(stream: WorkStream): number {
  const { medianSeconds, sigma, maxSeconds, failures } = stream;
  const mu = Math.log(medianSeconds);
  const cap = Math.log(maxSeconds);
  const mean =
    Math.exp(mu + sigma ** 2 / 2) * normalCdf((cap - mu - sigma ** 2) / sigma) +
    maxSeconds * (1 - normalCdf((cap - mu) / sigma));
  return (mean * (1 - failures / 2)) / 3600;
}

/** Standard normal distribution, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const polynomial =
    t *
    (0.31938153 +
      t *
        (-0.356563782 +
          t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return x >= 0 ? 1 - tail : tail;
}

function piece(
  stream: WorkStream,
  team: Team,
  at: number,
  random: SeededRandom,
): LoadItem {
  const size = random.weighted(stream.sizes);
  const layout = random.weighted(stream.layouts);
  const word = stream.names[Math.floor(random.next() * stream.names.length)];
  const tag = Math.floor(random.next() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  const fails = random.next() < stream.failures;
  const run = Math.min(
    stream.maxSeconds,
    random.logNormal(stream.medianSeconds, stream.sigma),
  );
  const managed = random.next() >= UNMANAGED;
  const units = Math.min(size, stream.unitsPerPod);
  const classes = team.priorityClasses.map(
    name => [name, { low: 3, normal: 7, high: 1 }[name] ?? 1] as const,
  );
  return {
    at: Math.floor(at),
    cluster: stream.cluster,
    namespace: team.name,
    name: `${word}-${tag}`,
    kind: stream.kind,
    managed,
    resource: stream.resource,
    nodeSelector: layout.nodeLabels,
    units,
    pods: managed ? Math.ceil(size / units) : 1,
    seconds: Math.max(10, Math.round(fails ? run * random.next() : run)),
    fails,
    priorityClass: random.weighted(classes),
  };
}
