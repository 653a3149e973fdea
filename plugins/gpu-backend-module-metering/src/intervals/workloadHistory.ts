import { JsonObject } from '@backstage/types';
import { WorkloadObservation } from '@gpuaas/backstage-plugin-gpu-node';
import { GpuAssignment, gpuAssignments } from './gpuAssignments';

/**
 * A moment a Workload was given quota: all of it is known by its stamp, `at`.
 * `first` and `open` order it among the other facts of the Workload, stamps
 * being whole seconds: the observations it was first and last seen in, the
 * latter only while it held.
 */
export interface Given {
  at: number;
  first: number;
  /** Last observation in which it was held; -1 when it was only seen in hindsight. */
  open: number;
  gap?: { from: number; to: number };
  assignments: GpuAssignment[];
}

/** A moment quota was given back. */
export interface GivenBack {
  at: number;
  first: number;
  reason: string;
  gap?: { from: number; to: number };
}

/**
 * Everything learned of one Workload: a set of facts that only grows, so that
 * the same observations give the same history in whatever order, and however
 * often, they come.
 */
export interface WorkloadHistory {
  reserved: Given[];
  admitted: Given[];
  /** QuotaReserved turned false. */
  unreserved: GivenBack[];
  /** Admitted turned false. */
  released: GivenBack[];
  finished: GivenBack[];
  /** At most one: gone for good. */
  deleted: GivenBack[];
}

export const NO_HISTORY: WorkloadHistory = {
  reserved: [],
  admitted: [],
  unreserved: [],
  released: [],
  finished: [],
  deleted: [],
};

/** Reason of an end that is the Workload's own. */
export const DELETED = 'Deleted';

interface Condition {
  type: string;
  status: string;
  reason?: string;
  lastTransitionTime: string;
}

interface Metadata {
  deletionTimestamp?: string;
}

/** The history with one observation more. Pure. */
export function withObservation(
  history: WorkloadHistory,
  observation: WorkloadObservation,
): WorkloadHistory {
  const { object, type, gap, observedAt } = observation;
  const order = orderOf(observation, history);
  const conditions = conditionsOf(object);
  const { Finished, Admitted, QuotaReserved, Evicted } = conditions;
  const assignments = gpuAssignments(object);
  const isOver = Finished?.status === 'True' || type === 'deleted';
  const given = (condition: Condition, holds: boolean): Given => ({
    at: unix(condition.lastTransitionTime),
    first: order,
    open: holds && !isOver ? order : -1,
    gap,
    assignments,
  });
  const back = (at: number, reason = 'released', late = 0): GivenBack => ({
    at,
    first: order + late,
    reason,
    gap,
  });
  const next = { ...history };
  if (QuotaReserved?.status === 'True') {
    next.reserved = addGiven(
      next.reserved,
      given(QuotaReserved, Admitted?.status !== 'True'),
    );
  }
  if (QuotaReserved?.status === 'False') {
    next.unreserved = addBack(
      next.unreserved,
      back(unix(QuotaReserved.lastTransitionTime), Evicted?.reason),
    );
  }
  if (Admitted?.status === 'True') {
    next.admitted = addGiven(next.admitted, given(Admitted, true));
  }
  if (Admitted?.status === 'False') {
    next.released = addBack(
      next.released,
      back(unix(Admitted.lastTransitionTime), Evicted?.reason),
    );
  }
  if (Finished?.status === 'True') {
    next.finished = addBack(
      next.finished,
      back(unix(Finished.lastTransitionTime), Finished.reason),
    );
  }
  if (type === 'deleted') {
    const stamp = (object.metadata as Metadata | undefined)?.deletionTimestamp;
    const at = stamp ? unix(stamp) : observedAt;
    // The last state comes with the deletion itself: it is after everything in it.
    next.deleted = addDeletion(
      next.deleted,
      back(gap ? gap.from : at, DELETED, 0.5),
    );
  }
  return next;
}

/** True when nothing more can come. */
export function hasEnded(history: WorkloadHistory): boolean {
  return history.finished.length > 0 || history.deleted.length > 0;
}

function addGiven(known: Given[], fact: Given): Given[] {
  const same = known.find(({ at }) => at === fact.at);
  if (!same) {
    return [...known, fact].sort((a, b) => a.at - b.at);
  }
  const earlier = fact.first < same.first ? fact : same;
  const later = earlier === fact ? same : fact;
  const merged: Given = {
    at: same.at,
    first: earlier.first,
    open: Math.max(same.open, fact.open),
    gap: earlier.gap,
    assignments:
      earlier.assignments.length > 0 ? earlier.assignments : later.assignments,
  };
  return known.map(one => (one === same ? merged : one));
}

function addBack(known: GivenBack[], fact: GivenBack): GivenBack[] {
  const same = known.find(({ at }) => at === fact.at);
  if (!same) {
    return [...known, fact].sort((a, b) => a.at - b.at);
  }
  return fact.first < same.first
    ? known.map(one => (one === same ? fact : one))
    : known;
}

/** Seen twice, the earlier sight is nearer the truth; one that was watched is nearer than one in a gap. */
function addDeletion(known: GivenBack[], fact: GivenBack): GivenBack[] {
  const [same] = known;
  if (!same) {
    return [fact];
  }
  const rank = (one: GivenBack) => [one.gap ? 1 : 0, one.at, one.first];
  const [a, b] = [rank(fact), rank(same)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && a[at] < b[at] ? [fact] : known;
}

/** resourceVersion where there is one that counts, else the order of arrival. */
function orderOf(
  { resourceVersion }: WorkloadObservation,
  history: WorkloadHistory,
): number {
  const version = Number(resourceVersion);
  if (resourceVersion && Number.isSafeInteger(version)) {
    return version;
  }
  const seen = Object.values(history)
    .flat()
    .flatMap((fact: Given | GivenBack) => [
      fact.first,
      'open' in fact ? fact.open : 0,
    ]);
  return Math.floor(Math.max(0, ...seen)) + 1;
}

function conditionsOf(object: JsonObject): Record<string, Condition> {
  const status = object.status as { conditions?: Condition[] } | undefined;
  return Object.fromEntries(
    (status?.conditions ?? []).map(condition => [condition.type, condition]),
  );
}

function unix(rfc3339: string): number {
  return Math.floor(Date.parse(rfc3339) / 1000);
}
