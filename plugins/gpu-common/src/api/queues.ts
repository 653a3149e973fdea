/**
 * One (flavor, resource) line of a queue. Units of the resource.
 *
 * @public
 */
export interface QueueQuota {
  flavor: string;
  resource: string;
  /** Device class id when the resource is a GPU resource. */
  deviceClass?: string;
  nominal: number;
  borrowingLimit?: number;
  lendingLimit?: number;
  /** Used by admitted Workloads of the ClusterQueue. */
  used: number;
  /** Of `used`, what is above nominal. */
  borrowed: number;
  /** What the ClusterQueue may still take now, cohort included (`available` of Kueue's resource_node.go). */
  available: number;
  /** What it could ever hold (`potentialAvailable`). */
  potential: number;
}

/**
 * A LocalQueue with the ClusterQueue behind it: what a team submits to.
 *
 * @public
 */
export interface Queue {
  cluster: string;
  namespace: string;
  name: string;
  clusterQueue: string;
  cohort?: string;
  /** Group that owns it (annotation gpuaas.io/owner, LocalQueue over namespace); absent: unassigned. */
  owner?: string;
  active: boolean;
  /** Why it is not active, in Kueue's words. */
  inactiveMessage?: string;
  /** WorkloadPriorityClasses this queue may use, highest value first. */
  priorityClasses: Array<{ name: string; value: number; description?: string }>;
  pendingWorkloads: number;
  admittedWorkloads: number;
  quotas: QueueQuota[];
  freshAt: string;
}
