import { HeapItem, IndexedHeap } from './indexedHeap';
import { compareWorkloads } from './workloadOrder';
import { WorkloadSpec } from './workloadSpec';

/** A pending Workload in its queue. */
export interface QueuedWorkload extends HeapItem {
  spec: WorkloadSpec;
  /** Number of its shape: equal pod sets, equal number. */
  shape: number;
}

/**
 * Workloads of one shape and priority: what holds for one holds for all, so
 * they are parked and retried together.
 */
class EquivalenceClass implements HeapItem {
  heapIndex = -1;
  parked = false;
  /** Parked for what no freed quota changes. */
  hopeless = false;
  readonly members = new IndexedHeap<QueuedWorkload>((a, b) =>
    compareWorkloads(a.spec, b.spec),
  );

  constructor(readonly key: string) {}
}

/** Classes a queue keeps though they are empty, for the next of their kind. */
const MAX_EMPTY_CLASSES = 64;

/** What {@link WorkloadQueue.saveParking} keeps. */
export interface Parking {
  classes: Array<{ key: string; hopeless: boolean }>;
  alone: QueuedWorkload[];
  blocked: boolean;
}

/**
 * The pending Workloads of one ClusterQueue. What could not be admitted is
 * parked until something changes, its equals with it (Kueue's inadmissible
 * workloads and scheduling equivalence hashing); a StrictFIFO queue keeps its
 * head and is blocked by it instead.
 */
export class WorkloadQueue {
  /** Nothing new to try: the head takes part in cycles, but causes none. */
  blocked = false;
  private readonly classes = new Map<string, EquivalenceClass>();
  private readonly active = new IndexedHeap<EquivalenceClass>((a, b) =>
    compareWorkloads(
      (a.members.peek() as QueuedWorkload).spec,
      (b.members.peek() as QueuedWorkload).spec,
    ),
  );
  private readonly alone = new Set<QueuedWorkload>();
  private readonly parked = new Set<EquivalenceClass>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  get hasHead(): boolean {
    return this.active.size > 0;
  }

  /** The Workload that goes next; undefined: all are parked. */
  head(): QueuedWorkload | undefined {
    return this.active.peek()?.members.peek();
  }

  push(item: QueuedWorkload): void {
    const key = classKey(item);
    let equals = this.classes.get(key);
    if (!equals) this.classes.set(key, (equals = new EquivalenceClass(key)));
    equals.members.push(item);
    this.count += 1;
    if (equals.parked) return;
    this.blocked = false;
    if (equals.members.size === 1) this.active.push(equals);
    else this.active.moved(equals);
  }

  remove(item: QueuedWorkload): void {
    this.count -= 1;
    this.blocked = false;
    if (this.alone.delete(item)) return;
    const equals = this.classes.get(classKey(item)) as EquivalenceClass;
    if (equals.members.size > 1) {
      equals.members.remove(item);
      this.active.moved(equals);
      return;
    }
    this.active.remove(equals);
    equals.members.remove(item);
    if (this.classes.size > MAX_EMPTY_CLASSES) {
      this.classes.delete(equals.key);
      this.parked.delete(equals);
    }
  }

  /**
   * Sets a Workload aside, and with it all its equals, those to come included.
   *
   * @param hopeless - for what only another configuration can change
   */
  parkEquals(item: QueuedWorkload, hopeless = false): void {
    this.park(this.classes.get(classKey(item)) as EquivalenceClass, hopeless);
  }

  /** Sets one Workload aside for a reason its equals may not share. */
  parkAlone(item: QueuedWorkload): void {
    this.remove(item);
    this.count += 1;
    this.alone.add(item);
  }

  /** Quota was freed: lets try again what that may help. */
  wake(): void {
    this.blocked = false;
    for (const equals of this.parked) {
      if (!equals.hopeless) this.unpark(equals);
    }
  }

  /** Lets everything try again. */
  wakeAll(): void {
    this.blocked = false;
    for (const equals of this.parked) this.unpark(equals);
    const alone = [...this.alone];
    this.alone.clear();
    this.count -= alone.length;
    alone.forEach(item => this.push(item));
  }

  isParked(item: QueuedWorkload): boolean {
    return (
      this.alone.has(item) || Boolean(this.classes.get(classKey(item))?.parked)
    );
  }

  saveParking(): Parking {
    return {
      classes: [...this.parked].map(({ key, hopeless }) => ({ key, hopeless })),
      alone: [...this.alone],
      blocked: this.blocked,
    };
  }

  /** Back to a saved parking; the Workloads must be the same as then. */
  restoreParking(parking: Parking): void {
    this.wakeAll();
    for (const { key, hopeless } of parking.classes) {
      const equals = this.classes.get(key);
      if (equals) this.park(equals, hopeless);
    }
    parking.alone.forEach(item => this.parkAlone(item));
    this.blocked = parking.blocked;
  }

  /** All pending Workloads in queue order, parked ones included. */
  inOrder(): QueuedWorkload[] {
    const all = [...this.alone];
    for (const { members } of this.classes.values()) all.push(...members);
    return all.sort((a, b) => compareWorkloads(a.spec, b.spec));
  }

  private park(equals: EquivalenceClass, hopeless: boolean): void {
    equals.parked = true;
    equals.hopeless = hopeless;
    this.parked.add(equals);
    this.active.remove(equals);
  }

  private unpark(equals: EquivalenceClass): void {
    equals.parked = false;
    this.parked.delete(equals);
    if (equals.members.size > 0) this.active.push(equals);
  }
}

function classKey({ shape, spec }: QueuedWorkload): string {
  return `${shape} ${spec.priority}`;
}
