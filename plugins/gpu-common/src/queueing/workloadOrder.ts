import { WorkloadSpec } from './workloadSpec';

/**
 * Order inside a ClusterQueue (Kueue `pkg/cache/queue/cluster_queue.go`):
 * higher priority, then earlier timestamp, then uid.
 *
 * @public
 */
export function compareWorkloads(
  a: Pick<WorkloadSpec, 'priority' | 'timestamp' | 'uid'>,
  b: Pick<WorkloadSpec, 'priority' | 'timestamp' | 'uid'>,
): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  if (a.uid === b.uid) return 0;
  return a.uid < b.uid ? -1 : 1;
}

/** Whether two states of a Workload stand at the same place of the same queue. */
export function isSamePlace(a: WorkloadSpec, b: WorkloadSpec): boolean {
  return (
    a.clusterQueue === b.clusterQueue &&
    compareWorkloads(a, b) === 0 &&
    a.namespaceLabels === b.namespaceLabels
  );
}
