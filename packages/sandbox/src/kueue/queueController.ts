import {
  KueueClusterQueue,
  KueueCohort,
  KueueResourceFlavor,
  readClusterQueue,
  readCohort,
  readResourceFlavor,
} from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../apiserver/objectStore';
import { findCondition } from './conditions';
import { keyOf, KueueContext } from './kueueContext';
import { inUseFinalizer } from './names';
import { clusterQueueActivity, flavorsOf } from './queueActivity';
import { writeClusterQueueStatus, writeLocalQueueStatus } from './queueStatus';

/** Counts of queues are written together, about this often. */
const STATUS_BATCH_MS = 1000;

/** Keeps the engine's configuration and the status of all queues up to date. */
export class QueueController {
  private configuring?: () => void;
  private flushing?: () => void;
  private readonly clusterQueues = new Set<string>();
  private readonly localQueues = new Set<string>();
  /** Specs of the ClusterQueues as last read. */
  private specs = new Map<string, unknown>();

  constructor(
    private readonly context: KueueContext,
    /** Workloads of a ClusterQueue or LocalQueue are to be looked at again. */
    private readonly requeue: {
      clusterQueue: (name: string) => void;
      localQueue: (key: string) => void;
    },
  ) {}

  stop(): void {
    this.configuring?.();
    this.flushing?.();
  }

  /** A ClusterQueue, Cohort, flavor or admission check changed. */
  configurationChanged(): void {
    this.configuring ??= this.context.clock.after(0, () => this.configure());
  }

  /** Something that a queue counts has changed. */
  countsChanged(clusterQueue: string | undefined, localQueue?: string): void {
    if (clusterQueue) this.clusterQueues.add(clusterQueue);
    if (localQueue) this.localQueues.add(localQueue);
    this.flushing ??= this.context.clock.after(STATUS_BATCH_MS, () =>
      this.flush(),
    );
  }

  /** A LocalQueue came, went or changed. */
  localQueueChanged(queue: KubernetesObject): void {
    const current = this.context.store.get(
      'LocalQueue',
      queue.metadata.name,
      queue.metadata.namespace,
    );
    if (current) writeLocalQueueStatus(this.context, current);
    this.requeue.localQueue(keyOf(queue));
    this.countsChanged(queue.spec.clusterQueue, keyOf(queue));
  }

  /** Reads all queues anew; what they admit may have changed. */
  configure(): void {
    this.configuring = undefined;
    const { store, engine } = this.context;
    const clusterQueues = store.list('ClusterQueue');
    engine.configure({
      resourceFlavors: store
        .list('ResourceFlavor')
        .map(each => readResourceFlavor(each as KueueResourceFlavor)),
      cohorts: store
        .list('Cohort')
        .map(each => readCohort(each as KueueCohort)),
      clusterQueues: clusterQueues.map(queue => {
        const { inactive: _, ...spec } = readClusterQueue(
          queue as unknown as KueueClusterQueue,
        );
        const activity = clusterQueueActivity(store, queue);
        return activity.status === 'True'
          ? spec
          : { ...spec, inactive: activity.message };
      }),
    });
    const before = this.specs;
    this.specs = new Map(clusterQueues.map(q => [q.metadata.name, q.spec]));
    for (const queue of clusterQueues) {
      this.clusterQueueConfigured(queue, before.get(queue.metadata.name));
    }
    for (const name of before.keys()) {
      if (!this.specs.has(name)) this.clusterQueueGone(name);
    }
    for (const flavor of store.list('ResourceFlavor')) {
      this.letGoUnused(flavor, clusterQueues);
    }
    this.context.schedule();
  }

  private clusterQueueConfigured(
    queue: KubernetesObject,
    specBefore: unknown,
  ): void {
    const { store, book } = this.context;
    const { name, deletionTimestamp } = queue.metadata;
    const active = findCondition(queue, 'Active')?.status;
    const isNews = active !== clusterQueueActivity(store, queue).status;
    writeClusterQueueStatus(this.context, queue);
    const [holder] = book.holdingIn(name);
    if (deletionTimestamp && !holder) {
      this.context.removeFinalizer(queue, inUseFinalizer);
    }
    if (isNews) this.writeLocalQueuesOf(name);
    // Nobody looks at what was pending when a queue is held.
    const isHeld = queue.spec.stopPolicy === 'Hold';
    if (!isHeld && (isNews || queue.spec !== specBefore)) {
      this.requeue.clusterQueue(name);
    }
  }

  private clusterQueueGone(name: string): void {
    this.writeLocalQueuesOf(name);
    this.requeue.clusterQueue(name);
  }

  private writeLocalQueuesOf(clusterQueue: string): void {
    for (const local of this.context.store.list('LocalQueue')) {
      if (local.spec.clusterQueue === clusterQueue) {
        writeLocalQueueStatus(this.context, local);
      }
    }
  }

  private letGoUnused(
    flavor: KubernetesObject,
    clusterQueues: KubernetesObject[],
  ): void {
    if (!flavor.metadata.deletionTimestamp) return;
    const isUsed = clusterQueues.some(queue =>
      flavorsOf(queue).includes(flavor.metadata.name),
    );
    if (!isUsed) this.context.removeFinalizer(flavor, inUseFinalizer);
  }

  private flush(): void {
    this.flushing = undefined;
    const { store, book } = this.context;
    for (const name of this.clusterQueues) {
      const queue = store.get('ClusterQueue', name);
      if (!queue) continue;
      writeClusterQueueStatus(this.context, queue);
      const [holder] = book.holdingIn(name);
      if (queue.metadata.deletionTimestamp && !holder) {
        this.context.removeFinalizer(queue, inUseFinalizer);
      }
    }
    for (const key of this.localQueues) {
      const [namespace, name] = key.split('/');
      const queue = store.get('LocalQueue', name, namespace);
      if (queue) writeLocalQueueStatus(this.context, queue);
    }
    this.clusterQueues.clear();
    this.localQueues.clear();
  }
}
