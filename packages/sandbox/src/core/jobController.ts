import { sameTree } from '../apiserver/frozenTree';
import type { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import type { Clock } from '../clock';
import { isActive, isTracked, podOfJob, trackingFinalizer } from './jobPods';
import { JobSync } from './jobSync';
import { conditionOf } from './podState';
import { WorkQueue } from './workQueue';

export interface JobControllerOptions {
  /** Divides the delay before a failed pod is replaced; default 1. */
  timeScale?: number;
  /** First delay before a failed pod is replaced, doubling up to 10 minutes; default 10,000. */
  backoffMilliseconds?: number;
}

const user = 'system:serviceaccount:kube-system:job-controller';

function jobUid(pod: KubernetesObject): string | undefined {
  return pod.metadata.ownerReferences?.find(
    owner => owner.controller && owner.kind === 'Job',
  )?.uid;
}

function isFinished(job: KubernetesObject): boolean {
  return ['Complete', 'Failed'].some(
    type => conditionOf(job, type)?.status === 'True',
  );
}

/**
 * The Job controller of Kubernetes 1.36 for what the sandbox runs: Indexed and
 * NonIndexed, parallelism and completions, suspension, back-off limit and
 * deadline. Not there: success and pod-failure policies, per-index back-off,
 * `podReplacementPolicy: Failed`.
 */
export function startJobController(
  store: ObjectStore,
  clock: Clock,
  options: JobControllerOptions = {},
): { stop: () => void } {
  const scale = options.timeScale ?? 1;
  const firstBackoff = (options.backoffMilliseconds ?? 10_000) / scale;
  /** `namespace/name` by uid, so that pods lead to their Job. */
  const jobs = new Map<string, string>();
  /** Failures in a row and when the last one was seen, by uid: only for the delay. */
  const backoff = new Map<string, { failures: number; at: number }>();
  const queue = new WorkQueue('job controller', clock, sync);

  const stopJobs = store.watch(
    'Job',
    ({ type, object }) => {
      const { uid = '', name, namespace } = object.metadata;
      if (type === 'DELETED') {
        jobs.delete(uid);
        backoff.delete(uid);
        queue.cancelDelay(uid);
      } else {
        jobs.set(uid, `${namespace}/${name}`);
      }
      queue.add(uid);
    },
    { replay: true },
  );
  const stopPods = store.watch(
    'Pod',
    ({ object, previous }) => {
      const uid = jobUid(object) ?? (previous && jobUid(previous));
      if (uid) {
        queue.add(uid);
      }
      if (isTracked(object) && !jobUid(object)) {
        // Nobody counts an orphan.
        release(object);
      }
    },
    { replay: true },
  );

  function jobOf(uid: string): KubernetesObject | undefined {
    const key = jobs.get(uid);
    const slash = key?.indexOf('/') ?? 0;
    return key
      ? store.get('Job', key.slice(slash + 1), key.slice(0, slash))
      : undefined;
  }

  function release(pod: KubernetesObject): void {
    store.modify(
      'Pod',
      pod.metadata.name,
      pod.metadata.namespace,
      object => {
        object.metadata.finalizers = object.metadata.finalizers?.filter(
          one => one !== trackingFinalizer,
        );
        if (!object.metadata.finalizers?.length) {
          delete object.metadata.finalizers;
        }
      },
      { user },
    );
  }

  /** Deletes pods without counting them as failures: their finalizer goes first. */
  function remove(pods: readonly KubernetesObject[]): void {
    for (const pod of pods) {
      release(pod);
      deletePod(pod);
    }
  }

  function deletePod({
    metadata: { name, namespace },
  }: KubernetesObject): void {
    if (store.get('Pod', name, namespace)) {
      store.delete('Pod', name, namespace, { user });
    }
  }

  function sync(uid: string): void {
    const job = jobOf(uid);
    const pods = job
      ? store.list('Pod', {
          ownerUid: uid,
          namespace: job.metadata.namespace,
        })
      : store.list('Pod', { ownerUid: uid });
    if (!job || job.metadata.deletionTimestamp || isFinished(job)) {
      if (job && isFinished(job)) {
        remove(pods.filter(isActive));
      }
      pods.filter(isTracked).forEach(release);
      return;
    }
    const next = new JobSync(job, pods, clock.now());
    const counted = next.count();
    noteFailures(uid, next);
    next.judge();
    if (next.isEnding()) {
      // Their finalizer stays: what is stopped by the Job's end is counted as failed.
      next.active().forEach(deletePod);
      next.emptied();
    } else if (job.spec.suspend) {
      remove(next.active());
      next.emptied();
    } else {
      next.adjust(
        excess => remove(excess),
        index => startPod(uid, next, index),
      );
    }
    next.conclude();
    const wait = next.waitMilliseconds();
    if (wait !== undefined) {
      queue.addAfter(uid, wait);
    }
    if (!sameTree(next.job.status, job.status)) {
      store.modify(
        'Job',
        job.metadata.name,
        job.metadata.namespace,
        object => {
          object.status = next.job.status;
        },
        { user, subresource: 'status' },
      );
    }
    counted.forEach(release);
  }

  function noteFailures(uid: string, next: JobSync): void {
    if (next.newlyFailed > 0) {
      const { failures: before = 0 } = backoff.get(uid) ?? {};
      backoff.set(uid, {
        failures: before + next.newlyFailed,
        at: clock.now().getTime(),
      });
    } else if (next.newlySucceeded > 0) {
      backoff.delete(uid);
    }
  }

  /** Creates a pod unless failures ask for patience; false when it was not created. */
  function startPod(uid: string, next: JobSync, index?: number): boolean {
    const state = backoff.get(uid);
    if (state) {
      const delay = Math.min(
        firstBackoff * 2 ** (state.failures - 1),
        600_000 / scale,
      );
      const left = state.at + delay - clock.now().getTime();
      if (left > 0) {
        next.lookAgainAfter(left);
        return false;
      }
    }
    try {
      store.create(podOfJob(next.job, index), { user });
    } catch {
      // Refused, by a quota or a namespace that goes: tried again as upstream does.
      next.lookAgainAfter(10_000 / scale);
      return false;
    }
    return true;
  }

  return {
    stop() {
      stopJobs();
      stopPods();
      queue.stop();
    },
  };
}
