import { sameTree } from '../apiserver/frozenTree';
import {
  AdmissionPlugin,
  KubernetesObject,
  ObjectStore,
  WatchEvent,
} from '../apiserver/objectStore';
import { Clock } from '../clock';
import { JobController } from './jobController';
import { jobDefaulter, jobValidator } from './jobWebhook';
import { KeyQueue } from './keyQueue';
import { keyOf, KueueContext } from './kueueContext';
import { jobUidLabel, prefix } from './names';
import { QueueController } from './queueController';
import {
  clusterQueueAdmission,
  cohortAdmission,
  localQueueAdmission,
  resourceFlavorAdmission,
} from './queueWebhooks';
import { Scheduler } from './scheduler';
import { WorkloadController } from './workloadController';
import { workloadAdmission } from './workloadWebhook';

export interface KueueOptions {
  /** Told what a controller could not do; it tries again by itself. */
  onError?: (what: string, error: unknown) => void;
}

/** Kueue's webhooks for a store, in the order they act. */
function kueueAdmission(store: ObjectStore): AdmissionPlugin[] {
  return [
    jobDefaulter(store),
    jobValidator,
    clusterQueueAdmission,
    cohortAdmission,
    resourceFlavorAdmission,
    localQueueAdmission,
    workloadAdmission,
  ];
}

/**
 * Kueue for one cluster: its webhooks are installed, and its controllers act
 * on what the store holds and on each change of it. All state lies in the
 * store, so that a store that was saved and restored goes on as it was.
 */
