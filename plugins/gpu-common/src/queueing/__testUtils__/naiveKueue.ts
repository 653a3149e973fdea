import {
  ClusterQueueSpec,
  QueueingSpec,
  ResourceGroup,
  ResourceQuota,
} from '../quotaSpec';
import { PodSetAssignment, WorkloadSpec } from '../workloadSpec';

interface Node {
  name: string;
  parent?: string;
  quota(flavor: string, resource: string): ResourceQuota | undefined;
}

interface Line {
  flavor: string;
  resource: string;
  amount: number;
}

type Mode = 0 | 1 | 2;
const [NO_FIT, PREEMPT, FIT] = [0, 1, 2] as const;

interface Nomination {
  queue: ClusterQueueSpec;
  workload: WorkloadSpec;
  mode: Mode;
  borrows: number;
  lines: Line[];
  podSets: PodSetAssignment[];
}

export interface NaiveOutcome {
  /** What each admitted Workload got, by uid. */
  admitted: Map<string, PodSetAssignment[]>;
  /** Uids in the order of admission. */
  order: string[];
}

/**
 * Kueue's rules read a second time, straight from its formulas and with
 * nothing kept: every number is computed anew from the leaves. Far too slow
 * for use, and for that easy to check against the source; tests hold the
 * engine against it. Preemption is left out, as in the engine.
 */
export class NaiveKueue {
  private readonly nodes = new Map<string, Node>();
  private held: Array<{ queue: string; lines: Line[] }> = [];

  constructor(private readonly spec: QueueingSpec) {
    const of = (
      name: string,
      parent: string | undefined,
      groups: ResourceGroup[] = [],
    ): Node => ({
      name,
      parent: parent && `cohort ${parent}`,
      quota: (flavor, resource) =>
        groups
          .flatMap(group => group.flavors)
          .find(each => each.name === flavor)
          ?.resources.find(each => each.name === resource),
    });
    for (const { name, cohort, resourceGroups } of spec.clusterQueues) {
      this.nodes.set(
        `queue ${name}`,
        of(`queue ${name}`, cohort, resourceGroups),
      );
      if (cohort)
        this.nodes.set(
          `cohort ${cohort}`,
          of(`cohort ${cohort}`, undefined, []),
        );
    }
    for (const { name, parent } of spec.cohorts) {
      for (const each of [name, parent]) {
        if (each)
          this.nodes.set(`cohort ${each}`, of(`cohort ${each}`, undefined, []));
      }
    }
    for (const { name, parent, resourceGroups } of spec.cohorts) {
      this.nodes.set(
        `cohort ${name}`,
        of(`cohort ${name}`, parent, resourceGroups),
      );
    }
  }

  hold(queue: string, podSets: PodSetAssignment[]): void {
    this.held.push({ queue, lines: linesOf(podSets) });
  }

  /** Admits what can be admitted, nothing ending meanwhile. */
  run(workloads: WorkloadSpec[]): NaiveOutcome {
    const outcome: NaiveOutcome = { admitted: new Map(), order: [] };
    const waiting = new Set(workloads);
    const parked = new Set<string>();
    for (;;) {
      const heads: Nomination[] = [];
      for (const queue of this.spec.clusterQueues) {
        const [workload] = [...waiting]
          .filter(
            each =>
              each.clusterQueue === queue.name && !parked.has(kindOf(each)),
          )
          .sort(inOrder);
        if (workload) heads.push(this.nominate(queue, workload));
      }
      heads.sort(
        (a, b) => a.borrows - b.borrows || inOrder(a.workload, b.workload),
      );

      let isNews = false;
      const reserved: typeof this.held = [];
      for (const head of heads) {
        const { queue, workload, mode, lines } = head;
        if (mode === FIT) {
          if (!lines.every(l => l.amount <= this.available(queue.name, l)))
            continue;
          this.held.push({ queue: queue.name, lines });
          waiting.delete(workload);
          outcome.admitted.set(workload.uid, head.podSets);
          outcome.order.push(workload.uid);
          isNews = true;
          continue;
        }
        if (mode === PREEMPT && queue.reclaimWithinCohort !== 'Any') {
          const claim = { queue: queue.name, lines: this.claim(head) };
          this.held.push(claim);
          reserved.push(claim);
        }
        if (queue.queueingStrategy !== 'StrictFIFO') {
          parked.add(kindOf(workload));
          isNews = true;
        }
      }
      this.held = this.held.filter(each => !reserved.includes(each));
      if (!isNews) return outcome;
    }
  }

