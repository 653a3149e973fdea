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

/** Runs the engine's admission cycles when there may be something to admit, and writes what they decide. */
export class Scheduler {
  private scheduled?: () => void;

  constructor(private readonly context: KueueContext) {}

  trigger(): void {
    this.scheduled ??= this.context.clock.after(0, () => this.turn());
  }

  stop(): void {
    this.scheduled?.();
    this.scheduled = undefined;
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

  private refuse({ uid, message }: Inadmissible): void {
    const { context } = this;
    const workload = this.find(uid);
    if (!workload) {
      context.engine.remove(uid);
      return;
    }
    const known = findCondition(workload, 'QuotaReserved');
    if (known?.status === 'False' && known.message === message) return;
    const { podSets } = readWorkload(workload as unknown as KueueWorkload, '');
    context.writeStatus(workload, each =>
      refuse(each, message, podSets, context.now()),
    );
    context.events.record(workload, 'Warning', 'Pending', message);
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
