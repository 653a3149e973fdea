import { Knex } from 'knex';
import { Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from './kubernetesObject';

/**
 * A stretch of time in which a resource of a cluster was not watched, so that
 * what happened in it is known only by its result. Stamps by the clock of the
 * database, RFC 3339 with milliseconds.
 */
export interface ObservationGap {
  cluster: string;
  /** What was not watched: `workloads`, `pods`, `jobs`, … */
  resource: string;
  /** The last moment the stored picture was current. */
  from: string;
  /** When the list that ended the gap was made. */
  to: string;
}

/**
 * One change as the cluster reported it. `gap` is set when it was found by a
 * relist after a gap: then it happened at an unknown moment inside the gap.
 * A deletion carries the object's last state, a relist's deletion the last
 * stored one. Replays happen (a batch whose commit was lost comes again):
 * whatever an observer writes is keyed so that a replay changes nothing.
 */
export interface Change<T> {
  type: 'added' | 'modified' | 'deleted';
  now: T;
  /** What was stored before; absent when nothing was. */
  before?: T;
  gap?: ObservationGap;
}

/** A Workload with what was derived from it and from its Job and queue. */
export interface ObservedWorkload {
  workload: Workload;
  /** The Kueue object: metadata, spec (pod templates reduced to requests and placement), status whole. */
  object: KubernetesObject;
}

/** A pod that asks for GPUs, reduced to what placement and metering need. */
export interface GpuPod {
  cluster: string;
  uid: string;
  namespace: string;
  name: string;
  /** Node it is bound to; absent until scheduled. */
  node?: string;
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** Workload's name (annotation kueue.x-k8s.io/workload); absent: not managed by Kueue. */
  workload?: string;
  /** Controller's name and uid: for a Job's pod, the Job. */
  owner?: { kind: string; name: string; uid: string };
  queue?: string;
  clusterQueue?: string;
  /** GPU resources it holds or asks for: resource name → units. */
  gpus: Record<string, number>;
  createdAt: string;
  /** Condition PodScheduled=True. */
  scheduledAt?: string;
  /** Condition Ready=True; kept as first seen once it turns false again. */
  readyAt?: string;
  /** Latest end of its containers, once every one has ended. */
  finishedAt?: string;
  deletionTimestamp?: string;
}

/** What Argo CD or Flux reports of one Application or Kustomization. */
export interface Delivery {
  cluster: string;
  kind: 'Application' | 'Kustomization';
  namespace: string;
  name: string;
  uid: string;
  /** Argo CD: spec.source.repoURL. Flux: the source's name. */
  source?: string;
  path?: string;
  targetRevision?: string;
  /** Where it delivers to: API server URL or cluster name, and namespace. */
  destination?: { server?: string; name?: string; namespace?: string };
  /** Revision that is applied now. */
  revision?: string;
  /** `Synced`, `OutOfSync`, `Unknown` (Argo CD); Flux's Ready as `Synced` or `OutOfSync`. */
  sync: 'Synced' | 'OutOfSync' | 'Unknown';
  health?: string;
  /** Phase of the last operation: `Succeeded`, `Failed`, `Error`, `Running`. */
  operation?: string;
  operationFinishedAt?: string;
  /** The controller's words when it could not deliver. */
  message?: string;
  /** Revisions delivered, oldest first. */
  history: Array<{ revision: string; deployedAt: string }>;
  /** Per object: what became of it. */
  resources: Array<{
    kind: string;
    namespace?: string;
    name: string;
    status?: string;
    health?: string;
    message?: string;
  }>;
}

/** A Job that carries a queue label. */
export interface QueuedJob {
  cluster: string;
  uid: string;
  namespace: string;
  name: string;
  queue: string;
  annotations: Record<string, string>;
  createdAt: string;
  deletionTimestamp?: string;
  object: KubernetesObject;
}

/**
 * Told of every batch inside the transaction that stores it: what it writes
 * with `trx` commits with the batch or not at all. It must write with nothing
 * but `trx`, make no network call, and be quick: the next batch waits for it.
 * An error rolls the batch back; it is tried again after a back-off.
 */
export interface ClusterObserver {
  /** For error messages. */
  name: string;
  /** Comes before the changes that ended the gap. */
  onGap?(gap: ObservationGap, trx: Knex.Transaction): Promise<void>;
  onJobs?(changes: Change<QueuedJob>[], trx: Knex.Transaction): Promise<void>;
  onWorkloads?(
    changes: Change<ObservedWorkload>[],
    trx: Knex.Transaction,
  ): Promise<void>;
  onPods?(changes: Change<GpuPod>[], trx: Knex.Transaction): Promise<void>;
  onDeliveries?(
    changes: Change<Delivery>[],
    trx: Knex.Transaction,
  ): Promise<void>;
}