export function startKueue(
  store: ObjectStore,
  clock: Clock,
  options: KueueOptions = {},
): { stop: () => void } {
  const { onError = () => {} } = options;
  kueueAdmission(store).forEach(plugin => store.addAdmission(plugin));
  const context = new KueueContext(store, clock);
  const { book, engine } = context;

  const scheduler = new Scheduler(context);
  context.schedule = () => scheduler.trigger();
  const jobController = new JobController(context);
  const jobs = new KeyQueue({
    kind: 'Job',
    clock,
    reconcile: key => jobController.reconcile(key),
    onError,
  });
  const workloadController = new WorkloadController(context);
  const workloads = new KeyQueue({
    kind: 'Workload',
    clock,
    reconcile: key => workloadController.reconcile(key),
    onError,
  });
  const requeueLocalQueue = (key: string) => {
    for (const { namespace, name } of book.inLocalQueue(key)) {
      workloads.add(`${namespace}/${name}`);
    }
  };
  const queues = new QueueController(context, {
    localQueue: requeueLocalQueue,
    clusterQueue: name => {
      for (const each of book.holdingIn(name)) {
        workloads.add(`${each.namespace}/${each.name}`);
      }
      for (const local of store.list('LocalQueue')) {
        if (local.spec.clusterQueue === name) requeueLocalQueue(keyOf(local));
      }
    },
  });

  const onJob = ({ type, object: job, previous }: WatchEvent) => {
    const uid = job.metadata.uid as string;
    if (type === 'DELETED') {
      context.jobs.delete(uid);
      store
        .list('Workload', { labels: { [jobUidLabel]: uid } })
        .forEach(each => workloads.add(keyOf(each)));
      return;
    }
    context.jobs.set(uid, keyOf(job));
    // What a running Job's pods do is of interest only where it changes its course.
    if (!previous || concernsKueue(job, previous)) jobs.add(keyOf(job));
  };

  const onWorkload = ({ type, object: workload }: WatchEvent) => {
    const uid = workload.metadata.uid as string;
    const isGone = type === 'DELETED';
    const before = isGone ? book.forget(uid) : book.note(workload);
    if (isGone && engine.remove(uid)) scheduler.trigger();
    const after = book.get(uid);
    for (const entry of [before, after]) {
      if (!entry) continue;
      const [namespace, name] = entry.localQueue.split('/');
      const local = store.get('LocalQueue', name, namespace);
      queues.countsChanged(
        entry.holdsIn ?? local?.spec.clusterQueue,
        entry.localQueue,
      );
    }
    workloads.add(keyOf(workload));
    const job = context.jobs.get(workload.metadata.labels?.[jobUidLabel] ?? '');
    if (job) jobs.add(job);
  };

  const onConfiguration = ({ type, object, previous }: WatchEvent) => {
    const isStatusOnly =
      type === 'MODIFIED' &&
      previous &&
      object.kind !== 'AdmissionCheck' &&
      sameTree(object.spec, previous.spec) &&
      object.metadata.deletionTimestamp === previous.metadata.deletionTimestamp;
    if (!isStatusOnly) queues.configurationChanged();
  };

  const onPriorityClass = ({ type, object, previous }: WatchEvent) => {
    if (object.kind === 'WorkloadPriorityClass' && type === 'MODIFIED') {
      if (object.value !== previous?.value) repricePending(context, object);
    }
    if (type === 'ADDED') {
      const { name } = object.metadata;
      jobController.takeWaitingFor(name).forEach(key => jobs.add(key));
    }
  };

  const onNamespace = ({ object, previous }: WatchEvent) => {
    const { name, labels } = object.metadata;
    if (previous && !sameTree(labels, previous.metadata.labels)) {
      for (const each of book.all()) {
        if (each.namespace === name) workloads.add(`${name}/${each.name}`);
      }
    }
  };

  const replay = { replay: true };
  const cancel = [
    ...['ResourceFlavor', 'Cohort', 'ClusterQueue', 'AdmissionCheck'].map(
      kind => store.watch(kind, onConfiguration, replay),
    ),
    ...['WorkloadPriorityClass', 'PriorityClass'].map(kind =>
      store.watch(kind, onPriorityClass),
    ),
    store.watch('Namespace', onNamespace),
    store.watch('Job', onJob, replay),
    store.watch('Workload', onWorkload, replay),
    store.watch(
      'LocalQueue',
      ({ type, object, previous }) => {
        const isStatusOnly =
          type === 'MODIFIED' && sameTree(object.spec, previous?.spec);
        if (!isStatusOnly) {
          queues.localQueueChanged(object);
        }
      },
      replay,
    ),
  ];
  // All that holds quota and all that waits is known before the first is admitted.
  queues.configure();
  for (const { namespace, name } of book.all()) {
    workloads.handle(`${namespace}/${name}`);
  }

  return {
    stop: () => {
      cancel.forEach(each => each());
      [jobs, workloads, scheduler, queues].forEach(each => each.stop());
    },
  };
}

function concernsKueue(
  job: KubernetesObject,
  previous: KubernetesObject,
): boolean {
  const { active, succeeded, conditions } = job.status ?? {};
  const before = previous.status ?? {};
  return (
    !sameTree(job.spec, previous.spec) ||
    job.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    !sameTree(kueueParts(job), kueueParts(previous)) ||
    Boolean(active) !== Boolean(before.active) ||
    succeeded !== before.succeeded ||
    !sameTree(conditions, before.conditions)
  );
}

function kueueParts({ metadata }: KubernetesObject) {
  return [metadata.labels, metadata.annotations].map(map =>
    Object.entries(map ?? {}).filter(([key]) => key.startsWith(prefix)),
  );
}

/** A priority class has another value: the Workloads that still wait with it follow. */
function repricePending(
  context: KueueContext,
  priorityClass: KubernetesObject,
): void {
  for (const { namespace, name, holdsIn } of context.book.all()) {
    const workload = context.workload(`${namespace}/${name}`);
    const ref = workload?.spec.priorityClassRef;
    const isOurs =
      ref?.kind === priorityClass.kind &&
      ref.name === priorityClass.metadata.name;
    if (!workload || !isOurs || holdsIn) continue;
    context.modify('Workload', workload.metadata, each => {
      each.spec.priority = priorityClass.value;
    });
  }
}
