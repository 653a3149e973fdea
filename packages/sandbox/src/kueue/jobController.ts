/* eslint-disable @typescript-eslint/no-explicit-any */
import { cloneTree, sameTree } from '../apiserver/frozenTree';
import { KubernetesObject } from '../apiserver/objectStore';
import { findCondition, isTrue } from './conditions';
import { keyOf, KueueContext } from './kueueContext';
import {
  gatedByAnnotation,
  inUseFinalizer,
  jobUidLabel,
  kueueUser,
  maxExecTimeLabel,
  podSetLabel,
  queueNameLabel,
} from './names';
import { injectAdmission, restoreTemplate } from './podTemplate';
import { priorityOf } from './priorities';
import {
  isWorkloadOf,
  podSetsOf,
  reclaimablePods,
  workloadOf,
} from './workloadOfJob';
import { finish, holdsQuota, releaseQuota } from './workloadStatus';

/**
 * Keeps a Job and its Workload at one: makes the Workload, starts the Job when
 * it is admitted and stops it when it is not (any more).
 */
export class JobController {
  /** Jobs that wait for a priority class, by its name. */
  private readonly missingClass = new Map<string, Set<string>>();

  constructor(private readonly context: KueueContext) {}

  /** Jobs to look at again when a priority class appears. */
  takeWaitingFor(priorityClass: string): string[] {
    const keys = [...(this.missingClass.get(priorityClass) ?? [])];
    this.missingClass.delete(priorityClass);
    return keys;
  }

  reconcile(key: string): void {
    const [namespace, name] = key.split('/');
    const { store } = this.context;
    const job = store.get('Job', name, namespace);
    if (!job?.metadata.labels?.[queueNameLabel]) return;
    const workloads = this.workloadsOf(job);
    if (job.metadata.deletionTimestamp) {
      workloads.forEach(each =>
        this.context.removeFinalizer(each, inUseFinalizer),
      );
      return;
    }
    const [workload] = workloads;
    if (workload?.metadata.deletionTimestamp) {
      if (!isFinished(job)) this.stop(job, workload);
      this.context.removeFinalizer(workload, inUseFinalizer);
      return;
    }
    if (!workload) {
      this.begin(job);
    } else if (!isTrue(workload, 'Finished')) {
      if (isFinished(job)) this.finish(job, workload);
      else this.follow(job, workload);
    }
  }

  private begin(job: KubernetesObject): void {
    if (isFinished(job)) return;
    if (!job.spec.suspend) {
      this.suspend(job);
      return;
    }
    const { store, events } = this.context;
    const priority = priorityOf(store, job);
    if (!priority) {
      const name =
        job.metadata.labels?.['kueue.x-k8s.io/priority-class'] ??
        job.spec.template.spec.priorityClassName;
      const waiting = this.missingClass.get(name) ?? new Set();
      this.missingClass.set(name, waiting.add(keyOf(job)));
      return;
    }
    const workload = store.create(workloadOf(job, priority), {
      user: kueueUser,
    });
    events.record(
      job,
      'Normal',
      'CreatedWorkload',
      `Created Workload: ${keyOf(workload)}`,
    );
  }

  private finish(job: KubernetesObject, workload: KubernetesObject): void {
    const failed = findCondition(job, 'Failed');
    const isFailed = failed?.status === 'True';
    const message = isFailed
      ? failed.message
      : findCondition(job, 'Complete')?.message;
    this.context.writeStatus(workload, each =>
      finish(
        each,
        isFailed ? 'Failed' : 'Succeeded',
        message || (isFailed ? 'Job failed' : 'Job finished successfully'),
        this.context.now(),
      ),
    );
    this.context.events.record(
      job,
      'Normal',
      'FinishedWorkload',
      `Workload '${keyOf(workload)}' is declared finished`,
    );
  }

  private follow(job: KubernetesObject, workload: KubernetesObject): void {
    const holds = holdsQuota(workload);
    if (job.spec.suspend && isInjected(job) && !isTrue(workload, 'Admitted')) {
      this.restore(job, workload);
      return;
    }
    if (
      !isWorkloadOf(job, workload) &&
      !(job.spec.suspend && isInjected(job))
    ) {
      this.replace(job, workload, holds);
      return;
    }
    if (this.update(job, workload)) return;
    if (holds && isTrue(workload, 'Evicted')) {
      if (!job.spec.suspend) this.stop(job, workload);
      else if (!job.status?.active) this.release(workload);
      return;
    }
    if (!isTrue(workload, 'Admitted')) {
      if (!job.spec.suspend) this.stop(job, workload);
    } else if (job.spec.suspend) {
      // Somebody suspended it while it ran: its pods go first.
      if (!job.status?.active) this.start(job, workload);
    } else {
      this.reclaim(job, workload);
    }
  }

