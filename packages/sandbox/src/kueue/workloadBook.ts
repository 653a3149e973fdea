import {
  heldAdmission,
  KueueWorkload,
  PodSetAssignment,
} from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../apiserver/objectStore';
import { isTrue } from './conditions';
import { holdsQuota } from './workloadStatus';

/** What queues need to know of a Workload that is not finished. */
export interface WorkloadEntry {
  uid: string;
  name: string;
  namespace: string;
  /** `namespace/name` of its LocalQueue. */
  localQueue: string;
  /** ClusterQueue whose quota it holds; absent: none. */
  holdsIn?: string;
  admitted: boolean;
  held: PodSetAssignment[];
}

/** The unfinished Workloads, found by uid, LocalQueue and ClusterQueue. */
export class WorkloadBook {
  private readonly byUid = new Map<string, WorkloadEntry>();
  private readonly byLocalQueue = new Map<string, Set<WorkloadEntry>>();
  private readonly byClusterQueue = new Map<string, Set<WorkloadEntry>>();

  get(uid: string): WorkloadEntry | undefined {
    return this.byUid.get(uid);
  }

  inLocalQueue(key: string): Iterable<WorkloadEntry> {
    return this.byLocalQueue.get(key) ?? [];
  }

  holdingIn(clusterQueue: string): Iterable<WorkloadEntry> {
    return this.byClusterQueue.get(clusterQueue) ?? [];
  }

  all(): Iterable<WorkloadEntry> {
    return this.byUid.values();
  }

  /** @returns the entry as it was before, if there was one. */
  note(workload: KubernetesObject): WorkloadEntry | undefined {
    const { uid = '', name, namespace = '' } = workload.metadata;
    const before = this.forget(uid);
    if (isTrue(workload, 'Finished')) return before;
    const holds = holdsQuota(workload);
    const entry: WorkloadEntry = {
      uid,
      name,
      namespace,
      localQueue: `${namespace}/${workload.spec.queueName ?? ''}`,
      ...(holds && { holdsIn: workload.status.admission.clusterQueue }),
      admitted: holds && isTrue(workload, 'Admitted'),
      held: holds
        ? heldAdmission(workload as unknown as KueueWorkload) ?? []
        : [],
    };
    this.byUid.set(uid, entry);
    insert(this.byLocalQueue, entry.localQueue, entry);
    if (entry.holdsIn) insert(this.byClusterQueue, entry.holdsIn, entry);
    return before;
  }

  /** @returns the entry it had. */
  forget(uid: string): WorkloadEntry | undefined {
    const entry = this.byUid.get(uid);
    if (!entry) return undefined;
    this.byUid.delete(uid);
    this.byLocalQueue.get(entry.localQueue)?.delete(entry);
    if (entry.holdsIn) this.byClusterQueue.get(entry.holdsIn)?.delete(entry);
    return entry;
  }
}

function insert<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
