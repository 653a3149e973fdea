import { findCohortCycles } from './cohortCycles';
import { NodeSpec, nodeSpecs, quotasOf } from './quotaNodes';
import { ClusterQueueSpec, CohortSpec } from './quotaSpec';
import { saturated } from './resourceUnits';

/** A (flavor, resource) pair. */
export interface FlavorResource {
  flavor: string;
  resource: string;
}

/**
 * What one node of the tree has of one (flavor, resource) pair, in engine units.
 *
 * @public
 */
export interface QuotaLine {
  nominal: number;
  borrowingLimit?: number;
  lendingLimit?: number;
  /** Own nominal plus what the children lend. */
  subtreeQuota: number;
  usage: number;
  /** What may still be taken now; negative after a cut of quota. */
  available: number;
  /** What could be held if nobody else used anything. */
  potential: number;
}

const NO_PARENT = -1;

/**
 * Quota of ClusterQueues and Cohorts with the arithmetic of Kueue's
 * `pkg/cache/scheduler/resource_node.go`, per node and (flavor, resource):
 *
 * - subtreeQuota = nominal + Σ children (subtreeQuota − localQuota)
 * - localQuota = lendingLimit set ? max(0, subtreeQuota − lendingLimit) : 0
 * - usage of a Cohort = Σ children max(0, usage − localQuota)
 *
 * Nodes and pairs are numbers, values lie in flat arrays; a pair's number is
 * valid within one root. ClusterQueues are nodes 0 … n−1 in the order given.
 */
export class QuotaTree {
  readonly clusterQueueCount: number;
  private readonly queueNodes = new Map<string, number>();
  private readonly cohortNodes = new Map<string, number>();
  private readonly parent: Int32Array;
  private readonly root: Int32Array;
  private readonly height: Int32Array;
  /** Where a node's pairs begin in the flat arrays. */
  private readonly offset: Int32Array;
  private readonly pairs = new Map<number, Map<string, number>>();
  private readonly nominal: Float64Array;
  /** Infinity: no limit. */
  private readonly borrowingLimit: Float64Array;
  /** Infinity: no limit. */
  private readonly lendingLimit: Float64Array;
  private readonly subtreeQuota: Float64Array;
  private readonly localQuota: Float64Array;
  private readonly potentials: Float64Array;
  private readonly usages: Float64Array;

  /**
   * @param used - pairs in use that no quota names any more, by ClusterQueue: a
   *   flavor taken off a queue is still held by what runs on it.
   * @throws RangeError when cohorts form a cycle.
   */
  constructor(
    clusterQueues: ClusterQueueSpec[],
    cohorts: CohortSpec[],
    used: Map<string, FlavorResource[]> = new Map(),
  ) {
    const [cycle] = findCohortCycles(cohorts).values();
    if (cycle) throw new RangeError(cycle);

    const specs = nodeSpecs(clusterQueues, cohorts);
    this.clusterQueueCount = clusterQueues.length;
    const count = specs.length;
    this.parent = new Int32Array(count).fill(NO_PARENT);
    this.root = new Int32Array(count);
    this.height = new Int32Array(count);
    this.offset = new Int32Array(count);

    specs.forEach((spec, node) => {
      const isQueue = node < clusterQueues.length;
      (isQueue ? this.queueNodes : this.cohortNodes).set(spec.name, node);
    });
    specs.forEach((spec, node) => {
      if (spec.parent !== undefined) {
        this.parent[node] = this.cohortNodes.get(spec.parent) as number;
      }
    });
    for (let node = 0; node < count; node++) {
      let root = node;
      while (this.parent[root] !== NO_PARENT) root = this.parent[root];
      this.root[node] = root;
    }

    specs.forEach((spec, node) => {
      for (const { flavor, resource } of quotasOf(spec)) {
        this.addPair(node, flavor, resource);
      }
      if (node < clusterQueues.length) {
        used
          .get(spec.name)
          ?.forEach(({ flavor, resource }) =>
            this.addPair(node, flavor, resource),
          );
      }
    });
    let size = 0;
    for (let node = 0; node < count; node++) {
      this.offset[node] = size;
      size += this.pairs.get(this.root[node])?.size ?? 0;
    }
    this.nominal = new Float64Array(size);
    this.borrowingLimit = new Float64Array(size).fill(Infinity);
    this.lendingLimit = new Float64Array(size).fill(Infinity);
    this.subtreeQuota = new Float64Array(size);
    this.localQuota = new Float64Array(size);
    this.potentials = new Float64Array(size);
    this.usages = new Float64Array(size);

    specs.forEach((spec, node) => this.readQuota(spec, node));
    this.computeQuota();
  }