  /** The Job asks for something else now: in place while it waits, else back to the queue. */
  private replace(
    job: KubernetesObject,
    workload: KubernetesObject,
    holds: boolean,
  ): void {
    const { store, events } = this.context;
    if (job.spec.suspend && !holds) {
      this.context.modify('Workload', workload.metadata, each => {
        each.spec.podSets = podSetsOf(job);
      });
      events.record(
        job,
        'Normal',
        'UpdatedWorkload',
        `Updated not matching Workload for suspended job: ${keyOf(workload)}`,
      );
      return;
    }
    this.stop(job, workload);
    this.context.removeFinalizer(workload, inUseFinalizer);
    const { name, namespace, uid } = workload.metadata;
    store.delete('Workload', name, namespace, {
      user: kueueUser,
      propagationPolicy: 'Background',
      preconditions: { uid },
    });
    events.record(
      job,
      'Normal',
      'DeletedWorkload',
      `Deleted not matching Workload: ${keyOf(workload)}`,
    );
  }

  /** What of a Job may change without a new Workload; true: it was written. */
  private update(job: KubernetesObject, workload: KubernetesObject): boolean {
    const gate = (each: KubernetesObject) =>
      each.metadata.annotations?.[gatedByAnnotation] ?? '';
    const priority = priorityOf(this.context.store, job);
    const maximum = job.metadata.labels?.[maxExecTimeLabel];
    const written = this.context.modify('Workload', workload.metadata, each => {
      if (gate(job) !== gate(each)) {
        each.metadata.annotations = { ...each.metadata.annotations };
        if (gate(job)) {
          each.metadata.annotations[gatedByAnnotation] = gate(job);
        } else {
          delete each.metadata.annotations[gatedByAnnotation];
        }
      }
      const ref = each.spec.priorityClassRef;
      if (priority?.ref && !sameTree(priority.ref, ref)) {
        each.spec.priorityClassRef = priority.ref;
        each.spec.priority = priority.value;
      }
      if (!job.spec.suspend || isTrue(each, 'Admitted')) return;
      each.spec.queueName = job.metadata.labels?.[queueNameLabel];
      if (maximum) each.spec.maximumExecutionTimeSeconds = Number(maximum);
      else delete each.spec.maximumExecutionTimeSeconds;
    });
    const isWritten =
      written?.metadata.resourceVersion !== workload.metadata.resourceVersion;
    if (isWritten) {
      this.context.events.record(
        job,
        'Normal',
        'UpdatedWorkload',
        `Updated workload: ${keyOf(workload)}`,
      );
    }
    return isWritten;
  }

  private start(job: KubernetesObject, workload: KubernetesObject): void {
    this.context.modify('Job', job.metadata, each => {
      each.spec.suspend = false;
      injectAdmission(each, workload, name =>
        this.context.store.get('ResourceFlavor', name),
      );
    });
    this.context.events.record(
      job,
      'Normal',
      'Started',
      `Admitted by clusterQueue ${workload.status.admission.clusterQueue}`,
    );
  }

  /** Suspends a Job and gives its pod template back what admission had added. */
  private stop(job: KubernetesObject, workload: KubernetesObject): void {
    if (!job.spec.suspend) {
      this.suspend(job);
      const why =
        findCondition(workload, 'Evicted')?.message ??
        'Not admitted by cluster queue';
      this.context.events.record(job, 'Normal', 'Stopped', why);
    }
    this.restore(job, workload);
  }

  private suspend(job: KubernetesObject): void {
    this.context.modify('Job', job.metadata, each => {
      each.spec.suspend = true;
    });
    this.context.events.record(
      job,
      'Normal',
      'Suspended',
      'Kueue managed child job suspended',
    );
  }

  private restore(job: KubernetesObject, workload: KubernetesObject): void {
    // Only the template of a Job that has not started may change.
    this.context.modify(
      'Job',
      job.metadata,
      each => {
        delete each.status?.startTime;
      },
      'status',
    );
    this.context.modify('Job', job.metadata, each =>
      restoreTemplate(each, workload),
    );
  }

  private release(workload: KubernetesObject): void {
    const { engine } = this.context;
    this.context.writeStatus(workload, each =>
      releaseQuota(each, this.context.now()),
    );
    engine.remove(workload.metadata.uid as string);
    this.context.schedule();
  }

  private reclaim(job: KubernetesObject, workload: KubernetesObject): void {
    const pods = reclaimablePods(job);
    const known = workload.status.reclaimablePods ?? [];
    if (pods.length === 0 || sameTree(pods, known)) return;
    this.context.writeStatus(workload, each => {
      each.status.reclaimablePods = cloneTree(pods);
    });
  }

  private workloadsOf(job: KubernetesObject): KubernetesObject[] {
    return this.context.store
      .list('Workload', {
        namespace: job.metadata.namespace,
        labels: { [jobUidLabel]: job.metadata.uid as string },
      })
      .filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === job.metadata.uid),
      );
  }
}

function isFinished(job: KubernetesObject): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

function isInjected(job: KubernetesObject): boolean {
  return Boolean(job.spec.template?.metadata?.labels?.[podSetLabel]);
}
