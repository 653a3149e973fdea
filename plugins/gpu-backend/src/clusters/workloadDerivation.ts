import { explainWaiting } from '@gpuaas/backstage-plugin-gpu-common';
import { WorkloadRow } from '../database/workloadRows';
import { createHash } from 'node:crypto';
import { ClusterPicture, classKey, OWNER_ANNOTATION } from './clusterPicture';
import { conditionOf, KubernetesObject } from './kubernetesObject';
import { userText } from './userText';
import {
  evictionCount,
  gpuDemand,
  owningJob,
  workloadPhase,
  workloadPodSets,
  workloadTimes,
} from './workloadFacts';

/** What a Job says of itself: shown, and billed on only after the digest check (design rule 3). */
export interface JobFacts {
  requestId?: string;
  entity?: string;
  requester?: string;
}

export function jobFacts(
  annotations: Record<string, string> | undefined,
): JobFacts {
  return {
    requestId: userText(annotations?.['gpuaas.io/request-id'], 128),
    entity: userText(annotations?.['gpuaas.io/entity']),
    requester: userText(annotations?.['gpuaas.io/requester']),
  };
}

export interface StandIn {
  message: string;
  reason?: string;
  relation: 'identical' | 'head';
}

/** The row of a Workload: everything that is derived from it, its Job and the picture around it. */
export function deriveWorkloadRow(
  picture: ClusterPicture,
  object: KubernetesObject,
  options: {
    now: string;
    job?: JobFacts;
    deletedAt?: string;
    standIn?: StandIn;
    /** JSON of `object` where it is known: it is large. */
    json?: string;
  },
): WorkloadRow {
  const { metadata, spec = {}, status = {} } = object;
  const namespace = metadata.namespace ?? '';
  const queue: string | undefined = spec.queueName;
  const clusterQueue: string | undefined =
    status.admission?.clusterQueue ??
    picture.localQueue(namespace, queue)?.spec?.clusterQueue;
  const phase = workloadPhase(object, {
    deleted: options.deletedAt !== undefined,
    now: options.now,
  });
  const owner = owningJob(object);
  const times = workloadTimes(object);
  const demand = demandOf(object);
  const waiting = ['pending', 'reserved', 'backing-off'].includes(phase)
    ? explainWaiting(
        object,
        waitingContext(picture, object, clusterQueue, options),
      )
    : undefined;
  return {
    uid: metadata.uid,
    cluster: picture.cluster,
    namespace,
    name: metadata.name,
    queue: queue ?? null,
    cluster_queue: clusterQueue ?? null,
    team: picture.owner(namespace, queue) ?? null,
    phase,
    priority: spec.priority ?? 0,
    priority_class: spec.priorityClassRef?.name ?? null,
    request_id: options.job?.requestId ?? null,
    entity: options.job?.entity ?? null,
    requester: options.job?.requester ?? null,
    job_name: owner?.name ?? null,
    job_uid: owner?.uid ?? null,
    device_class: (demand && deviceClassOf(picture, object, demand)) ?? null,
    units: demand?.units ?? null,
    created_at: metadata.creationTimestamp ?? '',
    quota_reserved_at: times.quotaReservedAt ?? null,
    admitted_at: times.admittedAt ?? null,
    finished_at: times.finishedAt ?? null,
    deleted_at: options.deletedAt ?? null,
    evictions: evictionCount(object),
    waiting: waiting ? JSON.stringify(waiting) : null,
    object: options.json ?? JSON.stringify(object),
  };
}

/** More than the column holds: nobody has as many. */
const MAX_UNITS = 2 ** 31 - 1;

/**
 * A digest of what Workloads are derived from besides themselves. A queue's
 * counts are not in it: they change with every admission.
 */
export function sourcesOf(picture: ClusterPicture): string {
  const { objects, deviceClasses, complete } = picture;
  const { namespaces, localqueues, clusterqueues } = objects;
  const sources = [
    [...deviceClasses],
    [...complete],
    namespaces
      .values()
      .map(({ metadata }) => [
        metadata.name,
        metadata.annotations?.[OWNER_ANNOTATION],
      ]),
    localqueues
      .values()
      .map(queue => [
        queue.metadata.namespace,
        queue.metadata.name,
        queue.metadata.annotations?.[OWNER_ANNOTATION],
        queue.spec?.clusterQueue,
        activity(queue),
      ]),
    clusterqueues.values().map(queue => [queue.metadata.name, activity(queue)]),
  ];
  return createHash('sha256').update(JSON.stringify(sources)).digest('hex');
}

/** A quantity that nobody can read or store must not stop the others of its batch. */
function demandOf(object: KubernetesObject) {
  try {
    const demand = gpuDemand(workloadPodSets(object));
    return demand && demand.units <= MAX_UNITS ? demand : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The class follows the flavor: the one it was given, else the first flavor of
 * whose labels the node selector pins every one.
 */
function deviceClassOf(
  picture: ClusterPicture,
  object: KubernetesObject,
  { resource, flavor }: { resource: string; flavor?: string },
): string | undefined {
  if (flavor) {
    return picture.deviceClasses.get(classKey(flavor, resource));
  }
  const selectors: Array<Record<string, string>> = (
    object.spec?.podSets ?? []
  ).map((podSet: any) => podSet.template?.spec?.nodeSelector ?? {});
  const pinned = picture.objects.resourceflavors
    .values()
    .find(({ metadata, spec }) => {
      const labels = Object.entries(spec?.nodeLabels ?? {});
      return (
        labels.length > 0 &&
        picture.deviceClasses.has(classKey(metadata.name, resource)) &&
        selectors.some(selector =>
          labels.every(([key, value]) => selector[key] === value),
        )
      );
    });
  return (
    pinned &&
    picture.deviceClasses.get(classKey(pinned.metadata.name, resource))
  );
}

function waitingContext(
  picture: ClusterPicture,
  object: KubernetesObject,
  clusterQueue: string | undefined,
  { now, standIn }: { now: string; standIn?: StandIn },
) {
  const { metadata, spec = {} } = object;
  const localQueue = picture.localQueue(
    metadata.namespace ?? '',
    spec.queueName,
  );
  const queue = picture.clusterQueue(clusterQueue);
  return {
    now,
    standIn,
    gates:
      metadata.annotations?.['kueue.x-k8s.io/admission-gated-by']?.split(
        /\s*,\s*/,
      ),
    localQueue: absentOr(localQueue, picture.complete.has('localqueues')),
    clusterQueue:
      queue || !clusterQueue || !picture.complete.has('clusterqueues')
        ? queue && { name: queue.metadata.name, ...activity(queue) }
        : null,
  };
}

function absentOr(queue: KubernetesObject | undefined, complete: boolean) {
  if (queue) {
    return activity(queue);
  }
  return complete ? null : undefined;
}

/** A queue is taken as active until Kueue says otherwise. */
export function activity(queue: KubernetesObject): {
  active: boolean;
  message?: string;
} {
  const condition = conditionOf(queue, 'Active');
  return condition?.status === 'False'
    ? { active: false, message: condition.message }
    : { active: true };
}
