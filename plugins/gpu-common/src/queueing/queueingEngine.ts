import {
  CycleEntry,
  CycleResult,
  Inadmissible,
  runCycle,
} from './admissionCycle';
import { findCohortCycles } from './cohortCycles';
import {
  assignFlavors,
  FlavorAssignment,
  idleQuota,
  podSetAssignments,
} from './flavorAssignment';
import { LiveQueue } from './liveQueue';
import { QuotaChange, quotaChanges } from './quotaChange';
import {
  addHolder,
  Holder,
  knowsPairs,
  QuotaHolders,
  removeHolder,
} from './quotaHolders';
import { ClusterQueueSpec, QueueingSpec } from './quotaSpec';
import { QuotaLine, QuotaTree } from './quotaTree';
import { ReadyQueues } from './readyQueues';
import { isSamePlace } from './workloadOrder';
import { QueueingSnapshot } from './queueingSnapshot';
import { QueuedWorkload, WorkloadQueue } from './workloadQueue';
import { WorkloadShapes } from './workloadShapes';
import { PodSetAssignment, WorkloadSpec } from './workloadSpec';

/**
 * Kueue's queues, quota and admission cycle, without clocks or effects: tell it
 * what came, went and changed, call {@link QueueingEngine.cycle} until it
 * returns undefined, and write down what it decided. Workloads may name
 * ClusterQueues that do not exist (yet).
 *
 * @public
 */
export class QueueingEngine {
  private spec: QueueingSpec = {
    resourceFlavors: [],
    cohorts: [],
    clusterQueues: [],
  };
  private tree = new QuotaTree([], []);
  private readonly shapes = new WorkloadShapes();
  /** By ClusterQueue name, existing or not. */
  private readonly queues = new Map<string, WorkloadQueue>();
  private live = new Map<string, LiveQueue>();
  private readonly pendingWorkloads = new Map<string, QueuedWorkload>();
  private readonly holders = new QuotaHolders();
  private ready = new ReadyQueues(this.tree);

  constructor(spec?: QueueingSpec) {
    if (spec) this.configure(spec);
  }

  /**
   * Replaces queues, cohorts and flavors; Workloads stay, and all that were
   * parked try again. ClusterQueues below a cycle of cohorts admit nothing.
   */
  configure(spec: QueueingSpec): void {
    const cycles = findCohortCycles(spec.cohorts);
    const clusterQueues = spec.clusterQueues.map(queue => {
      const cycle = queue.cohort && cycles.get(queue.cohort);
      return cycle ? { ...queue, cohort: undefined, inactive: cycle } : queue;
    });
    const cohorts = spec.cohorts.filter(({ name }) => !cycles.has(name));
    const tree = new QuotaTree(clusterQueues, cohorts, this.holders.pairs());

    this.spec = spec;
    this.tree = tree;
    const flavors = new Map(spec.resourceFlavors.map(f => [f.name, f]));
    this.live = new Map(
      clusterQueues.map(queue => {
        const node = tree.clusterQueue(queue.name) as number;
        const waiting = this.queueOf(queue.name);
        return [queue.name, new LiveQueue(queue, node, waiting, tree, flavors)];
      }),
    );
    this.holders.countInto(tree);
    for (const { queue } of this.live.values()) queue.wakeAll();
    this.ready = new ReadyQueues(tree, this.live.values());
  }

  /** A pending Workload came, or one already pending changed (same uid). */
  add(workload: WorkloadSpec): void {
    if (this.holders.has(workload.uid)) {
      throw new Error(
        `Workload ${workload.uid} holds quota: remove it before it can wait again`,
      );
    }
    const known = this.pendingWorkloads.get(workload.uid);
    const shape = this.shapes.numberOf(workload.podSets);
    if (known) {
      if (known.shape === shape && isSamePlace(known.spec, workload)) return;
      this.takeOut(known);
    }
    this.putIn({ spec: workload, shape, heapIndex: -1 });
  }

  /** A Workload that already holds quota. */
  addAdmitted(workload: WorkloadSpec, podSets: PodSetAssignment[]): void {
    this.remove(workload.uid);
    const holder = { spec: workload, podSets };
    this.holders.set(workload.uid, holder);
    this.countIn(holder);
  }

  /**
   * A Workload is gone, or may not be admitted for now. Quota it held is free
   * again, and what was parked in its cohort tree tries again.
   *
   * @returns whether it was known.
   */
  remove(uid: string): boolean {
    const pending = this.pendingWorkloads.get(uid);
    if (pending) {
      this.takeOut(pending);
      return true;
    }
    const holder = this.holders.get(uid);
    if (!holder) return false;
    this.holders.delete(uid);
    removeHolder(this.tree, holder);
    this.retry(holder.spec.clusterQueue);
    return true;
  }

