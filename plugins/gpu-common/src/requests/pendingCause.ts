import { Waiting } from '../api/workloads';

/**
 * What a pending message says: the class of its cause and a plain sentence.
 *
 * @public
 */
export type PendingCause = Pick<Waiting, 'cause' | 'sentence'>;

const WORST_FIRST: Waiting['cause'][] = [
  'resource-not-covered',
  'exceeds-maximum',
  'flavor-mismatch',
  'preempting',
  'quota-in-use',
];

const WHOLE_MESSAGE: Array<[RegExp, (message: string) => PendingCause]> = [
  [
    /(LocalQueue|ClusterQueue) (\S+) doesn't exist/i,
    message => {
      const [, kind, name] = message.match(
        /(LocalQueue|ClusterQueue) (\S+) doesn't exist/i,
      )!;
      return {
        cause: 'queue-missing',
        sentence:
          kind.toLowerCase() === 'localqueue'
            ? `The queue "${name}" does not exist in its namespace; it starts waiting for GPUs once the queue is created.`
            : `The shared queue "${name}" behind its team queue does not exist; the platform team has to create it.`,
      };
    },
  ],
  [
    /(LocalQueue|ClusterQueue) \S+ is inactive/i,
    () => ({
      cause: 'queue-stopped',
      sentence:
        'Its queue does not start anything now: it is on hold or not set up completely. What waits keeps its place.',
    }),
  ],
  [
    /namespace doesn't match ClusterQueue selector/i,
    () => ({
      cause: 'namespace-mismatch',
      sentence:
        'Its namespace may not use the shared queue behind its team queue; the platform team has to allow it.',
    }),
  ],
  [
    /admission is gated by/i,
    message => ({
      cause: 'admission-gate',
      sentence: `It is held back on purpose by ${
        message.match(/gated by:?\s*(.+)$/i)?.[1] ?? 'an admission gate'
      } and joins the queue once that lets it go.`,
    }),
  ],
  [
    /no longer fits after processing another workload/i,
    () => ({
      cause: 'quota-in-use',
      sentence:
        'Another job took the GPUs a moment before; it is tried again at once.',
    }),
  ],
  [
    /^Preempted to accommodate a workload/i,
    () => ({
      cause: 'quota-in-use',
      sentence:
        'It was stopped to make room for a job with a better claim and is in the queue again.',
    }),
  ],
  [
    /The (LocalQueue|ClusterQueue) is stopped/i,
    () => ({
      cause: 'queue-stopped',
      sentence:
        'Its queue was stopped, and it with it; it is tried again when the queue is started.',
    }),
  ],
];

/** The granular reasons of Kueue's gate UnadmittedWorkloadsObservability, and the plain ones. */
const BY_REASON: Record<string, PendingCause> = {
  WaitingForQuota: {
    cause: 'quota-in-use',
    sentence:
      'What its queue may use is taken. It starts by itself when others finish.',
  },
  ExceedsMaxQuota: {
    cause: 'exceeds-maximum',
    sentence:
      'It asks for more than its queue can ever have, borrowing included; it cannot start as it is.',
  },
  NoMatchingFlavor: {
    cause: 'flavor-mismatch',
    sentence: 'It asks for a kind of GPU that its queue does not offer.',
  },
  WaitingForPreemptedWorkloads: {
    cause: 'preempting',
    sentence:
      'Room is being made for it: other jobs are being stopped, then it starts.',
  },
  PendingEvaluation: {
    cause: 'not-yet-tried',
    sentence: 'It is in the queue and has not had its turn yet.',
  },
  AdmissionGated: {
    cause: 'admission-gate',
    sentence:
      'It is held back on purpose and joins the queue once the gate is lifted.',
  },
  Suspended: {
    cause: 'queue-stopped',
    sentence:
      'Its queue does not start anything now: it is on hold. What waits keeps its place.',
  },
};

/**
 * Class and plain sentence of what Kueue says in a pending Workload's
 * QuotaReserved condition. Kueue's wording is not an API: it is matched
 * loosely, and what is not recognised is `unknown`, never guessed.
 *
 * Of several pod sets the worst one decides, since all must start together:
 * a resource the queue does not offer, then a size it never reaches, then no
 * matching GPU, then quota that others use now.
 *
 * @public
 */
