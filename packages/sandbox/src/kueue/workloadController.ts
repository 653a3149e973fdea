import {
  KueueWorkload,
  readWorkload,
} from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../apiserver/objectStore';
import { stamp } from '../clock';
import { verdictOf } from './admissionChecks';
import { gatesOf } from './admissionGate';
import { findCondition, isTrue, setCondition } from './conditions';
import { KueueContext } from './kueueContext';
import { inUseFinalizer, jobUidLabel } from './names';
import {
  admit,
  evict,
  finish,
  holdsQuota,
  markPending,
  setRequeued,
} from './workloadStatus';

const NO_LABELS: Record<string, string> = {};

/** What drains a queue that is stopped with HoldAndDrain, and what lets its Workloads back in. */
const DRAINS = {
  LocalQueue: {
    evicted: 'LocalQueueStopped',
    requeued: 'LocalQueueRestarted',
  },
  ClusterQueue: {
    evicted: 'ClusterQueueStopped',
    requeued: 'ClusterQueueRestarted',
  },
} as const;

/** Keeps each Workload where it belongs: in the queue, holding quota, set aside or finished. */
export class WorkloadController {
  constructor(private readonly context: KueueContext) {}

  /** @returns after how many milliseconds to look again, if time alone changes something. */
  reconcile(key: string): number | undefined {
    const workload = this.context.workload(key);
    if (!workload) return undefined;
    const { engine } = this.context;
    const uid = workload.metadata.uid as string;
    if (isTrue(workload, 'Finished')) {
      if (engine.remove(uid)) this.context.schedule();
      this.context.removeFinalizer(workload, inUseFinalizer);
      return undefined;
    }
    const jobUid = workload.metadata.labels?.[jobUidLabel];
    if (jobUid && !this.context.jobs.has(jobUid)) {
      this.orphaned(workload);
      return undefined;
    }
    // Its Job stops first; see JobController.
    if (workload.metadata.deletionTimestamp) return undefined;
    if (this.changesActivity(workload) || this.isDrained(workload)) {
      return undefined;
    }
    if (holdsQuota(workload)) return this.watchOver(workload);
    this.enqueue(workload);
    return undefined;
  }

  private orphaned(workload: KubernetesObject): void {
    if (workload.metadata.deletionTimestamp) {
      this.context.removeFinalizer(workload, inUseFinalizer);
      return;
    }
    this.context.writeStatus(workload, each =>
      finish(
        each,
        'OwnerNotFound',
        "The workload's owner no longer exists",
        this.context.now(),
      ),
    );
  }

  /** spec.active and what Kueue itself deactivated; true: nothing else is to be done now. */
  private changesActivity(workload: KubernetesObject): boolean {
    const { context } = this;
    const target = findCondition(workload, 'DeactivationTarget');
    const requeued = findCondition(workload, 'Requeued');
    if (workload.spec.active !== false) {
      if (target?.status === 'True') {
        context.modify('Workload', workload.metadata, each => {
          each.spec.active = false;
        });
        return true;
      }
      if (requeued?.status === 'False' && requeued.reason === 'Deactivated') {
        context.writeStatus(workload, each =>
          setRequeued(
            each,
            true,
            'Reactivated',
            'The workload was reactivated',
            context.now(),
          ),
        );
        return true;
      }
      return false;
    }
    const evicted = findCondition(workload, 'Evicted');
    if (
      evicted?.status === 'True' &&
      evicted.reason.startsWith('Deactivated')
    ) {
      this.leaveQueue(workload);
      return true;
    }
    this.evict(
      workload,
      target ? `DeactivatedDueTo${target.reason}` : 'Deactivated',
      target
        ? `The workload is deactivated due to ${target.message}`
        : 'The workload is deactivated',
      target?.reason,
    );
    this.leaveQueue(workload);
    return true;
  }