  /** What a holder uses from now on (reclaimable pods). */
  changeHeld(uid: string, podSets: PodSetAssignment[]): void {
    const holder = this.holders.get(uid);
    if (!holder) return;
    removeHolder(this.tree, holder);
    holder.podSets = podSets;
    this.countIn(holder);
    this.retry(holder.spec.clusterQueue);
  }

  /** Lets everything parked in a ClusterQueue's whole cohort tree try again. */
  retry(clusterQueue: string): void {
    const changed = this.live.get(clusterQueue);
    if (!changed) return;
    this.ready.wake(this.tree.rootOf(changed.node));
  }

  /**
   * One admission cycle in one cohort tree: the heads of its ClusterQueues are
   * considered together. Undefined: there is nothing to try until something changes.
   */
  cycle(): CycleResult | undefined {
    for (const root of this.ready.dueRoots()) {
      const result = this.cycleIn(root);
      if (result) return result;
    }
    return undefined;
  }

  /** Cycles until there is nothing more to try. */
  run(): CycleResult {
    const all: CycleResult = { admitted: [], inadmissible: [] };
    for (let next = this.cycle(); next; next = this.cycle()) {
      all.admitted.push(...next.admitted);
      all.inadmissible.push(...next.inadmissible);
    }
    return all;
  }

  get configuration(): QueueingSpec {
    return this.spec;
  }

  clusterQueueSpec(name: string): ClusterQueueSpec | undefined {
    return this.live.get(name)?.spec;
  }

  /** Quota and use of a pair at a ClusterQueue; undefined: it has no such pair. */
  quota(
    clusterQueue: string,
    flavor: string,
    resource: string,
  ): QuotaLine | undefined {
    const node = this.tree.clusterQueue(clusterQueue);
    return this.tree.find(node, flavor, resource);
  }

  /** Same, at a Cohort. */
  cohortQuota(
    name: string,
    flavor: string,
    resource: string,
  ): QuotaLine | undefined {
    return this.tree.find(this.tree.cohort(name), flavor, resource);
  }

  /** Pending Workloads of a ClusterQueue, in the order they would go. */
  pending(clusterQueue: string): WorkloadSpec[] {
    return this.queueOf(clusterQueue)
      .inOrder()
      .map(({ spec }) => spec);
  }

  pendingCount(clusterQueue: string): number {
    return this.queues.get(clusterQueue)?.size ?? 0;
  }

  isPending(uid: string): boolean {
    return this.pendingWorkloads.has(uid);
  }

  /** What a Workload holds; undefined: nothing. */
  held(uid: string): PodSetAssignment[] | undefined {
    return this.holders.get(uid)?.podSets;
  }

  /**
   * What a Workload would be assigned at its ClusterQueue if it were its turn;
   * undefined: there is no such queue. `idle`: as if nothing ran, so that what
   * does not fit never will.
   */
  assign(
    workload: Pick<WorkloadSpec, 'clusterQueue' | 'podSets'>,
    idle = false,
  ): FlavorAssignment | undefined {
    const live = this.live.get(workload.clusterQueue);
    if (!live) return undefined;
    const { podSets } = workload;
    const plan = live.plan(this.shapes.numberOf(podSets), podSets);
    const quota = idle ? idleQuota(this.tree) : this.tree;
    const assignment = assignFlavors(quota, live.node, plan);
    const { mode, reasons } = assignment;
    return { mode, reasons, podSets: podSetAssignments(plan, assignment) };
  }

  /**
   * Lets a Workload join its queue and runs the cycles of its cohort tree
   * until its turn has come, then puts everything back as it was.
   *
   * @returns its assignment when it would be admitted without anything else changing.
   */
  tryOut(workload: WorkloadSpec): PodSetAssignment[] | undefined {
    const live = this.live.get(workload.clusterQueue);
    if (!live) return undefined;
    const root = this.tree.rootOf(live.node);
    if (
      this.pendingWorkloads.has(workload.uid) ||
      this.holders.has(workload.uid)
    ) {
      throw new Error(`Workload ${workload.uid} is already known`);
    }
    const usages = this.tree.copyUsages();
    const backToBefore = this.ready.save(root);
    const admitted: Holder[] = [];
    this.add(workload);
    try {
      for (;;) {
        const result = this.cycleIn(root);
        if (!result) return undefined;
        result.admitted.forEach(({ uid }) =>
          admitted.push(this.holders.get(uid) as Holder),
        );
        const own = result.admitted.find(({ uid }) => uid === workload.uid);
        if (own) return own.podSets;
        const item = this.pendingWorkloads.get(workload.uid);
        if (item && live.queue.isParked(item)) return undefined;
      }
    } finally {
      this.tree.setUsages(usages);
      for (const { spec } of admitted) {
        this.holders.delete(spec.uid);
        this.add(spec);
      }
      this.takeOut(this.pendingWorkloads.get(workload.uid) as QueuedWorkload);
      backToBefore();
    }
  }

