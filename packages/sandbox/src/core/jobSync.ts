/* eslint-disable @typescript-eslint/no-explicit-any */
import { cloneTree } from '../apiserver/frozenTree';
import type { KubernetesObject } from '../apiserver/objectStore';
import { stamp } from '../clock';
import {
  completionIndex,
  formatIndexes,
  isActive,
  isTracked,
  parseIndexes,
} from './jobPods';
import { conditionOf, hasEnded, isReady, setCondition } from './podState';

const reached = 'Reached expected number of succeeded pods';

/** Why a Job fails, in upstream's words. */
const failures = {
  backoff: {
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
  },
  deadline: {
    reason: 'DeadlineExceeded',
    message: 'Job was active longer than specified deadline',
  },
};

/** One look at a Job and its pods: what its status becomes. Changes only its copy. */
export class JobSync {
  readonly job: KubernetesObject;
  newlyFailed = 0;
  newlySucceeded = 0;
  private started = 0;
  private wait?: number;
  private readonly at: string;
  private activePods: KubernetesObject[];
  private readonly completed: Set<number>;

  constructor(
    job: KubernetesObject,
    private readonly pods: readonly KubernetesObject[],
    private readonly now: Date,
  ) {
    this.job = {
      ...job,
      status: cloneTree(job.status ?? {}),
    };
    this.at = stamp(now);
    this.activePods = pods.filter(isActive);
    this.completed = parseIndexes(this.status.completedIndexes);
  }

  private get status(): any {
    return this.job.status;
  }

  private get indexed(): boolean {
    return this.job.spec.completionMode === 'Indexed';
  }

  active(): KubernetesObject[] {
    return this.activePods;
  }

  /** Counts pods that have ended since; returns them so that they can be let go once the status is written. */
  count(): KubernetesObject[] {
    const ended = this.pods.filter(
      pod => isTracked(pod) && (hasEnded(pod) || !isActive(pod)),
    );
    for (const pod of ended) {
      if (pod.status?.phase === 'Succeeded') {
        const index = completionIndex(pod);
        if (index !== undefined) {
          this.completed.add(index);
        }
        this.newlySucceeded += 1;
      } else {
        this.newlyFailed += 1;
      }
    }
    const succeeded = this.indexed
      ? this.completed.size
      : (this.status.succeeded ?? 0) + this.newlySucceeded;
    if (succeeded > 0) {
      this.status.succeeded = succeeded;
    }
    if (this.indexed && this.completed.size > 0) {
      this.status.completedIndexes = formatIndexes(this.completed);
    }
    if (this.newlyFailed > 0) {
      this.status.failed = (this.status.failed ?? 0) + this.newlyFailed;
    }
    return ended;
  }

  /** Milliseconds to the deadline; undefined when there is none. */
  private untilDeadline(): number | undefined {
    const { activeDeadlineSeconds, suspend } = this.job.spec;
    const { startTime } = this.status;
    if (activeDeadlineSeconds === undefined || !startTime || suspend) {
      return undefined;
    }
    const end = Date.parse(startTime) + activeDeadlineSeconds * 1000;
    return end - this.now.getTime();
  }

  /** Decides whether the Job fails, has succeeded, or is suspended or resumed. */
  judge(): void {
    const { spec } = this.job;
    if (!spec.suspend && !this.status.startTime) {
      this.status.startTime = this.at;
    }
    if (!this.isEnding()) {
      const failure = this.failure();
      if (failure) {
        this.set({ type: 'FailureTarget', status: 'True', ...failure });
      } else if (this.hasSucceeded()) {
        this.set({
          type: 'SuccessCriteriaMet',
          status: 'True',
          reason: 'CompletionsReached',
          message: reached,
        });
      }
    }
    if (this.isEnding()) {
      return;
    }
    if (spec.suspend) {
      this.set({
        type: 'Suspended',
        status: 'True',
        reason: 'JobSuspended',
        message: 'Job suspended',
      });
      delete this.status.startTime;
    } else if (conditionOf(this.job, 'Suspended')?.status === 'True') {
      this.set({
        type: 'Suspended',
        status: 'False',
        reason: 'JobResumed',
        message: 'Job resumed',
      });
      this.status.startTime = this.at;
    }
  }

  private set(condition: {
    type: string;
    status: 'True' | 'False';
    reason: string;
    message: string;
  }): void {
    setCondition(this.job, condition, this.at, { lastProbeTime: this.at });
  }

  /** Whether the Job has failed or succeeded and only waits for its pods to end. */
  isEnding(): boolean {
    return ['FailureTarget', 'SuccessCriteriaMet'].some(
      type => conditionOf(this.job, type)?.status === 'True',
    );
  }

