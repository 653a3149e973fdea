import { FlavorReason, PodSetReasons } from './pendingMessage';
import { GroupPlan, PodSetPlan, WorkloadPlan } from './workloadPlan';
import { QuotaTree } from './quotaTree';
import { PodSetAssignment } from './workloadSpec';

type Mode = FlavorAssignment['mode'];

/** The larger, the better. */
const MODES: Record<Mode, number> = { 'no-fit': 0, preempt: 1, fit: 2 };

interface GroupChoice {
  group: GroupPlan;
  /** Index into the group's candidates. */
  candidate: number;
}

/**
 * What a Workload would get at its ClusterQueue. `fit`: now. `preempt`: it is
 * within what the queue could get back from others. `no-fit`: neither; its pod
 * sets up to the first that found nothing are listed.
 *
 * @public
 */
export interface FlavorAssignment {
  mode: 'no-fit' | 'preempt' | 'fit';
  podSets: PodSetAssignment[];
  /** Why it does not fit now, by pod set; empty when it fits. */
  reasons: PodSetReasons[];
}

/** The quota a request is held against. */
type QuotaView = Pick<
  QuotaTree,
  'available' | 'potentialAvailable' | 'nominalQuota' | 'borrowingHeight'
>;

/** A tree as it would be if nothing ran: what does not fit it never will. */
export function idleQuota(tree: QuotaTree): QuotaView {
  return {
    available: (node, pair) => tree.potentialAvailable(node, pair),
    potentialAvailable: (node, pair) => tree.potentialAvailable(node, pair),
    nominalQuota: (node, pair) => tree.nominalQuota(node, pair),
    borrowingHeight: () => ({ height: 0, reclaimable: false }),
  };
}

/** What a Workload would get if it were admitted now. */
export interface Assignment {
  mode: Mode;
  /** Height of the smallest subtree that holds the request: 0 borrows nothing. */
  borrowing: number;
  /** By pod set, up to the first that found nothing. */
  choices: GroupChoice[][];
  /** Usage by pair, in parallel. */
  pairs: number[];
  amounts: number[];
  /** Why it does not fit, by pod set; empty when it fits. */
  reasons: PodSetReasons[];
}

/**
 * Assigns flavors to the pod sets of a Workload, one resource group after the
 * other, flavors in the order of the ClusterQueue (Kueue
 * `pkg/scheduler/flavorassigner`), against the usage the tree holds now.
 */
export function assignFlavors(
  tree: QuotaView,
  node: number,
  plan: WorkloadPlan,
): Assignment {
  const assignment: Assignment = {
    mode: 'fit',
    borrowing: 0,
    choices: [],
    pairs: [],
    amounts: [],
    reasons: [],
  };
  for (const podSet of plan.podSets) {
    const found = assignPodSet(tree, node, plan, podSet, assignment);
    if (!found) {
      assignment.mode = 'no-fit';
      return assignment;
    }
    assignment.choices.push(found);
  }
  return assignment;
}

/** Whether the usage of an assignment made earlier still fits. */
export function stillFits(
  tree: QuotaView,
  node: number,
  { pairs, amounts }: Assignment,
): boolean {
  return pairs.every((pair, i) => unused(tree, node, pair) >= amounts[i]);
}

/** What a ClusterQueue may still take: nothing where quota was cut below what is used. */
function unused(tree: QuotaView, node: number, pair: number): number {
  return Math.max(0, tree.available(node, pair));
}

/** The assignment as a Workload's status.admission has it. */
export function podSetAssignments(
  plan: WorkloadPlan,
  assignment: Assignment,
): PodSetAssignment[] {
  return assignment.choices.map((choices, i) => {
    const podSet = plan.podSets[i];
    const flavors: Record<string, string> = {};
    const usage: Record<string, number> = {};
    for (const { group, candidate } of choices) {
      group.resources.forEach((resource, r) => {
        flavors[resource] = group.candidates[candidate].flavor;
        usage[resource] = group.amounts[r];
      });
    }
    return { name: podSet.name, count: podSet.count, flavors, usage };
  });
}

