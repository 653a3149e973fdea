import { WorkloadPhase } from '../api/workloads';

/**
 * What is known of one pod of a request. Stamps are RFC 3339.
 *
 * @public
 */
export interface RequestPodFacts {
  node?: string;
  /** Condition PodScheduled=True. */
  scheduledAt?: string;
  /** Condition Ready=True, first time. */
  readyAt?: string;
  /** First metric sample after Ready, by Prometheus' clock. */
  firstSampleAt?: string;
}

/**
 * One Workload of a request. A Job whose Workload was deleted gets a new one, so
 * there can be several.
 *
 * @public
 */
export interface RequestRunFacts {
  uid: string;
  name: string;
  phase: WorkloadPhase;
  /** How it ended, kept when the Workload is deleted later. */
  outcome?: 'succeeded' | 'failed';
  clusterQueue?: string;
  flavors?: string;
  createdAt: string;
  /** First admission. */
  placedAt?: string;
  /** Quota given back for good. */
  releasedAt?: string;
  /** When the ledger held its interval with its share. */
  meteredAt?: string;
  /** Pods that run side by side. */
  expectedPods: number;
  pods: RequestPodFacts[];
}

/**
 * Everything the steps and the state of a request are derived from.
 *
 * @public
 */
export interface RequestFacts {
  /** The Scaffolder's createdAt. */
  requestedAt: string;
  requester: string;
  /** Status of the Scaffolder task. */
  taskStatus?: string;
  pullRequest?: {
    provider: string;
    number: number;
    state: 'open' | 'merged' | 'closed';
    mergedBy?: string;
    mergedAt?: string;
  };
  delivery: 'waiting' | 'delivered' | 'refused' | 'unknown';
  runs: RequestRunFacts[];
}

/**
 * The run that counts: the newest Workload.
 *
 * @public
 */
export function currentRun(facts: RequestFacts): RequestRunFacts | undefined {
  return facts.runs.reduce<RequestRunFacts | undefined>(
    (newest, run) =>
      !newest ||
      run.createdAt > newest.createdAt ||
      (run.createdAt === newest.createdAt && run.uid > newest.uid)
        ? run
        : newest,
    undefined,
  );
}

/**
 * When as many pods as the Workload needs had the stamp; absent until then.
 * Independent of the order in which pods are heard of.
 *
 * @public
 */
export function whenAll(
  run: RequestRunFacts,
  stamp: 'scheduledAt' | 'readyAt',
): string | undefined {
  const stamps = run.pods
    .map(pod => pod[stamp])
    .filter((at): at is string => at !== undefined)
    .sort();
  return stamps[Math.max(1, run.expectedPods) - 1];
}