export function classifyPendingMessage(
  message: string,
  reason?: string,
): PendingCause {
  const whole = WHOLE_MESSAGE.find(([pattern]) => pattern.test(message));
  if (whole) {
    return whole[1](message);
  }
  const podSets = message.split(/couldn't assign flavors to pod set [^:]+:/i);
  const causes = (podSets.length > 1 ? podSets.slice(1) : podSets)
    .map(classifyPodSet)
    .filter((cause): cause is PendingCause => Boolean(cause));
  for (const worst of WORST_FIRST) {
    const found = causes.find(cause => cause.cause === worst);
    if (found) {
      return found;
    }
  }
  return (
    (reason && BY_REASON[reason]) || {
      cause: 'unknown',
      sentence: 'It waits; Kueue gives the reason in the words below.',
    }
  );
}

/** One pod set: alternatives (flavors) are joined by a comma, one that fits later is enough. */
function classifyPodSet(text: string): PendingCause | undefined {
  const uncovered = text.match(/resource (\S+) unavailable in ClusterQueue/i);
  if (uncovered) {
    return {
      cause: 'resource-not-covered',
      sentence: `Its queue offers no ${words(
        uncovered[1],
      )}, so it can never start as it is; ask for something the queue offers, or ask the platform team to add it.`,
    };
  }
  const preempted = text.match(/pending the preemption of (\d+) workload/i);
  if (preempted) {
    const jobs =
      preempted[1] === '1'
        ? '1 other job is'
        : `${preempted[1]} other jobs are`;
    return {
      cause: 'preempting',
      sentence: `Room is being made for it: ${jobs} being stopped, then it starts.`,
    };
  }
  const unused = [
    ...text.matchAll(
      /insufficient unused quota for (\S+) in flavor ([^,\s]+), (\S+) more needed/gi,
    ),
  ];
  if (unused.length > 0) {
    const [first] = unused;
    const more = unused.length > 1 ? ' (or other GPUs it accepts)' : '';
    return {
      cause: 'quota-in-use',
      sentence: `${amount(first[3], first[1])} more on "${
        first[2]
      }"${more} must become free first: what its queue may use is taken. It starts by itself when others finish.`,
    };
  }
  const maximum = text.match(
    /insufficient quota for (\S+) in flavor ([^,\s]+),.*current podset request \((\S+)\)\s*> maximum capacity \((\S+?)\)/i,
  );
  if (maximum) {
    return {
      cause: 'exceeds-maximum',
      sentence: `It asks for ${amount(maximum[3], maximum[1])} on "${
        maximum[2]
      }", but its queue can never have more than ${
        maximum[4]
      }, borrowing included; it cannot start as it is.`,
    };
  }
  const affinity = text.match(/flavor ([^,\s]+) doesn't match node affinity/i);
  if (affinity) {
    return {
      cause: 'flavor-mismatch',
      sentence: `It asks for a kind of GPU that its queue does not offer ("${affinity[1]}" is another kind).`,
    };
  }
  const taint = text.match(/untolerated taint .* in flavor ([^,\s]+)/i);
  if (taint) {
    return {
      cause: 'flavor-mismatch',
      sentence: `The GPUs of "${taint[1]}" are set aside, and it is not marked as allowed to use them.`,
    };
  }
  const missing = text.match(/flavor ([^,\s]+) not found/i);
  if (missing) {
    return {
      cause: 'flavor-mismatch',
      sentence: `The kind of GPU "${missing[1]}" that its queue names does not exist; the platform team has to repair the queue.`,
    };
  }
  return undefined;
}

/** `2`, `nvidia.com/gpu` → "2 GPUs". Quantities such as `2k` stay as Kueue writes them. */
function amount(quantity: string, resource: string): string {
  return `${quantity} ${words(resource, quantity !== '1')}`;
}

function words(resource: string, plural = true): string {
  const s = plural ? 's' : '';
  if (resource === 'cpu') {
    return `CPU core${s}`;
  }
  if (resource === 'memory') {
    return 'bytes of memory';
  }
  if (/\/gpu$/.test(resource)) {
    return `GPU${s}`;
  }
  if (/\/gpu\.shared$/.test(resource)) {
    return `shared GPU${s}`;
  }
  const partition = resource.match(/\/mig-(.+)$/);
  return partition ? `GPU slice${s} of ${partition[1]}` : resource;
}
