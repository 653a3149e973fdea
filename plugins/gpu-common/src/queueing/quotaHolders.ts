import { FlavorResource, QuotaTree } from './quotaTree';
import { PodSetAssignment, WorkloadSpec } from './workloadSpec';

/** A Workload that holds quota, and what it holds. */
export interface Holder {
  spec: WorkloadSpec;
  podSets: PodSetAssignment[];
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
    for (const holder of this.values()) changeUsage(tree, holder, 1);
  }
}

/** Adds (1) or takes away (−1) what a holder uses. */
export function changeUsage(
  tree: QuotaTree,
  { spec, podSets }: Holder,
  sign: 1 | -1,
): void {
  const node = tree.clusterQueue(spec.clusterQueue);
  if (node === undefined) return;
  for (const { flavor, resource, amount } of usageOf(podSets)) {
    const pair = tree.pair(node, flavor, resource) as number;
    if (sign > 0) tree.addUsage(node, pair, amount);
    else tree.removeUsage(node, pair, amount);
  }
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
