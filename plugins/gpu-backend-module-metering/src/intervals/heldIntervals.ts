import { MeteredInterval } from '@gpuaas/backstage-plugin-gpu-node';
import { DELETED, Given, GivenBack, WorkloadHistory } from './workloadHistory';

interface Held {
  kind: 'allocated' | 'reserved';
  openedAt: number;
  closedAt?: number;
  reason?: string;
  confidence: 'measured' | 'estimated';
  /** Nobody looked between these: it was given back somewhere in between. */
  unknown?: { from: number; to: number };
  given: Given;
}

/**
 * Intervals of a Workload: allocated from `Admitted` to when quota was given
 * back, and reserved from `QuotaReserved` to `Admitted` (kueue.md 4.5). An end
 * that a watch gap hides closes the interval where the last look was, and the
 * rest of the gap is `unknown`: neither billed nor forgotten. Pure; intervals of
 * no length are left out.
 */
export function heldIntervals(history: WorkloadHistory): MeteredInterval[] {
  const { admitted, reserved, released, unreserved, finished, deleted } =
    history;
  const ends = [...released, ...finished, ...deleted];
  const held: Held[] = [
    ...admitted.map(given => close('allocated', given, ends, admitted)),
    ...reserved.map(given =>
      close(
        'reserved',
        given,
        [...admitted.map(asEnd), ...unreserved, ...finished, ...deleted],
        reserved,
      ),
    ),
  ];
  return held.flatMap(intervalsOf);
}

function close(
  kind: Held['kind'],
  given: Given,
  ends: GivenBack[],
  siblings: Given[],
): Held {
  const base = { kind, openedAt: given.at, given };
  // It was held in `open`, so what ended it was first seen after that.
  const after = Math.max(given.open, given.first - 1);
  const end = firstOf(
    ends.filter(
      ({ first, at, reason }) =>
        // Gone is gone, even by a clock that is behind the cluster's.
        first > after && (at >= given.at || reason === DELETED),
    ),
  );
  const successor = firstOf(
    siblings.filter(({ first, at }) => first > after && at > given.at),
  );
  if (end && (!successor || end.first <= successor.first)) {
    if (end.reason === DELETED && end.gap) {
      const from = Math.max(given.at, end.gap.from);
      return {
        ...base,
        closedAt: from,
        reason: end.reason,
        confidence: 'estimated',
        unknown: { from, to: Math.max(from, end.gap.to) },
      };
    }
    return {
      ...base,
      closedAt: Math.max(given.at, end.at),
      reason: end.reason,
      confidence: 'measured',
    };
  }
  if (successor) {
    // Given anew without our having seen it given back.
    const from = Math.min(
      successor.at,
      Math.max(given.at, successor.gap?.from ?? successor.at),
    );
    return {
      ...base,
      closedAt: from,
      reason: 'NotSeen',
      confidence: 'estimated',
      unknown: { from, to: successor.at },
    };
  }
  return { ...base, confidence: 'measured' };
}

function asEnd({ at, first }: Given): GivenBack {
  return { at, first, reason: 'Admitted' };
}

function firstOf<T extends { first: number; at: number }>(
  facts: T[],
): T | undefined {
  return facts.reduce<T | undefined>(
    (chosen, fact) =>
      !chosen ||
      fact.first < chosen.first ||
      (fact.first === chosen.first && fact.at < chosen.at)
        ? fact
        : chosen,
    undefined,
  );
}

function intervalsOf(held: Held): MeteredInterval[] {
  return held.given.assignments.flatMap(assignment => {
    const found: MeteredInterval[] = [];
    if (held.closedAt !== held.openedAt) {
      found.push({
        ...assignment,
        kind: held.kind,
        confidence: held.confidence,
        openedAt: held.openedAt,
        ...(held.closedAt === undefined
          ? {}
          : { closedAt: held.closedAt, endReason: held.reason }),
      });
    }
    if (held.unknown && held.unknown.to > held.unknown.from) {
      found.push({
        ...assignment,
        kind: 'unknown',
        confidence: 'unknown',
        openedAt: held.unknown.from,
        closedAt: held.unknown.to,
        endReason: held.reason,
      });
    }
    return found;
  });
}