  private claim({ queue, lines, borrows }: Nomination): Line[] {
    return lines.map(line => {
      const quota = this.nodes
        .get(`queue ${queue.name}`)!
        .quota(line.flavor, line.resource)!;
      const used = this.usage(`queue ${queue.name}`, line);
      const entitled =
        quota.nominal + (borrows > 0 ? quota.borrowingLimit ?? Infinity : 0);
      return {
        ...line,
        amount: Math.max(0, Math.min(line.amount, entitled - used)),
      };
    });
  }

  private nominate(
    queue: ClusterQueueSpec,
    workload: WorkloadSpec,
  ): Nomination {
    const nomination: Nomination = {
      queue,
      workload,
      mode: FIT,
      borrows: 0,
      lines: [],
      podSets: [],
    };
    for (const podSet of workload.podSets) {
      const totals = Object.fromEntries(
        Object.entries(podSet.requests).map(([name, each]) => [
          name,
          each * podSet.count,
        ]),
      );
      const covered = queue.resourceGroups.flatMap(
        group => group.coveredResources,
      );
      if (covered.includes('pods')) totals.pods = podSet.count;
      const got: PodSetAssignment = {
        name: podSet.name,
        count: podSet.count,
        flavors: {},
        usage: {},
      };
      if (
        Object.keys(totals).some(
          name => !covered.includes(name) && totals[name] > 0,
        )
      ) {
        return { ...nomination, mode: NO_FIT };
      }
      for (const group of queue.resourceGroups) {
        const wanted = group.coveredResources.filter(name => name in totals);
        if (wanted.length === 0) continue;
        const best = this.bestFlavor(
          nomination,
          group.flavors.map(f => f.name),
          wanted,
          totals,
        );
        if (!best) return { ...nomination, mode: NO_FIT };
        nomination.mode = Math.min(nomination.mode, best.mode) as Mode;
        nomination.borrows = Math.max(nomination.borrows, best.farthest);
        for (const name of wanted) {
          got.flavors[name] = best.flavor;
          got.usage[name] = totals[name];
        }
      }
      nomination.podSets.push(got);
      for (const line of linesOf([got])) addLine(nomination.lines, line);
    }
    return nomination;
  }

  private bestFlavor(
    { queue, lines }: Nomination,
    flavors: string[],
    wanted: string[],
    totals: Record<string, number>,
  ) {
    const tried = [];
    for (const flavor of flavors) {
      const each = wanted.map(resource => {
        const before = lines.find(
          l => l.flavor === flavor && l.resource === resource,
        );
        const amount = totals[resource] + (before?.amount ?? 0);
        return this.fits(queue.name, { flavor, resource, amount });
      });
      const mode = Math.min(...each.map(f => f.mode)) as Mode;
      const borrows = Math.max(
        ...each.filter(f => f.mode === mode).map(f => f.borrows),
      );
      const farthest = Math.max(...each.map(f => f.borrows));
      tried.push({ flavor, mode, borrows, farthest });
      if (
        mode === FIT &&
        (borrows === 0 || queue.whenCanBorrow !== 'TryNextFlavor')
      ) {
        return tried[tried.length - 1];
      }
    }
    return tried
      .filter(each => each.mode !== NO_FIT)
      .sort((a, b) => b.mode - a.mode || a.borrows - b.borrows)[0];
  }

  private fits(queue: string, line: Line): { mode: Mode; borrows: number } {
    if (line.amount > this.potential(`queue ${queue}`, line))
      return { mode: NO_FIT, borrows: 0 };
    const { height, isSmaller } = this.smallestThatFits(`queue ${queue}`, line);
    if (line.amount <= this.available(queue, line))
      return { mode: FIT, borrows: height };
    const nominal = this.nodes
      .get(`queue ${queue}`)!
      .quota(line.flavor, line.resource)!.nominal;
    return {
      mode: nominal >= line.amount || isSmaller ? PREEMPT : NO_FIT,
      borrows: height,
    };
  }

