import { Waiting } from '../api/workloads';
import { classifyPendingMessage } from './pendingCause';

/**
 * The part of a Kueue Workload that says why it waits.
 *
 * @public
 */
export interface WaitingWorkload {
  metadata: { creationTimestamp?: string };
  spec?: { active?: boolean; queueName?: string };
  status?: {
    conditions?: Array<{
      type: string;
      status: string;
      reason?: string;
      message?: string;
      lastTransitionTime: string;
    }>;
    admissionChecks?: Array<{ name: string; state: string; message?: string }>;
    requeueState?: { count?: number; requeueAt?: string };
  };
}

/**
 * What stands around a waiting Workload. Everything is optional: what is not
 * known is not claimed.
 *
 * @public
 */
export interface WaitingContext {
  /** RFC 3339; a back-off that ended before is over. */
  now?: string;
  /** The LocalQueue; null: there is none of that name. */
  localQueue?: { active: boolean; message?: string } | null;
  /** The ClusterQueue; null: there is none of that name. */
  clusterQueue?: { name: string; active: boolean; message?: string } | null;
  /** Gates that still stand on the Job (annotation kueue.x-k8s.io/admission-gated-by). */
  gates?: string[];
  /**
   * Kueue's message about another Workload that says it for this one too: one
   * of the same shape (Kueue tries only the first of them), or the head of a
   * strict queue.
   */
  standIn?: {
    message: string;
    reason?: string;
    relation: 'identical' | 'head';
  };
}

const STOPPED_SENTENCE =
  'Its queue does not start anything now: it is on hold or not set up completely. What waits keeps its place.';

/**
 * Says why a Workload waits, or undefined when it does not wait: it is
 * admitted, has ended or was deactivated. A Workload with an empty status
 * waits as well (seen on a running Kueue: only the first of several identical
 * jobs is told why, and nobody behind the head of a strict queue); its queue
 * and the stand-in speak for it.
 *
 * @public
 */
export function explainWaiting(
  workload: WaitingWorkload,
  context: WaitingContext = {},
): Waiting | undefined {
  const { status = {}, spec = {} } = workload;
  const condition = (type: string) =>
    status.conditions?.find(candidate => candidate.type === type);
  const isTrue = (type: string) => condition(type)?.status === 'True';
  if (isTrue('Finished') || spec.active === false || isTrue('Admitted')) {
    return undefined;
  }
  const created = workload.metadata.creationTimestamp ?? '';
  const reserved = condition('QuotaReserved');

  if (reserved?.status === 'True') {
    return waitingForChecks(status.admissionChecks ?? [], reserved);
  }
  const requeueAt = status.requeueState?.requeueAt;
  const evicted = condition('Evicted');
  if (
    evicted?.status === 'True' &&
    requeueAt &&
    (!context.now || Date.parse(requeueAt) > Date.parse(context.now))
  ) {
    return {
      cause: 'backing-off',
      sentence: `It was stopped and is tried again after ${requeueAt}.`,
      message: evicted.message,
      since: evicted.lastTransitionTime,
    };
  }
  const since = reserved?.lastTransitionTime || created;
  const message = reserved?.message;

  const gates = context.gates?.filter(Boolean) ?? [];
  if (reserved?.reason === 'AdmissionGated' || gates.length > 0) {
    const held = gates.length > 0 ? gates.join(', ') : gatesOf(message);
    return {
      cause: 'admission-gate',
      sentence: `It is held back on purpose by ${
        held || 'an admission gate'
      } and joins the queue once that lets it go.`,
      message,
      since,
    };
  }
  const queue = queueTrouble(workload, context);
  if (queue) {
    return { ...queue, message: message ?? queue.message, since };
  }
  if (message) {
    return {
      ...classifyPendingMessage(message, reserved?.reason),
      message,
      since,
    };
  }
  if (context.standIn) {
    const { cause, sentence } = classifyPendingMessage(
      context.standIn.message,
      context.standIn.reason,
    );
    const whose =
      context.standIn.relation === 'identical'
        ? 'Another job of the same shape is ahead of it'
        : 'The job at the head of its queue has to start first';
    return {
      cause,
      sentence: `${whose}. ${sentence}`,
      message: context.standIn.message,
      since,
    };
  }
  return {
    cause: 'not-yet-tried',
    sentence:
      'It is in the queue and has not had its turn yet: Kueue has not said anything about it.',
    since,
  };
}

function waitingForChecks(
  checks: NonNullable<
    NonNullable<WaitingWorkload['status']>['admissionChecks']
  >,
  reserved: { lastTransitionTime: string },
): Waiting {
  const open = checks.filter(check => check.state !== 'Ready');
  const names = open.map(check => check.name).join(', ');
  return {
    cause: 'admission-check',
    sentence: names
      ? `Its GPUs are reserved; it starts when these checks agree: ${names}.`
      : 'Its GPUs are reserved; it starts as soon as the last checks are done.',
    message:
      open
        .map(check => check.message)
        .filter(Boolean)
        .join('; ') || undefined,
    since: reserved.lastTransitionTime,
  };
}

/**
 * The state of a queue is fresher than the text in a Workload: a hold on a
 * ClusterQueue does not rewrite what pending Workloads say.
 */
function queueTrouble(
  workload: WaitingWorkload,
  { localQueue, clusterQueue }: WaitingContext,
): Pick<Waiting, 'cause' | 'sentence' | 'message'> | undefined {
  if (localQueue === null) {
    const name = workload.spec?.queueName;
    return {
      cause: 'queue-missing',
      sentence: name
        ? `The queue "${name}" does not exist in its namespace; it starts waiting for GPUs once the queue is created.`
        : 'It names no queue, so nobody gives it GPUs.',
    };
  }
  if (clusterQueue === null) {
    return {
      cause: 'queue-missing',
      sentence:
        'The shared queue behind its team queue does not exist; the platform team has to create it.',
    };
  }
  const stopped = [localQueue, clusterQueue].find(
    queue => queue && !queue.active,
  );
  return stopped
    ? {
        cause: 'queue-stopped',
        sentence: STOPPED_SENTENCE,
        message: stopped.message,
      }
    : undefined;
}

function gatesOf(message: string | undefined): string | undefined {
  return message?.match(/gated by:?\s*(.+)$/i)?.[1];
}