  /** Asks for another look, at the latest after so long. */
  lookAgainAfter(milliseconds: number): void {
    this.wait = Math.min(this.wait ?? Infinity, milliseconds);
  }

  /** When to look again, if nothing happens before. */
  waitMilliseconds(): number | undefined {
    const left = this.untilDeadline();
    if (left !== undefined && left > 0) {
      this.lookAgainAfter(left);
    }
    return this.wait;
  }

  private failure(): { reason: string; message: string } | undefined {
    const { backoffLimit = 6, template } = this.job.spec;
    const restarts =
      template.spec.restartPolicy === 'OnFailure'
        ? this.activePods.reduce(
            (sum, pod) =>
              sum +
              (pod.status?.containerStatuses ?? []).reduce(
                (own: number, one: any) => own + one.restartCount,
                0,
              ),
            0,
          )
        : 0;
    const worn = backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
    if ((this.status.failed ?? 0) > backoffLimit || (restarts > 0 && worn)) {
      return failures.backoff;
    }
    const left = this.untilDeadline();
    return left !== undefined && left <= 0 ? failures.deadline : undefined;
  }

  private hasSucceeded(): boolean {
    const { completions } = this.job.spec;
    const succeeded = this.status.succeeded ?? 0;
    return completions === undefined
      ? succeeded > 0 && this.activePods.length === 0
      : succeeded >= completions;
  }

  /** The active pods are gone. */
  emptied(): void {
    this.activePods = [];
  }

  /** Removes what is too much and starts what is missing. */
  adjust(
    removePods: (pods: KubernetesObject[]) => void,
    startPod: (index?: number) => boolean,
  ): void {
    const { parallelism = 1, completions } = this.job.spec;
    const succeeded = this.status.succeeded ?? 0;
    let wanted = parallelism;
    if (completions !== undefined) {
      wanted = Math.min(parallelism, completions - succeeded);
    } else if (succeeded > 0) {
      wanted = Math.min(parallelism, this.activePods.length);
    }
    const excess = this.surplus(wanted);
    removePods(excess);
    this.activePods = this.activePods.filter(pod => !excess.includes(pod));
    const free = this.freeIndexes();
    let started = 0;
    while (this.activePods.length + started < wanted) {
      const index = this.indexed ? free.shift() : undefined;
      if ((this.indexed && index === undefined) || !startPod(index)) {
        break;
      }
      started += 1;
    }
    this.started = started;
  }

  /** Active pods beyond what is wanted: duplicates of an index first, then the youngest. */
  private surplus(wanted: number): KubernetesObject[] {
    const seen = new Set<number>();
    const extra: KubernetesObject[] = [];
    const kept: KubernetesObject[] = [];
    for (const pod of this.activePods) {
      const index = this.indexed ? completionIndex(pod) : undefined;
      const useless =
        index !== undefined &&
        (seen.has(index) ||
          this.completed.has(index) ||
          index >= (this.job.spec.completions ?? Infinity));
      if (useless) {
        extra.push(pod);
      } else {
        kept.push(pod);
        if (index !== undefined) {
          seen.add(index);
        }
      }
    }
    const byAge = kept.sort((a, b) =>
      a.metadata.creationTimestamp!.localeCompare(
        b.metadata.creationTimestamp!,
      ),
    );
    return [...extra, ...byAge.slice(Math.max(0, wanted))];
  }

  private freeIndexes(): number[] {
    if (!this.indexed) {
      return [];
    }
    const busy = new Set(this.activePods.map(completionIndex));
    return Array.from(
      { length: this.job.spec.completions ?? 0 },
      (_, index) => index,
    ).filter(index => !busy.has(index) && !this.completed.has(index));
  }

  /** Fills in the counters and, when every pod has ended, the last condition. */
  conclude(): void {
    const active = this.activePods.length + this.started;
    const terminating = this.pods.filter(
      pod => !hasEnded(pod) && !this.activePods.includes(pod),
    ).length;
    if (active > 0) {
      this.status.active = active;
    } else {
      delete this.status.active;
    }
    this.status.ready = this.activePods.filter(isReady).length;
    this.status.terminating = terminating;
    this.status.uncountedTerminatedPods = {};
    if (!this.isEnding() || active > 0 || terminating > 0) {
      return;
    }
    const failed = conditionOf(this.job, 'FailureTarget');
    const { reason = '', message = '' } =
      failed ?? conditionOf(this.job, 'SuccessCriteriaMet')!;
    this.set({
      type: failed ? 'Failed' : 'Complete',
      status: 'True',
      reason,
      message,
    });
    if (!failed) {
      this.status.completionTime = this.at;
    }
  }
}
