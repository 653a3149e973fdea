import {
  assignFlavors,
  Assignment,
  podSetAssignments,
  stillFits,
} from './flavorAssignment';
import { matchesLabelSelector } from './labelSelector';
import { FlavorReason, pendingMessage, PodSetReasons } from './pendingMessage';
import { ClusterQueueSpec } from './quotaSpec';
import { QuotaTree } from './quotaTree';
import { compareWorkloads } from './workloadOrder';
import { WorkloadPlan } from './workloadPlan';
import { QueuedWorkload } from './workloadQueue';
import { PodSetAssignment } from './workloadSpec';

/** @public */
export interface Admission {
  uid: string;
  clusterQueue: string;
  podSets: PodSetAssignment[];
}

/**
 * A Workload that was considered and not admitted. `skipped`: it would fit,
 * but not after another of the same cycle; it is tried again at once.
 *
 * @public
 */
export interface Inadmissible {
  uid: string;
  clusterQueue: string;
  kind: 'quota' | 'namespace-mismatch' | 'skipped';
  /** Kueue's words for the QuotaReserved condition. */
  message: string;
  /** The same as data; empty unless `kind` is `quota`. */
  reasons: PodSetReasons[];
}

/** @public */
export interface CycleResult {
  admitted: Admission[];
  inadmissible: Inadmissible[];
}

/** The head of one ClusterQueue in a cycle. */
export class CycleEntry {
  admission?: Admission;
  refusal?: Inadmissible['kind'];
  assignment?: Assignment;

  constructor(
    readonly clusterQueue: ClusterQueueSpec,
    readonly node: number,
    readonly item: QueuedWorkload,
    readonly plan: WorkloadPlan,
  ) {}

  /** No freed quota will help: every flavor is out of reach for good. */
  get isHopeless(): boolean {
    return (
      this.assignment?.mode === 'no-fit' &&
      this.assignment.reasons.every(({ reasons }) => reasons.every(isForGood))
    );
  }
}

class Cycle {
  private readonly reserved: Array<[node: number, pair: number, n: number]> =
    [];

  constructor(
    private readonly tree: QuotaTree,
    private readonly entries: CycleEntry[],
  ) {}

  run(): CycleResult {
    const nominated: CycleEntry[] = [];
    for (const entry of this.entries) {
      if (isNamespaceMismatch(entry)) {
        entry.refusal = 'namespace-mismatch';
        continue;
      }
      entry.assignment = assignFlavors(this.tree, entry.node, entry.plan);
      nominated.push(entry);
    }
    nominated.sort(compareEntries);
    for (const entry of nominated) this.process(entry);
    for (const [node, pair, amount] of this.reserved) {
      this.tree.removeUsage(node, pair, amount);
    }

    const result: CycleResult = { admitted: [], inadmissible: [] };
    for (const entry of nominated) {
      if (entry.admission) result.admitted.push(entry.admission);
      else result.inadmissible.push(refusalOf(entry));
    }
    for (const entry of this.entries) {
      if (!entry.assignment) result.inadmissible.push(refusalOf(entry));
    }
    return result;
  }

  private process(entry: CycleEntry): void {
    const { node, item, clusterQueue } = entry;
    const assignment = entry.assignment as Assignment;
    if (assignment.mode !== 'fit') {
      entry.refusal = 'quota';
      if (assignment.mode === 'preempt') this.reserve(entry, assignment);
      return;
    }
    if (!stillFits(this.tree, node, assignment)) {
      entry.refusal = 'skipped';
      return;
    }
    assignment.pairs.forEach((pair, i) =>
      this.tree.addUsage(node, pair, assignment.amounts[i]),
    );
    entry.admission = {
      uid: item.spec.uid,
      clusterQueue: clusterQueue.name,
      podSets: podSetAssignments(entry.plan, assignment),
    };
  }

  /**
   * A queue that may not always reclaim what it lent keeps, for the rest of
   * the cycle, what its waiting head is entitled to, lest those behind it in
   * the order take it.
   */
  private reserve(entry: CycleEntry, assignment: Assignment): void {
    const { node, clusterQueue } = entry;
    if (clusterQueue.reclaimWithinCohort === 'Any') return;
    assignment.pairs.forEach((pair, i) => {
      const usage = this.tree.usage(node, pair);
      const entitled =
        this.tree.nominalQuota(node, pair) +
        (assignment.borrowing > 0 ? this.tree.borrowingLimitOf(node, pair) : 0);
      const amount = Math.max(
        0,
        Math.min(assignment.amounts[i], entitled - usage),
      );
      this.tree.addUsage(node, pair, amount);
      this.reserved.push([node, pair, amount]);
    });
  }
}

/**
 * One cycle of Kueue's scheduler (`pkg/scheduler/scheduler.go`) over the heads
 * of the queues of one cohort tree: assign flavors against the usage at the
 * start, order, then admit one by one what still fits. The usage of what is
 * admitted is added to the tree.
 */
export function runCycle(tree: QuotaTree, entries: CycleEntry[]): CycleResult {
  return new Cycle(tree, entries).run();
}

function isForGood(reason: FlavorReason): boolean {
  switch (reason.kind) {
    case 'insufficient-unused':
      return false;
    case 'exceeds-maximum':
      // Pod sets before it may get another flavor another time.
      return reason.considered === 0;
    default:
      return true;
  }
}

function isNamespaceMismatch({ clusterQueue, item }: CycleEntry): boolean {
  const { namespaceSelector } = clusterQueue;
  if (namespaceSelector === undefined) return false;
  if (namespaceSelector === null) return true;
  const labels = item.spec.namespaceLabels;
  return (
    labels !== undefined && !matchesLabelSelector(namespaceSelector, labels)
  );
}

/** Classical order: less borrowing, then priority, then age. */
function compareEntries(a: CycleEntry, b: CycleEntry): number {
  const borrowing =
    (a.assignment as Assignment).borrowing -
    (b.assignment as Assignment).borrowing;
  return borrowing || compareWorkloads(a.item.spec, b.item.spec);
}

function refusalOf(entry: CycleEntry): Inadmissible {
  const kind = entry.refusal as Inadmissible['kind'];
  const reasons = kind === 'quota' ? entry.assignment?.reasons ?? [] : [];
  return {
    uid: entry.item.spec.uid,
    clusterQueue: entry.clusterQueue.name,
    kind,
    reasons,
    get message() {
      switch (kind) {
        case 'namespace-mismatch':
          return "workload namespace doesn't match ClusterQueue selector";
        case 'skipped':
          return 'Workload no longer fits after processing another workload';
        default:
          return pendingMessage(reasons);
      }
    },
  };
}
