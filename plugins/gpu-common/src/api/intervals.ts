/**
 * GPU time one pod set held, as the ledger stores it: from the moment quota was
 * given to the moment it was given back (rule 1).
 *
 * - `allocated`: admitted by Kueue.
 * - `reserved`: quota reserved, not yet admitted.
 * - `unknown`: a watch gap hides how it ended; between `openedAt` and `closedAt` nobody looked.
 *
 * @public
 */
export interface UsageInterval {
  cluster: string;
  workloadUid: string;
  workloadName: string;
  namespace: string;
  podSet: string;
  flavor: string;
  resource: string;
  kind: 'allocated' | 'reserved' | 'unknown';
  /** `estimated`: an end was not seen but bounded; `unknown`: the device class is not known, so its share is not. */
  confidence: 'measured' | 'estimated' | 'unknown';
  units: number;
  deviceClass?: string;
  /** nano-GPU held by all units; absent when the device class is not known. */
  shareNano?: number;
  clusterQueue?: string;
  queue?: string;
  team?: string;
  /** Entity, requester and request count only for a known request whose merged file has the registered digest (rule 3). */
  entity?: string;
  requester?: string;
  requestId?: string;
  openedAt: string;
  /** Absent while open. */
  closedAt?: string;
  endReason?: string;
  /** Whole seconds; up to now while open. */
  seconds: number;
  /** share × seconds, int64 as decimal text; absent when the share is not known: missing is not zero. */
  gpuNanoSeconds?: string;
}