function assignPodSet(
  tree: QuotaView,
  node: number,
  plan: WorkloadPlan,
  podSet: PodSetPlan,
  assignment: Assignment,
): GroupChoice[] | undefined {
  const choices: GroupChoice[] = [];
  const reasons: FlavorReason[] = [];
  let mode: Mode = 'fit';
  let borrowing = 0;
  for (const step of podSet.steps) {
    const best =
      step.kind === 'uncovered'
        ? undefined
        : bestFlavor(tree, node, plan, step, assignment);
    if (!best || best.candidate < 0) {
      assignment.reasons.push({
        podSet: podSet.name,
        reasons: best?.reasons ?? [
          {
            kind: 'resource-unavailable',
            resource: (step as { resource: string }).resource,
          },
        ],
      });
      return undefined;
    }
    if (best.mode !== 'fit') reasons.push(...best.reasons);
    if (MODES[best.mode] < MODES[mode]) mode = best.mode;
    borrowing = Math.max(borrowing, best.farthest);
    choices.push({ group: step as GroupPlan, candidate: best.candidate });
  }

  for (const { group, candidate } of choices) {
    group.candidates[candidate].pairs.forEach((pair, r) => {
      const known = assignment.pairs.indexOf(pair);
      if (known >= 0) {
        assignment.amounts[known] += group.amounts[r];
      } else {
        assignment.pairs.push(pair);
        assignment.amounts.push(group.amounts[r]);
      }
    });
  }
  if (reasons.length > 0) {
    assignment.reasons.push({ podSet: podSet.name, reasons });
  }
  if (MODES[mode] < MODES[assignment.mode]) assignment.mode = mode;
  assignment.borrowing = Math.max(assignment.borrowing, borrowing);
  return choices;
}

interface Best {
  /** -1: no flavor will do. */
  candidate: number;
  mode: Mode;
  /** How far the resources that decide `mode` reach up the tree: what flavors are compared by. */
  borrowing: number;
  /** How far any of its resources reaches: what Workloads are ordered by. */
  farthest: number;
  reasons: FlavorReason[];
}

function bestFlavor(
  tree: QuotaView,
  node: number,
  plan: WorkloadPlan,
  group: GroupPlan,
  soFar: Assignment,
): Best {
  const best: Best = {
    candidate: -1,
    mode: 'no-fit',
    borrowing: Infinity,
    farthest: 0,
    reasons: [],
  };
  for (let index = 0; index < group.candidates.length; index++) {
    const candidate = group.candidates[index];
    if (candidate.mismatch) {
      best.reasons.push(candidate.mismatch);
      continue;
    }
    // A flavor is as good as its worst resource.
    let mode: Mode = 'fit';
    let borrowing = 0;
    let farthest = 0;
    for (let r = 0; r < candidate.pairs.length; r++) {
      const fit = fitsQuota(tree, node, group, index, r, soFar);
      if (fit.reason) best.reasons.push(fit.reason);
      farthest = Math.max(farthest, fit.borrowing);
      if (
        MODES[fit.mode] < MODES[mode] ||
        (fit.mode === mode && fit.borrowing > borrowing)
      ) {
        mode = fit.mode;
        borrowing = fit.borrowing;
      }
    }
    if (isBetter(mode, borrowing, best)) {
      best.candidate = index;
      best.mode = mode;
      best.borrowing = borrowing;
      best.farthest = farthest;
    }
    const isEnough =
      mode === 'fit' && (borrowing === 0 || !plan.avoidsBorrowing);
    if (isEnough) break;
  }
  return best;
}

function isBetter(mode: Mode, borrowing: number, best: Best): boolean {
  if (mode === 'no-fit') return false;
  if (mode !== best.mode) return MODES[mode] > MODES[best.mode];
  return borrowing < best.borrowing;
}

function fitsQuota(
  tree: QuotaView,
  node: number,
  group: GroupPlan,
  candidate: number,
  r: number,
  soFar: Assignment,
): { mode: Mode; borrowing: number; reason?: FlavorReason } {
  const { flavor, pairs } = group.candidates[candidate];
  const pair = pairs[r];
  const resource = group.resources[r];
  const requested = group.amounts[r];
  const known = soFar.pairs.indexOf(pair);
  const considered = known < 0 ? 0 : soFar.amounts[known];
  const total = considered + requested;

  const maximum = tree.potentialAvailable(node, pair);
  if (total > maximum) {
    return {
      mode: 'no-fit',
      borrowing: 0,
      reason: {
        kind: 'exceeds-maximum',
        resource,
        flavor,
        considered,
        requested,
        maximum,
      },
    };
  }
  const { height, reclaimable } = tree.borrowingHeight(node, pair, total);
  const available = unused(tree, node, pair);
  if (total <= available) return { mode: 'fit', borrowing: height };
  return {
    mode:
      tree.nominalQuota(node, pair) >= total || reclaimable
        ? 'preempt'
        : 'no-fit',
    borrowing: height,
    reason: {
      kind: 'insufficient-unused',
      resource,
      flavor,
      needed: total - available,
    },
  };
}