  /** Number of a ClusterQueue; undefined: there is none of that name. */
  clusterQueue(name: string): number | undefined {
    return this.queueNodes.get(name);
  }

  cohort(name: string): number | undefined {
    return this.cohortNodes.get(name);
  }

  rootOf(node: number): number {
    return this.root[node];
  }

  hasParent(node: number): boolean {
    return this.parent[node] !== NO_PARENT;
  }

  /** Number of a pair within the node's root; undefined: nobody there has it. */
  pair(node: number, flavor: string, resource: string): number | undefined {
    return this.pairs.get(this.root[node])?.get(pairKey(flavor, resource));
  }

  pairCount(node: number): number {
    return this.pairs.get(this.root[node])?.size ?? 0;
  }

  usage(node: number, pair: number): number {
    return this.usages[this.offset[node] + pair];
  }

  nominalQuota(node: number, pair: number): number {
    return this.nominal[this.offset[node] + pair];
  }

  /** Infinity: no limit. */
  borrowingLimitOf(node: number, pair: number): number {
    return this.borrowingLimit[this.offset[node] + pair];
  }

  /** What a request may still take now, cohorts included. */
  available(node: number, pair: number): number {
    const index = this.offset[node] + pair;
    const parent = this.parent[node];
    const usage = this.usages[index];
    if (parent === NO_PARENT) return this.subtreeQuota[index] - usage;
    const local = this.localQuota[index];
    const limit = this.borrowingLimit[index];
    let fromParent = this.available(parent, pair);
    if (limit !== Infinity) {
      const stored = this.subtreeQuota[index] - local;
      const used = Math.max(0, usage - local);
      fromParent = Math.min(fromParent, stored - used + limit);
    }
    return Math.max(0, local - usage) + fromParent;
  }

  /** What a node could hold if nobody else used anything: a request above it can never run. */
  potentialAvailable(node: number, pair: number): number {
    return this.potentials[this.offset[node] + pair];
  }

  /**
   * How far up the tree a request has to reach: 0 when it fits nominal quota,
   * else the height of the smallest subtree that holds it. `reclaimable`: that
   * subtree is smaller than the whole tree, so what others borrowed of it
   * could be taken back.
   */
  borrowingHeight(
    node: number,
    pair: number,
    amount: number,
  ): { height: number; reclaimable: boolean } {
    if (this.parent[node] === NO_PARENT) {
      return { height: 0, reclaimable: false };
    }
    if (!this.exceedsSubtree(node, pair, amount)) {
      return { height: 0, reclaimable: true };
    }
    let remaining = amount - this.localAvailable(node, pair);
    let ancestor = this.parent[node];
    for (;;) {
      const parent = this.parent[ancestor];
      if (!this.exceedsSubtree(ancestor, pair, remaining)) {
        return {
          height: this.height[ancestor],
          reclaimable: parent !== NO_PARENT,
        };
      }
      if (parent === NO_PARENT) {
        return { height: this.height[ancestor], reclaimable: false };
      }
      remaining -= this.localAvailable(ancestor, pair);
      ancestor = parent;
    }
  }

  addUsage(node: number, pair: number, amount: number): void {
    const index = this.offset[node] + pair;
    const local = Math.max(0, this.localQuota[index] - this.usages[index]);
    this.usages[index] += amount;
    const parent = this.parent[node];
    if (parent !== NO_PARENT && amount > local) {
      this.addUsage(parent, pair, amount - local);
    }
  }

  removeUsage(node: number, pair: number, amount: number): void {
    const index = this.offset[node] + pair;
    const inParent = this.usages[index] - this.localQuota[index];
    this.usages[index] -= amount;
    const parent = this.parent[node];
    if (inParent > 0 && parent !== NO_PARENT) {
      this.removeUsage(parent, pair, Math.min(amount, inParent));
    }
  }