  /** stopPolicy HoldAndDrain of its queues, and its end. */
  private isDrained(workload: KubernetesObject): boolean {
    const { context } = this;
    const localQueue = this.localQueueOf(workload);
    const clusterQueue = context.store.get(
      'ClusterQueue',
      workload.status?.admission?.clusterQueue ??
        localQueue?.spec.clusterQueue ??
        '',
    );
    const requeued = findCondition(workload, 'Requeued');
    for (const queue of [localQueue, clusterQueue]) {
      if (!queue) continue;
      const drain = DRAINS[queue.kind as keyof typeof DRAINS];
      const policy = queue.spec.stopPolicy ?? 'None';
      if (
        policy === 'HoldAndDrain' &&
        holdsQuota(workload) &&
        !isTrue(workload, 'Evicted')
      ) {
        this.evict(workload, drain.evicted, `The ${queue.kind} is stopped`);
        return true;
      }
      if (
        policy === 'None' &&
        requeued?.status === 'False' &&
        requeued.reason === drain.evicted
      ) {
        context.writeStatus(workload, each =>
          setRequeued(
            each,
            true,
            drain.requeued,
            `The ${queue.kind} was restarted after being stopped`,
            context.now(),
          ),
        );
        return true;
      }
    }
    return false;
  }

  /** A Workload that holds quota. */
  private watchOver(workload: KubernetesObject): number | undefined {
    const { engine, book } = this.context;
    const uid = workload.metadata.uid as string;
    const entry = book.get(uid);
    const spec = readWorkload(
      workload as unknown as KueueWorkload,
      workload.status.admission.clusterQueue,
    );
    const known = engine.held(uid);
    const held = entry?.held ?? [];
    if (!known) engine.addAdmitted(spec, held);
    else if (JSON.stringify(known) !== JSON.stringify(held)) {
      engine.changeHeld(uid, held);
      this.context.schedule();
    }
    if (isTrue(workload, 'Evicted')) return undefined;
    return isTrue(workload, 'Admitted')
      ? this.limitTime(workload)
      : this.followChecks(workload);
  }

  private limitTime(workload: KubernetesObject): number | undefined {
    const limit = workload.spec.maximumExecutionTimeSeconds;
    if (!limit) return undefined;
    const since = findCondition(workload, 'Admitted')?.lastTransitionTime ?? '';
    const left =
      Date.parse(since) +
      (limit - (workload.status.accumulatedPastExecutionTimeSeconds ?? 0)) *
        1000 -
      this.context.clock.now().getTime();
    if (left > 0) return left;
    const written = this.context.writeStatus(workload, each => {
      setCondition(
        each,
        {
          type: 'DeactivationTarget',
          status: 'True',
          reason: 'MaximumExecutionTimeExceeded',
          message: 'exceeding the maximum execution time',
        },
        this.context.now(),
      );
    });
    if (written) {
      this.context.events.record(
        written,
        'Warning',
        'MaximumExecutionTimeExceeded',
        `The maximum execution time (${limit}s) exceeded`,
      );
    }
    return undefined;
  }

  private followChecks(workload: KubernetesObject): number | undefined {
    const verdict = verdictOf(workload);
    switch (verdict.kind) {
      case 'rejected':
        this.evict(
          workload,
          'DeactivatedDueToAdmissionCheck',
          `The workload is deactivated due to Admission check(s): ${verdict.names.join(
            ',',
          )}, were rejected`,
          'AdmissionCheck',
        );
        return undefined;
      case 'retry':
        return this.retryChecks(workload, verdict.at);
      case 'ready':
        this.context.writeStatus(workload, each =>
          admit(each, this.context.now()),
        );
        return undefined;
      default:
        return undefined;
    }
  }

  /** Quota is held until the checks may be tried again. */
  private retryChecks(
    workload: KubernetesObject,
    at: Date,
  ): number | undefined {
    const left = at.getTime() - this.context.clock.now().getTime();
    if (left <= 0) {
      this.evict(
        workload,
        'AdmissionCheck',
        'At least one admission check is false',
      );
      return undefined;
    }
    this.context.writeStatus(workload, each => {
      each.status.requeueState = {
        ...each.status.requeueState,
        requeueAt: stamp(at),
      };
    });
    return left;
  }

