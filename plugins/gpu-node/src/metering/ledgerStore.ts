import { Knex } from 'knex';

/**
 * GPU time one pod set held of one resource, as the meter found it. The key is
 * `cluster, workloadUid, podSet, flavor, resource, kind, openedAt`: writing the
 * same interval again changes nothing.
 *
 * @public
 */
export interface MeteredInterval {
  podSet: string;
  flavor: string;
  resource: string;
  /** Units of the resource, over all pods. */
  units: number;
  kind: 'allocated' | 'reserved' | 'unknown';
  /** `estimated`: the end was not seen, only bounded. */
  confidence: 'measured' | 'estimated' | 'unknown';
  /** Unix seconds, by the cluster's clock. */
  openedAt: number;
  /** Unix seconds; absent while open. */
  closedAt?: number;
  endReason?: string;
}

/**
 * The Workload the intervals belong to, for the ledger's columns.
 *
 * @public
 */
export interface MeteredWorkload {
  cluster: string;
  uid: string;
  name: string;
  namespace: string;
  job?: string;
  queue?: string;
  clusterQueue?: string;
  team?: string;
  /** As the Job's annotation claims; it counts only once the request is verified. */
  requestId?: string;
}

/**
 * What a meter knows of a Workload between two observations, as JSON text. The
 * store keeps it unread.
 *
 * @public
 */
export type MeterState = string;

/**
 * Ledger writes inside the transaction that stores the picture of the cluster:
 * they commit with it or not at all.
 *
 * @public
 */
export interface LedgerTransaction {
  /** States of these Workloads, by uid; nothing for one never stored or pruned. */
  readStates(cluster: string, uids: string[]): Promise<Map<string, MeterState>>;
  writeState(
    cluster: string,
    uid: string,
    state: MeterState,
    ended: boolean,
  ): Promise<void>;
  /**
   * Stores the intervals of a Workload. Those of the same Workload that are not
   * among them are removed when `complete`, else kept.
   */
  writeIntervals(
    workload: MeteredWorkload,
    intervals: MeteredInterval[],
    complete: boolean,
  ): Promise<void>;
}

/**
 * A pod that is ready and of which no metric sample is known yet.
 *
 * @public
 */
export interface UnobservedPod {
  cluster: string;
  namespace: string;
  name: string;
  uid: string;
  /** Unix seconds: condition Ready. */
  readyAt: number;
  /** Unix seconds: its end, when it has ended. */
  finishedAt?: number;
}

/**
 * The ledger, kept by `gpu-backend`. A meter is handed one at start.
 *
 * @public
 */
export interface LedgerStore {
  within(trx: Knex.Transaction): LedgerTransaction;
  /**
   * Ready pods of a cluster's requests that no sample was seen of, the latest
   * first; without those that ended before `endedAfter`, Unix seconds.
   */
  listUnobservedPods(query: {
    cluster: string;
    endedAfter: number;
    limit: number;
  }): Promise<UnobservedPod[]>;
  /** Unix seconds of the first sample after Ready, by Prometheus' clock. An earlier one replaces a later one. */
  recordFirstSample(
    pod: { cluster: string; uid: string },
    at: number,
    source: string,
  ): Promise<void>;
}
