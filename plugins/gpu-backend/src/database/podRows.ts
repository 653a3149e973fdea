import { GpuPod } from '../clusters/clusterObserver';

/** A row of `gpu_pods`. */
export interface PodRow {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  node: string | null;
  workload: string | null;
  created_at: string;
  pod: string;
}

export function rowOfPod(pod: GpuPod): PodRow {
  return {
    uid: pod.uid,
    cluster: pod.cluster,
    namespace: pod.namespace,
    name: pod.name,
    node: pod.node ?? null,
    workload: pod.workload ?? null,
    created_at: pod.createdAt,
    pod: JSON.stringify(pod),
  };
}

export function podOfRow(row: PodRow): GpuPod {
  return JSON.parse(row.pod);
}