  /** What holding `podSets` would do to a ClusterQueue's quota. */
  quotaAfter(clusterQueue: string, podSets: PodSetAssignment[]): QuotaChange[] {
    const node = this.tree.clusterQueue(clusterQueue) as number;
    return quotaChanges(this.tree, node, podSets);
  }

  /** Everything as plain JSON. */
  snapshot(): QueueingSnapshot {
    return {
      spec: this.spec,
      pending: [...this.pendingWorkloads.values()].map(item => ({
        workload: item.spec,
        parked: this.queueOf(item.spec.clusterQueue).isParked(item),
      })),
      admitted: [...this.holders.values()].map(({ spec, podSets }) => ({
        workload: spec,
        podSets,
      })),
    };
  }

  /** The reverse of {@link QueueingEngine.snapshot}. */
  static restore(snapshot: QueueingSnapshot): QueueingEngine {
    const engine = new QueueingEngine(snapshot.spec);
    for (const { workload, podSets } of snapshot.admitted) {
      engine.addAdmitted(workload, podSets);
    }
    for (const { workload } of snapshot.pending) engine.add(workload);
    for (const { workload, parked } of snapshot.pending) {
      const item = engine.pendingWorkloads.get(workload.uid);
      if (item && parked) {
        const queue = engine.queueOf(workload.clusterQueue);
        if (!queue.isParked(item)) queue.parkEquals(item);
      }
    }
    for (const live of engine.live.values()) engine.ready.note(live);
    return engine;
  }

  private cycleIn(root: number): CycleResult | undefined {
    const queues = this.ready.takeDue(root);
    if (queues.length === 0) return undefined;
    const entries = queues.map(live => {
      const item = live.queue.head() as QueuedWorkload;
      const plan = live.plan(item.shape, item.spec.podSets);
      return new CycleEntry(live.spec, live.node, item, plan);
    });
    const result = runCycle(this.tree, entries);

    let hasProgress = false;
    entries.forEach((entry, i) => {
      const live = queues[i];
      if (entry.admission) {
        hasProgress = true;
        this.takeOut(entry.item);
        this.holders.set(entry.item.spec.uid, {
          spec: entry.item.spec,
          podSets: entry.admission.podSets,
          counted: entry.assignment,
        });
      } else if (this.park(live, entry)) {
        hasProgress = true;
      }
      this.ready.note(live);
    });
    if (!hasProgress) queues.forEach(({ queue }) => (queue.blocked = true));
    return result;
  }

  /** Sets aside what had no chance; false: it stays and tries again at once. */
  private park(live: LiveQueue, entry: CycleEntry): boolean {
    const { item, refusal, isHopeless } = entry;
    switch (refusal as Inadmissible['kind']) {
      case 'namespace-mismatch':
        live.queue.parkAlone(item);
        return true;
      case 'quota':
        if (live.spec.queueingStrategy === 'StrictFIFO') return false;
        live.queue.parkEquals(item, isHopeless);
        return true;
      default:
        return false;
    }
  }

  private putIn(item: QueuedWorkload): void {
    this.pendingWorkloads.set(item.spec.uid, item);
    this.queueOf(item.spec.clusterQueue).push(item);
    this.noteHead(item.spec.clusterQueue);
  }

  private takeOut(item: QueuedWorkload): void {
    this.pendingWorkloads.delete(item.spec.uid);
    this.queueOf(item.spec.clusterQueue).remove(item);
    this.noteHead(item.spec.clusterQueue);
  }

  /** Counts a new holder; a pair the tree does not know makes it grow. */
  private countIn(holder: Holder): void {
    if (knowsPairs(this.tree, holder)) addHolder(this.tree, holder);
    else this.configure(this.spec);
  }

  private queueOf(clusterQueue: string): WorkloadQueue {
    let queue = this.queues.get(clusterQueue);
    if (!queue) this.queues.set(clusterQueue, (queue = new WorkloadQueue()));
    return queue;
  }

  private noteHead(clusterQueue: string): void {
    const live = this.live.get(clusterQueue);
    if (live) this.ready.note(live);
  }
}