  /** A Workload that waits. */
  private enqueue(workload: KubernetesObject): void {
    const { context } = this;
    const { store } = context;
    const gates = gatesOf(workload);
    const known = findCondition(workload, 'QuotaReserved');
    if (gates.length > 0) {
      this.leaveQueue(workload);
      if (known?.reason !== 'AdmissionGated') {
        this.explain(
          workload,
          'AdmissionGated',
          `Admission is gated by: ${gates.join(',')}`,
        );
      }
      return;
    }
    const requeued = findCondition(workload, 'Requeued');
    if (requeued?.status === 'False') {
      this.leaveQueue(workload);
      if (requeued.reason === 'AdmissionCheck') {
        context.writeStatus(workload, each => {
          delete each.status.requeueState;
          setRequeued(
            each,
            true,
            'BackoffFinished',
            'The workload backoff was finished',
            context.now(),
          );
        });
      }
      return;
    }
    const queueName = workload.spec.queueName ?? '';
    const localQueue = this.localQueueOf(workload);
    if (!localQueue) {
      this.inadmissible(workload, `LocalQueue ${queueName} doesn't exist`);
      return;
    }
    if ((localQueue.spec.stopPolicy ?? 'None') !== 'None') {
      this.inadmissible(workload, `LocalQueue ${queueName} is inactive`);
      return;
    }
    const { clusterQueue } = localQueue.spec;
    if (!store.get('ClusterQueue', clusterQueue)) {
      this.inadmissible(workload, `ClusterQueue ${clusterQueue} doesn't exist`);
      return;
    }
    const namespace = store.get(
      'Namespace',
      workload.metadata.namespace as string,
    );
    context.engine.add(
      readWorkload(
        workload as unknown as KueueWorkload,
        clusterQueue,
        namespace && (namespace.metadata.labels ?? NO_LABELS),
      ),
    );
    context.schedule();
    const isStopped =
      context.engine.clusterQueueSpec(clusterQueue)?.inactive !== undefined;
    // What was pending before keeps its text: nobody looks at it while the queue is stopped.
    if (isStopped && known?.reason !== 'Pending') {
      this.explain(
        workload,
        'Inadmissible',
        `ClusterQueue ${clusterQueue} is inactive`,
      );
    }
  }

  private inadmissible(workload: KubernetesObject, message: string): void {
    this.leaveQueue(workload);
    this.explain(workload, 'Inadmissible', message);
  }

  private explain(
    workload: KubernetesObject,
    reason: 'Inadmissible' | 'AdmissionGated',
    message: string,
  ): void {
    const known = findCondition(workload, 'QuotaReserved');
    if (known?.reason === reason && known.message === message) return;
    this.context.writeStatus(workload, each =>
      markPending(each, reason, message, this.context.now()),
    );
    if (reason === 'AdmissionGated') {
      this.context.events.record(workload, 'Normal', reason, message);
    }
  }

  private evict(
    workload: KubernetesObject,
    reason: string,
    message: string,
    cause?: string,
  ): void {
    this.context.writeStatus(workload, each =>
      evict(each, reason, message, cause, this.context.now()),
    );
    this.context.events.record(
      workload,
      'Normal',
      `EvictedDueTo${reason}`,
      message,
    );
  }

  private leaveQueue(workload: KubernetesObject): void {
    const uid = workload.metadata.uid as string;
    if (this.context.engine.isPending(uid)) this.context.engine.remove(uid);
  }

  private localQueueOf(
    workload: KubernetesObject,
  ): KubernetesObject | undefined {
    return this.context.store.get(
      'LocalQueue',
      workload.spec.queueName ?? '',
      workload.metadata.namespace,
    );
  }
}
