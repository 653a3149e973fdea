import { Knex } from 'knex';
import { databaseNow } from '../database/databaseClock';
import { Lease, Leases } from '../database/leases';
import { pause } from './backOff';
import {
  Change,
  ClusterObserver,
  GpuPod,
  ObservationGap,
  ObservedWorkload,
} from './clusterObserver';
import { ClusterPicture } from './clusterPicture';
import { FOLLOWED_RESOURCES, FollowedResource } from './followedResources';
import { RawChange } from './rawChange';
import { deliveryChanges, jobChanges, storeObjects } from './storeObjects';
import { storePods } from './storePods';
import { refreshWorkloads, storeWorkloads } from './storeWorkloads';
import { jobFacts } from './workloadDerivation';

/** One thing to store, of one stream. */
export interface BatchEntry {
  resource: FollowedResource;
  changes: RawChange[];
  /** Announced to observers before anything else of the batch. */
  gap?: ObservationGap;
  /** How far the stream is once this is stored. */
  position?: { apiVersion: string; resourceVersion: string };
  /** Called once it is committed. */
  committed?: () => void;
}

export interface BatchWriterOptions {
  knex: Knex;
  leases: Leases;
  lease: Lease;
  picture: ClusterPicture;
  observers: ClusterObserver[];
  /** Milliseconds in which further events may join a batch. */
  windowMillis: number;
  /** Changes per transaction. */
  maxChanges: number;
  /** Milliseconds for which ended Workloads are kept. */
  retentionMillis: number;
  /** After each commit: resources of which something changed. */
  onCommitted(changed: Set<FollowedResource>): void;
}

/**
 * The one writer of a cluster: stores what its streams bring, batch by batch,
 * each batch with the streams' new positions and whatever the observers write
 * in one transaction that the lease fences. An error ends it, with nothing of
 * the batch stored; whoever starts the next one continues from the last commit.
 */
export class BatchWriter {
  private queue: BatchEntry[] = [];
  private tasks: Array<{
    run(trx: Knex.Transaction): Promise<void>;
    committed(): void;
    refuse(error: Error): void;
  }> = [];
  private ended = false;
  private queuedChanges = 0;
  private wake: () => void = () => {};

  constructor(private readonly options: BatchWriterOptions) {}

  /** Changes that wait to be stored. */
  get backlog(): number {
    return this.queuedChanges;
  }

  add(entry: BatchEntry): void {
    this.queue.push(entry);
    this.queuedChanges += entry.changes.length;
    this.wake();
  }

