/** Milliseconds throughout. */
export interface FollowerTimings {
  /** How long a lease lasts; a dead replica's cluster is taken over after it. */
  lease: number;
  /** Between two proofs of life: the lease is renewed and freshness written. */
  heartbeat: number;
  /** Between two contacts with the API server, and how long one may take. */
  contact: number;
  contactTimeout: number;
  /** Between two looks at what the API server serves. */
  discovery: number;
  /** In which further events may join a batch. */
  batchWindow: number;
  /** Until quotas, offers and waiting reasons follow a change. */
  readModel: number;
  /** Without any event or bookmark: the watch counts as dead. */
  watchIdle: number;
  backOffFirst: number;
  backOffMax: number;
  /** Ended Workloads are kept this long. */
  retention: number;
}

export const DEFAULT_TIMINGS: FollowerTimings = {
  lease: 10_000,
  heartbeat: 3_000,
  contact: 3_000,
  contactTimeout: 10_000,
  discovery: 60_000,
  batchWindow: 25,
  readModel: 300,
  watchIdle: 320_000,
  backOffFirst: 250,
  backOffMax: 30_000,
  retention: 30 * 24 * 3_600_000,
};
