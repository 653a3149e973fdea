import { QueueingSpec } from './quotaSpec';
import { PodSetAssignment, WorkloadSpec } from './workloadSpec';

/**
 * Plain JSON from which an engine goes on exactly where it was.
 *
 * @public
 */
export interface QueueingSnapshot {
  spec: QueueingSpec;
  pending: Array<{ workload: WorkloadSpec; parked: boolean }>;
  admitted: Array<{ workload: WorkloadSpec; podSets: PodSetAssignment[] }>;
}
