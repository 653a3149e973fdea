import { Workload, Waiting } from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../clusters/kubernetesObject';
import { workloadPodSets } from '../clusters/workloadFacts';

/** A row of `workloads`: the same on both engines, since stamps and JSON are text. */
export interface WorkloadRow {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  queue: string | null;
  cluster_queue: string | null;
  team: string | null;
  phase: string;
  priority: number;
  priority_class: string | null;
  request_id: string | null;
  entity: string | null;
  requester: string | null;
  job_name: string | null;
  job_uid: string | null;
  device_class: string | null;
  units: number | null;
  created_at: string;
  quota_reserved_at: string | null;
  admitted_at: string | null;
  finished_at: string | null;
  deleted_at: string | null;
  evictions: number;
  waiting: string | null;
  object: string;
}

/** The Kueue object of a row. */
function objectOfRow(row: WorkloadRow): KubernetesObject {
  return JSON.parse(row.object);
}

/** The row as the API shows it. */
export function workloadOfRow(row: WorkloadRow, freshAt: string): Workload {
  const optional = <T>(value: T | null): T | undefined => value ?? undefined;
  return {
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    name: row.name,
    job:
      row.job_uid && row.job_name
        ? { name: row.job_name, uid: row.job_uid }
        : undefined,
    queue: optional(row.queue),
    clusterQueue: optional(row.cluster_queue),
    team: optional(row.team),
    requestId: optional(row.request_id),
    entity: optional(row.entity),
    requester: optional(row.requester),
    phase: row.phase as Workload['phase'],
    priority: row.priority,
    priorityClass: optional(row.priority_class),
    podSets: workloadPodSets(objectOfRow(row)),
    deviceClass: optional(row.device_class),
    units: optional(row.units),
    createdAt: row.created_at,
    quotaReservedAt: optional(row.quota_reserved_at),
    admittedAt: optional(row.admitted_at),
    finishedAt: optional(row.finished_at),
    evictions: row.evictions,
    waiting: row.waiting ? (JSON.parse(row.waiting) as Waiting) : undefined,
    freshAt,
  };
}
