import { usageOf } from './quotaHolders';
import { QuotaLine, QuotaTree } from './quotaTree';
import { PodSetAssignment } from './workloadSpec';

/**
 * What a request would do to one (flavor, resource) pair of its ClusterQueue.
 *
 * @public
 */
export interface QuotaChange {
  flavor: string;
  resource: string;
  /** Asked for in all, engine units. */
  units: number;
  /** Of `units`, what would be borrowed from the cohort. */
  borrows: number;
  before: QuotaLine;
  after: QuotaLine;
}

/** What holding `podSets` at a ClusterQueue would do to its quota. The tree is left as it was. */
export function quotaChanges(
  tree: QuotaTree,
  node: number,
  podSets: PodSetAssignment[],
): QuotaChange[] {
  const totals = new Map<number, Omit<QuotaChange, 'borrows' | 'after'>>();
  for (const { flavor, resource, amount } of usageOf(podSets)) {
    const pair = tree.pair(node, flavor, resource) as number;
    const known = totals.get(pair);
    if (known) known.units += amount;
    else {
      const before = tree.line(node, pair);
      totals.set(pair, { flavor, resource, units: amount, before });
    }
  }
  const borrowed = ({ usage, nominal }: QuotaLine) =>
    tree.hasParent(node) ? Math.max(0, usage - nominal) : 0;
  return [...totals].map(([pair, change]) => {
    tree.addUsage(node, pair, change.units);
    const after = tree.line(node, pair);
    tree.removeUsage(node, pair, change.units);
    return {
      ...change,
      borrows: borrowed(after) - borrowed(change.before),
      after,
    };
  });
}
