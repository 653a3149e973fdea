import { LiveQueue } from './liveQueue';
import { QuotaTree } from './quotaTree';

/** Which queues have a head, and in which cohort trees there is something new to try. */
export class ReadyQueues {
  private readonly byRoot = new Map<number, LiveQueue[]>();
  /** Queues with a head, by root. */
  private readonly ready = new Map<number, Set<LiveQueue>>();
  private due = new Set<number>();

  constructor(
    private readonly tree: QuotaTree,
    queues: Iterable<LiveQueue> = [],
  ) {
    for (const live of queues) {
      const root = tree.rootOf(live.node);
      const siblings = this.byRoot.get(root);
      if (siblings) siblings.push(live);
      else {
        this.byRoot.set(root, [live]);
        this.ready.set(root, new Set());
      }
      this.note(live);
    }
  }

  /** Roots with something new to try. */
  dueRoots(): Iterable<number> {
    return this.due;
  }

  /** All queues of a cohort tree. */
  below(root: number): LiveQueue[] {
    return this.byRoot.get(root) ?? [];
  }

  /** Those that have a head; none: there is nothing new to try. */
  takeDue(root: number): LiveQueue[] {
    if (!this.due.has(root)) return [];
    const heads = [...(this.ready.get(root) as Set<LiveQueue>)];
    if (heads.some(({ queue }) => !queue.blocked)) return heads;
    this.due.delete(root);
    return [];
  }

  /** Call whenever the head of a queue may have changed. */
  note(live: LiveQueue): void {
    const root = this.tree.rootOf(live.node);
    const ready = this.ready.get(root) as Set<LiveQueue>;
    if (live.queue.hasHead && live.spec.inactive === undefined) {
      ready.add(live);
      if (!live.queue.blocked) this.due.add(root);
    } else {
      ready.delete(live);
    }
  }

  /** Lets everything parked in a cohort tree try again. */
  wake(root: number): void {
    for (const live of this.below(root)) {
      live.queue.wake();
      this.note(live);
    }
  }

  /** Remembers what is due and parked in a cohort tree; call what it returns to go back there. */
  save(root: number): () => void {
    const due = new Set(this.due);
    const parking = this.below(root).map(live => ({
      live,
      saved: live.queue.saveParking(),
    }));
    return () => {
      for (const { live, saved } of parking) {
        live.queue.restoreParking(saved);
        this.note(live);
      }
      this.due = due;
    };
  }
}
