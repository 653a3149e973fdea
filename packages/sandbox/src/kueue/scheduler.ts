import {
  Admission,
  Inadmissible,
  KueueWorkload,
  readWorkload,
} from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../apiserver/objectStore';
import { checksOf } from './admissionChecks';
import { findCondition } from './conditions';
import { KueueContext } from './kueueContext';
import { holdsQuota, refuse, reserveQuota } from './workloadStatus';

const CYCLES_PER_TURN = 100;
/**
 * How long a message that only says something else than before may wait. When
 * quota is freed, whole trees of queues are tried again: their heads' numbers
 * change with each Workload that ends.
 */
const REFRESH_MS = 1000;

/** Runs the engine's admission cycles when there may be something to admit, and writes what they decide. */
export class Scheduler {
  private scheduled?: () => void;
  private refreshing?: () => void;
  /** Newer refusals of Workloads that were refused before, by uid. */
  private readonly stale = new Map<string, Inadmissible>();

  constructor(private readonly context: KueueContext) {}

  trigger(): void {
    this.scheduled ??= this.context.clock.after(0, () => this.turn());
  }

  stop(): void {
    this.scheduled?.();
    this.refreshing?.();
  }

  private turn(): void {
    this.scheduled = undefined;
    for (let left = CYCLES_PER_TURN; left > 0; left--) {
      const result = this.context.engine.cycle();
      if (!result) return;
      result.admitted.forEach(each => this.admit(each));
      result.inadmissible.forEach(each => this.refuse(each));
    }
    this.trigger();
  }

  private admit({ uid, clusterQueue, podSets }: Admission): void {
    const { context } = this;
    const workload = this.find(uid);
    const queue = context.store.get('ClusterQueue', clusterQueue);
    const flavors = new Set(podSets.flatMap(p => Object.values(p.flavors)));
    const now = context.now();
    const written =
      workload &&
      context.writeStatus(workload, each =>
        reserveQuota(
          each,
          clusterQueue,
          podSets,
          checksOf(queue, flavors),
          now,
        ),
      );
    if (!written || !holdsQuota(written)) {
      context.engine.remove(uid);
      return;
    }
    const waited = seconds(written.metadata.creationTimestamp, now);
    context.events.record(
      written,
      'Normal',
      'QuotaReserved',
      `Quota reserved in ClusterQueue ${clusterQueue}, wait time since queued was ${waited}s`,
    );
    if (findCondition(written, 'Admitted')?.status === 'True') {
      context.events.record(
        written,
        'Normal',
        'Admitted',
        `Admitted by ClusterQueue ${clusterQueue}, wait time since reservation was 0s`,
      );
    }
  }

  private refuse(refusal: Inadmissible): void {
    const { uid, message } = refusal;
    const workload = this.find(uid);
    if (!workload) {
      this.context.engine.remove(uid);
      return;
    }
    const known = findCondition(workload, 'QuotaReserved');
    if (known?.status !== 'False' || known.reason !== 'Pending') {
      this.write(workload, message);
      this.context.events.record(workload, 'Warning', 'Pending', message);
    } else if (known.message !== message) {
      this.stale.set(uid, refusal);
      this.refreshing ??= this.context.clock.after(REFRESH_MS, () =>
        this.refresh(),
      );
    } else {
      this.stale.delete(uid);
    }
  }

  private refresh(): void {
    this.refreshing = undefined;
    for (const { uid, message } of this.stale.values()) {
      const workload = this.find(uid);
      if (workload && this.context.engine.isPending(uid)) {
        this.write(workload, message);
      }
    }
    this.stale.clear();
  }

  private write(workload: KubernetesObject, message: string): void {
    const { podSets } = readWorkload(workload as unknown as KueueWorkload, '');
    this.context.writeStatus(workload, each =>
      refuse(each, message, podSets, this.context.now()),
    );
  }

  private find(uid: string): KubernetesObject | undefined {
    const entry = this.context.book.get(uid);
    const workload =
      entry && this.context.workload(`${entry.namespace}/${entry.name}`);
    return workload?.metadata.uid === uid ? workload : undefined;
  }
}

function seconds(from: string | undefined, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from ?? to)) / 1000);
}