  /**
   * Does `task` in a fenced transaction of its own, between two batches. What
   * `task` throws ends the writer.
   */
  do<T>(task: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, refuse) => {
      if (this.ended) {
        refuse(new Error('The writer has ended'));
        return;
      }
      let result: T;
      this.tasks.push({
        run: async trx => {
          result = await task(trx);
        },
        committed: () => resolve(result),
        refuse,
      });
      this.wake();
    });
  }

  /** @throws LeaseLostError, and whatever the database or an observer threw. */
  async run(signal: AbortSignal): Promise<void> {
    const wake = () => this.wake();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        if (this.tasks.length > 0) {
          const [task] = this.tasks;
          await this.transaction(task.run);
          this.tasks.shift();
          task.committed();
        } else if (this.queue.length > 0) {
          await pause(this.options.windowMillis, signal);
          await this.store(this.take());
        } else {
          await new Promise<void>(resolve => {
            this.wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.ended = true;
      this.tasks.forEach(({ refuse }) =>
        refuse(new Error('The writer has ended')),
      );
    }
  }

  private take(): BatchEntry[] {
    let count = 0;
    let end = 0;
    while (
      end < this.queue.length &&
      (end === 0 ||
        count + this.queue[end].changes.length <= this.options.maxChanges)
    ) {
      count += this.queue[end].changes.length;
      end += 1;
    }
    this.queuedChanges -= count;
    return this.queue.splice(0, end);
  }

  private async store(entries: BatchEntry[]): Promise<void> {
    const changed = new Set<FollowedResource>();
    await this.transaction(async trx => {
      const now = await databaseNow(trx);
      for (const { gap } of entries) {
        if (gap) {
          await this.tell(observer => observer.onGap?.(gap, trx));
        }
      }
      for (const resource of FOLLOWED_RESOURCES) {
        const mine = entries.filter(entry => entry.resource === resource);
        const changes = mine.flatMap(entry => entry.changes);
        if (changes.length > 0) {
          const real = await this.storeResource(trx, resource, changes, now);
          if (real > 0) {
            changed.add(resource);
          }
        }
        const position = mine.findLast(entry => entry.position)?.position;
        if (position) {
          await trx('cluster_streams')
            .insert({
              cluster: this.options.picture.cluster,
              resource,
              api_version: position.apiVersion,
              resource_version: position.resourceVersion,
              current_at: now,
            })
            .onConflict(['cluster', 'resource'])
            .merge();
        }
      }
    });
    for (const { committed } of entries) {
      committed?.();
    }
    this.options.onCommitted(changed);
  }

  /** Returns how many objects really changed. */
  private async storeResource(
    trx: Knex.Transaction,
    resource: FollowedResource,
    changes: RawChange[],
    now: string,
  ): Promise<number> {
    const { picture } = this.options;
    switch (resource) {
      case 'workloads': {
        const real = await storeWorkloads(
          trx,
          picture,
          changes,
          this.context(now),
        );
        await this.tellWorkloads(real, trx);
        return real.length;
      }
      case 'pods': {
        const real: Change<GpuPod>[] = await storePods(trx, picture, changes);
        if (real.length > 0) {
          await this.tell(observer => observer.onPods?.(real, trx));
        }
        return real.length;
      }
      case 'jobs': {
        const objects = await storeObjects(trx, picture, resource, changes);
        const real = jobChanges(picture.cluster, objects);
        if (real.length > 0) {
          await this.tell(observer => observer.onJobs?.(real, trx));
          const facts = new Map(
            real
              .filter(({ type }) => type !== 'deleted')
              .map(({ now: job }) => [job.uid, jobFacts(job.annotations)]),
          );
          const theirs = [...picture.workloads.values()]
            .filter(({ row }) => row.job_uid && facts.has(row.job_uid))
            .map(({ row }) => row.uid);
          const workloads = await refreshWorkloads(
            trx,
            picture,
            theirs,
            this.context(now),
            { jobs: facts },
          );
          await this.tellWorkloads(workloads, trx);
        }
        return real.length;
      }
      case 'applications':
      case 'kustomizations': {
        const objects = await storeObjects(trx, picture, resource, changes);
        const real = deliveryChanges(picture.cluster, resource, objects);
        if (real.length > 0) {
          await this.tell(observer => observer.onDeliveries?.(real, trx));
        }
        return real.length;
      }
      default:
        return (await storeObjects(trx, picture, resource, changes)).length;
    }
  }

  /** For changes found elsewhere than in a stream (see refreshWorkloads). */
  async tellWorkloads(
    changes: Change<ObservedWorkload>[],
    trx: Knex.Transaction,
  ): Promise<void> {
    if (changes.length > 0) {
      await this.tell(observer => observer.onWorkloads?.(changes, trx));
    }
  }

  context(now: string): { now: string; keepSince: string } {
    const since = Date.parse(now) - this.options.retentionMillis;
    return { now, keepSince: new Date(since).toISOString() };
  }

  private async tell(
    say: (observer: ClusterObserver) => Promise<void> | undefined,
  ): Promise<void> {
    for (const observer of this.options.observers) {
      await say(observer);
    }
  }

  private async transaction(
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    const { knex, leases, lease } = this.options;
    await knex.transaction(async trx => {
      await leases.guard(lease, trx);
      await work(trx);
    });
  }
}
