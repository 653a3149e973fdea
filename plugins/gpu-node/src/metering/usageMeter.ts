import { LoggerService, SchedulerService } from '@backstage/backend-plugin-api';
import { JsonObject } from '@backstage/types';
import { LedgerStore, LedgerTransaction, MeteredWorkload } from './ledgerStore';

/**
 * One Workload as its cluster reported it. Observations can come twice and, after
 * a restart, out of order; `resourceVersion` orders those of one Workload.
 *
 * @public
 */
export interface WorkloadObservation {
  workload: MeteredWorkload;
  type: 'added' | 'modified' | 'deleted';
  /** Absent only where the store has not kept it. */
  resourceVersion?: string;
  /** The Kueue object's `metadata`, `spec` and `status`. */
  object: JsonObject;
  /** Unix seconds: when we learned of it. Counts only where the object has no stamp of its own. */
  observedAt: number;
  /** Set when it was found by a relist: it happened at an unknown moment in between. Unix seconds. */
  gap?: { from: number; to: number };
}

/**
 * Where a cluster's metrics are.
 *
 * @public
 */
export interface MeteredCluster {
  name: string;
  prometheus?: { url: string; bearerToken?: string };
}

/**
 * What a meter is handed at start.
 *
 * @public
 */
export interface UsageMeterContext {
  ledger: LedgerStore;
  clusters: MeteredCluster[];
  scheduler: SchedulerService;
  logger: LoggerService;
}

/**
 * Turns what clusters report into ledger intervals.
 *
 * @public
 */
export interface UsageMeter {
  name: string;
  /**
   * Called in the transaction that stores the observations: it writes through
   * `ledger` only, makes no network call, and must be safe to repeat.
   */
  onWorkloads(
    observations: WorkloadObservation[],
    ledger: LedgerTransaction,
  ): Promise<void>;
  /** Starts background work, such as asking Prometheus. */
  start?(context: UsageMeterContext): Promise<void>;
}