  private smallestThatFits(
    node: string,
    line: Line,
  ): { height: number; isSmaller: boolean } {
    const parentOf = (name: string) => this.nodes.get(name)!.parent;
    let remaining = line.amount;
    for (let at = node; ; at = parentOf(at)!) {
      const isEnough =
        this.usage(at, line) + remaining <= this.subtreeQuota(at, line);
      if (isEnough || !parentOf(at)) {
        return {
          height: parentOf(node) ? this.height(at) : 0,
          isSmaller: isEnough && Boolean(parentOf(at)),
        };
      }
      remaining -= Math.max(
        0,
        this.localQuota(at, line) - this.usage(at, line),
      );
    }
  }

  private childrenOf(node: string): string[] {
    return [...this.nodes.values()]
      .filter(each => each.parent === node)
      .map(each => each.name);
  }

  private height(node: string): number {
    return Math.max(
      0,
      ...this.childrenOf(node).map(child => 1 + this.height(child)),
    );
  }

  private quota(
    node: string,
    { flavor, resource }: Line,
  ): ResourceQuota | undefined {
    return this.nodes.get(node)!.quota(flavor, resource);
  }

  private subtreeQuota(node: string, line: Line): number {
    return this.childrenOf(node).reduce(
      (sum, child) =>
        sum + this.subtreeQuota(child, line) - this.localQuota(child, line),
      this.quota(node, line)?.nominal ?? 0,
    );
  }

  private localQuota(node: string, line: Line): number {
    const limit = this.quota(node, line)?.lendingLimit;
    return limit === undefined || !this.nodes.get(node)!.parent
      ? 0
      : Math.max(0, this.subtreeQuota(node, line) - limit);
  }

  private usage(node: string, line: Line): number {
    if (node.startsWith('queue ')) {
      return this.held
        .filter(({ queue }) => `queue ${queue}` === node)
        .flatMap(({ lines }) => lines)
        .filter(l => l.flavor === line.flavor && l.resource === line.resource)
        .reduce((sum, { amount }) => sum + amount, 0);
    }
    return this.childrenOf(node).reduce(
      (sum, child) =>
        sum +
        Math.max(0, this.usage(child, line) - this.localQuota(child, line)),
      0,
    );
  }

  /** Of a ClusterQueue, as its snapshot says it: nothing where there is debt. */
  available(queue: string, line: Line): number {
    return Math.max(0, this.rawAvailable(`queue ${queue}`, line));
  }

  private rawAvailable(node: string, line: Line): number {
    const { parent } = this.nodes.get(node)!;
    const [quota, used] = [
      this.subtreeQuota(node, line),
      this.usage(node, line),
    ];
    if (!parent) return quota - used;
    const local = this.localQuota(node, line);
    const limit = this.quota(node, line)?.borrowingLimit ?? Infinity;
    return (
      Math.max(0, local - used) +
      Math.min(
        this.rawAvailable(parent, line),
        quota - local - Math.max(0, used - local) + limit,
      )
    );
  }

  private potential(node: string, line: Line): number {
    const { parent } = this.nodes.get(node)!;
    const quota = this.subtreeQuota(node, line);
    if (!parent) return quota;
    return Math.min(
      quota + (this.quota(node, line)?.borrowingLimit ?? Infinity),
      this.localQuota(node, line) + this.potential(parent, line),
    );
  }
}

function linesOf(podSets: PodSetAssignment[]): Line[] {
  const lines: Line[] = [];
  for (const { flavors, usage } of podSets) {
    for (const [resource, flavor] of Object.entries(flavors)) {
      addLine(lines, { flavor, resource, amount: usage[resource] });
    }
  }
  return lines;
}

function addLine(lines: Line[], line: Line): void {
  const known = lines.find(
    l => l.flavor === line.flavor && l.resource === line.resource,
  );
  if (known) known.amount += line.amount;
  else lines.push({ ...line });
}

/** Workloads that fare alike: one refused, all are set aside. */
function kindOf({ clusterQueue, priority, podSets }: WorkloadSpec): string {
  return JSON.stringify([clusterQueue, priority, podSets]);
}

function inOrder(a: WorkloadSpec, b: WorkloadSpec): number {
  return (
    b.priority - a.priority ||
    a.timestamp - b.timestamp ||
    (a.uid < b.uid ? -1 : 1)
  );
}