  /** Everything known of one pair at one node. */
  line(node: number, pair: number): QuotaLine {
    const index = this.offset[node] + pair;
    const [borrowingLimit, lendingLimit] = [
      this.borrowingLimit[index],
      this.lendingLimit[index],
    ];
    return {
      nominal: this.nominal[index],
      ...(borrowingLimit !== Infinity && { borrowingLimit }),
      ...(lendingLimit !== Infinity && { lendingLimit }),
      subtreeQuota: this.subtreeQuota[index],
      usage: this.usages[index],
      available: this.available(node, pair),
      potential: this.potentials[index],
    };
  }

  /** Same, by names; undefined: there is no such node, or it has no such pair. */
  find(
    node: number | undefined,
    flavor: string,
    resource: string,
  ): QuotaLine | undefined {
    if (node === undefined) return undefined;
    const pair = this.pair(node, flavor, resource);
    return pair === undefined ? undefined : this.line(node, pair);
  }

  /** All usage, to be handed back to {@link setUsages}. */
  copyUsages(): Float64Array {
    return this.usages.slice();
  }

  setUsages(usages: Float64Array): void {
    this.usages.set(usages);
  }

  private exceedsSubtree(node: number, pair: number, amount: number): boolean {
    const index = this.offset[node] + pair;
    return this.usages[index] + amount > this.subtreeQuota[index];
  }

  private localAvailable(node: number, pair: number): number {
    const index = this.offset[node] + pair;
    return Math.max(0, this.localQuota[index] - this.usages[index]);
  }

  private addPair(node: number, flavor: string, resource: string): void {
    const root = this.root[node];
    let known = this.pairs.get(root);
    if (!known) this.pairs.set(root, (known = new Map()));
    const key = pairKey(flavor, resource);
    if (!known.has(key)) known.set(key, known.size);
  }

  private readQuota(spec: NodeSpec, node: number): void {
    for (const { flavor, resource, quota } of quotasOf(spec)) {
      const index =
        this.offset[node] + (this.pair(node, flavor, resource) as number);
      this.nominal[index] = saturated(quota.nominal);
      if (quota.borrowingLimit !== undefined) {
        this.borrowingLimit[index] = quota.borrowingLimit;
      }
      if (quota.lendingLimit !== undefined) {
        this.lendingLimit[index] = quota.lendingLimit;
      }
    }
  }

  private computeQuota(): void {
    const order = this.childrenFirst();
    for (const node of order) {
      const parent = this.parent[node];
      for (let pair = 0; pair < this.pairCount(node); pair++) {
        const index = this.offset[node] + pair;
        const quota = saturated(this.subtreeQuota[index] + this.nominal[index]);
        this.subtreeQuota[index] = quota;
        const lending = this.lendingLimit[index];
        // Without a parent nothing is lent, and limits mean nothing.
        if (parent === NO_PARENT) continue;
        this.localQuota[index] =
          lending === Infinity ? 0 : Math.max(0, quota - lending);
        this.subtreeQuota[this.offset[parent] + pair] +=
          quota - this.localQuota[index];
      }
      if (parent !== NO_PARENT) {
        this.height[parent] = Math.max(
          this.height[parent],
          this.height[node] + 1,
        );
      }
    }
    for (const node of order.reverse()) {
      const parent = this.parent[node];
      for (let pair = 0; pair < this.pairCount(node); pair++) {
        const index = this.offset[node] + pair;
        const quota = this.subtreeQuota[index];
        this.potentials[index] =
          parent === NO_PARENT
            ? quota
            : saturated(
                Math.min(
                  quota + this.borrowingLimit[index],
                  this.localQuota[index] +
                    this.potentials[this.offset[parent] + pair],
                ),
              );
      }
    }
  }

  private childrenFirst(): number[] {
    const depth = Array.from(this.parent, (_, node) => {
      let steps = 0;
      for (let at = node; this.parent[at] !== NO_PARENT; at = this.parent[at]) {
        steps++;
      }
      return steps;
    });
    return [...depth.keys()].sort((a, b) => depth[b] - depth[a]);
  }
}

function pairKey(flavor: string, resource: string): string {
  return `${flavor} ${resource}`;
}
