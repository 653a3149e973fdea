import { FlavorResource, QuotaTree } from './quotaTree';
import { PodSetAssignment, WorkloadSpec } from './workloadSpec';

/** A Workload that holds quota, and what it holds. */
export interface Holder {
  spec: WorkloadSpec;
  podSets: PodSetAssignment[];
  /** What of it the present tree counts, pair by pair; absent: nothing. */
  counted?: Counted;
}

interface Counted {
  pairs: number[];
  amounts: number[];
}

/** The Workloads that hold quota, by uid. */
export class QuotaHolders extends Map<string, Holder> {
  /** Pairs in use, by ClusterQueue. */
  pairs(): Map<string, FlavorResource[]> {
    const used = new Map<string, FlavorResource[]>();
    for (const { spec, podSets } of this.values()) {
      let pairs = used.get(spec.clusterQueue);
      if (!pairs) used.set(spec.clusterQueue, (pairs = []));
      pairs.push(...usageOf(podSets));
    }
    return used;
  }

  /** Counts everything held into a tree that holds nothing yet. */
  countInto(tree: QuotaTree): void {
    for (const holder of this.values()) addHolder(tree, holder);
  }
}

/** Adds what a holder uses to a tree that knows its pairs. */
export function addHolder(tree: QuotaTree, holder: Holder): void {
  const node = tree.clusterQueue(holder.spec.clusterQueue);
  delete holder.counted;
  if (node === undefined) return;
  const counted: Counted = { pairs: [], amounts: [] };
  for (const { flavor, resource, amount } of usageOf(holder.podSets)) {
    const pair = tree.pair(node, flavor, resource) as number;
    tree.addUsage(node, pair, amount);
    counted.pairs.push(pair);
    counted.amounts.push(amount);
  }
  holder.counted = counted;
}

/** Takes away what a tree counts for a holder. */
export function removeHolder(tree: QuotaTree, holder: Holder): void {
  const { spec, counted } = holder;
  if (!counted) return;
  const node = tree.clusterQueue(spec.clusterQueue) as number;
  counted.pairs.forEach((pair, i) =>
    tree.removeUsage(node, pair, counted.amounts[i]),
  );
  delete holder.counted;
}

/** Whether a tree can count a holder: false when it uses a pair nobody there knows. */
export function knowsPairs(
  tree: QuotaTree,
  { spec, podSets }: Holder,
): boolean {
  const node = tree.clusterQueue(spec.clusterQueue);
  return (
    node === undefined ||
    [...usageOf(podSets)].every(
      ({ flavor, resource }) => tree.pair(node, flavor, resource) !== undefined,
    )
  );
}

/** Usage of an assignment, pair by pair. */
export function* usageOf(podSets: PodSetAssignment[]) {
  for (const { flavors, usage } of podSets) {
    for (const [resource, flavor] of Object.entries(flavors)) {
      yield { flavor, resource, amount: usage[resource] ?? 0 };
    }
  }
}
