import { FlavorAssignment } from './flavorAssignment';
import { matchesLabelSelector } from './labelSelector';
import { FlavorReason, pendingMessage } from './pendingMessage';
import { QueueingEngine } from './queueingEngine';
import { QuotaChange } from './quotaChange';
import { PodSetAssignment, PodSetSpec, WorkloadSpec } from './workloadSpec';

/**
 * A Workload that is not there yet.
 *
 * @public
 */
export interface FitQuestion {
  clusterQueue: string;
  podSets: PodSetSpec[];
  priority: number;
  /** When it would join the queue, in the unit of the Workloads' timestamps; default: behind all others. */
  timestamp?: number;
  namespaceLabels?: Record<string, string>;
}

/** @public */
export type FitReason =
  | 'fits'
  | 'waits-for-quota'
  | 'waits-behind-others'
  | 'exceeds-maximum'
  | 'resource-not-covered'
  | 'no-matching-flavor'
  | 'namespace-mismatch'
  | 'queue-missing'
  | 'queue-stopped';

/** @public */
export interface FitVerdict {
  verdict: 'now' | 'later' | 'never';
  reason: FitReason;
  /** Kueue's words for why not; absent when it fits. */
  message?: string;
  /** What it gets now, or the flavors it would wait for; empty when never. */
  podSets: PodSetAssignment[];
  quotas: QuotaChange[];
}

/**
 * Will it fit? `now`: the next cycles admit it, those ahead of it in its queue
 * and cohort considered. `later`: allowed, waits. `never`: refused however
 * empty the cluster. Preemption is not considered. The engine is left as it was.
 *
 * @public
 */
export function willItFit(
  engine: QueueingEngine,
  question: FitQuestion,
): FitVerdict {
  const never = (reason: FitReason, message: string): FitVerdict => ({
    verdict: 'never',
    reason,
    message,
    podSets: [],
    quotas: [],
  });
  const queue = engine.clusterQueueSpec(question.clusterQueue);
  if (!queue) {
    return never(
      'queue-missing',
      `ClusterQueue ${question.clusterQueue} doesn't exist`,
    );
  }
  const { namespaceSelector } = queue;
  if (
    namespaceSelector === null ||
    (namespaceSelector &&
      question.namespaceLabels &&
      !matchesLabelSelector(namespaceSelector, question.namespaceLabels))
  ) {
    return never(
      'namespace-mismatch',
      "workload namespace doesn't match ClusterQueue selector",
    );
  }

  const workload: WorkloadSpec = {
    ...question,
    uid: '\uffff will it fit',
    timestamp: question.timestamp ?? Number.MAX_VALUE,
  };
  const idle = engine.assign(workload, true) as FlavorAssignment;
  if (idle.mode !== 'fit') {
    return never(
      neverReason(idle.reasons.flatMap(({ reasons }) => reasons)),
      pendingMessage(idle.reasons),
    );
  }

  const now = engine.assign(workload) as FlavorAssignment;
  const answer = (
    verdict: 'now' | 'later',
    reason: FitReason,
    podSets: PodSetAssignment[],
    message?: string,
  ): FitVerdict => ({
    verdict,
    reason,
    ...(message && { message }),
    podSets,
    quotas: engine.quotaAfter(question.clusterQueue, podSets),
  });
  const wished = (now.mode === 'no-fit' ? idle : now).podSets;
  if (queue.inactive !== undefined) {
    return answer(
      'later',
      'queue-stopped',
      wished,
      `ClusterQueue ${queue.name} is inactive`,
    );
  }
  const given = engine.tryOut(workload);
  if (given) return answer('now', 'fits', given);
  return now.mode === 'fit'
    ? answer('later', 'waits-behind-others', wished)
    : answer('later', 'waits-for-quota', wished, pendingMessage(now.reasons));
}

function neverReason(reasons: FlavorReason[]): FitReason {
  if (reasons.some(({ kind }) => kind === 'exceeds-maximum')) {
    return 'exceeds-maximum';
  }
  return reasons.some(({ kind }) => kind === 'resource-unavailable')
    ? 'resource-not-covered'
    : 'no-matching-flavor';
}
