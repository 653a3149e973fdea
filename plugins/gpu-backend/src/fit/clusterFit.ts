import {
  DeviceClassOffer,
  FitAnswer,
  FitQuery,
  FitQuotaLine,
  FitVerdict,
  fromKueueObjects,
  matchFraction,
  Queue,
  QueueingEngine,
  QuotaLine,
  willItFit,
} from '@gpuaas/backstage-plugin-gpu-common';
import { FitSnapshot } from '../clusters/clusterStore';

/** How good a verdict is; for "best fit". */
const VERDICT_RANK = { now: 0, later: 1, never: 2 };

/**
 * Will it fit on one cluster, by the picture stored of it: pure. The queue is
 * one the caller may use.
 *
 * @throws InputError for a fraction no GPU can have.
 */
export function clusterFit(
  snapshot: FitSnapshot,
  queue: Queue,
  query: FitQuery,
): FitAnswer {
  const units = query.count * (query.pods ?? 1);
  const base = {
    cluster: snapshot.cluster.name,
    clusterQueue: queue.clusterQueue,
    units,
    borrows: 0,
    freshAt: snapshot.freshAt,
  };
  const never = (
    reason: FitAnswer['reason'],
    sentence: string,
    more: Partial<FitAnswer> = {},
  ): FitAnswer => ({ ...base, ...more, verdict: 'never', reason, sentence });

  const priority = priorityOf(queue, query);
  if (priority === undefined) {
    const accepted = queue.priorityClasses.map(one => one.name).join(', ');
    return never(
      'priority-not-allowed',
      `Priority class "${query.priorityClass}" may not be used in queue ${queue.namespace}/${queue.name}; accepted: ${accepted}`,
    );
  }
  const offers = offersFor(snapshot, query);
  if (offers.length === 0) {
    return never('class-not-offered', notOffered(snapshot, query));
  }
  const engine = engineOf(snapshot);
  const answers = offers.map(offer => {
    const about = {
      flavor: offer.flavor,
      nodeLabels: offer.nodeLabels,
      resourceName: offer.deviceClass.resourceName,
      deviceClass: offer.deviceClass.id,
      physicalNano: units * offer.deviceClass.shareNano,
      poolShare: offer.total > 0 ? units / offer.total : undefined,
      coveredResources: coveredBy(snapshot, queue.clusterQueue),
    };
    if (offer.deviceClass.singleUnit && query.count > 1) {
      return never(
        'shared-count',
        `count is ${query.count}, but ${offer.deviceClass.title} is a shared GPU: more than one replica a pod gives no more of it; accepted is count 1`,
        about,
      );
    }
    if (Object.keys(offer.nodeLabels).length === 0) {
      return never(
        'class-not-offered',
        `Flavor ${offer.flavor} has no node label that tells it from others, so a Job cannot be pinned to it`,
        about,
      );
    }
    return {
      ...base,
      ...about,
      ...offerFit(engine, snapshot, queue, query, offer, priority),
    };
  });
  return best(answers);
}

/** The best of several answers, the first of equals. */
export function best(answers: FitAnswer[]): FitAnswer {
  return answers.reduce((chosen, answer) => {
    const byVerdict =
      VERDICT_RANK[answer.verdict] - VERDICT_RANK[chosen.verdict];
    return byVerdict < 0 || (byVerdict === 0 && answer.borrows < chosen.borrows)
      ? answer
      : chosen;
  });
}

function offerFit(
  engine: QueueingEngine,
  snapshot: FitSnapshot,
  queue: Queue,
  query: FitQuery,
  offer: DeviceClassOffer,
  priority: number,
): Pick<
  FitAnswer,
  'verdict' | 'reason' | 'sentence' | 'before' | 'after' | 'borrows'
> {
  const pods = query.pods ?? 1;
  const units = query.count * pods;
  const { resourceName } = offer.deviceClass;
  const verdict = willItFit(engine, {
    clusterQueue: queue.clusterQueue,
    priority,
    namespaceLabels: snapshot.namespaces.find(
      ({ metadata }) => metadata.name === queue.namespace,
    )?.metadata.labels,
    podSets: [
      {
        name: 'main',
        count: pods,
        requests: { [resourceName]: query.count },
        nodeSelector: offer.nodeLabels,
      },
    ],
  });
  const change = verdict.quotas.find(
    one => one.flavor === offer.flavor && one.resource === resourceName,
  );
  const quota = {
    before: change && quotaLine(change.before),
    after: change && quotaLine(change.after),
    borrows: change?.borrows ?? 0,
  };
  const judgement = judge({
    snapshot,
    queue,
    offer,
    verdict,
    units,
    borrows: quota.borrows,
    available: Math.max(0, change?.before.available ?? 0),
  });
  return { ...quota, ...judgement };
}

interface Judged {
  snapshot: FitSnapshot;
  queue: Queue;
  offer: DeviceClassOffer;
  /** What quota alone says. */
  verdict: FitVerdict;
  units: number;
  borrows: number;
  available: number;
}

type Judgement = Pick<FitAnswer, 'verdict' | 'reason' | 'sentence'>;

/** What quota allows may still lack devices, or a queue that starts anything. */
function judge(what: Judged): Judgement {
  const { snapshot, queue, offer, verdict, units, borrows } = what;
  const asked = `${units} × ${offer.deviceClass.title}`;
  if (verdict.verdict === 'never') {
    return refusal(what, asked);
  }
  if (units > offer.total) {
    return {
      verdict: 'never',
      reason: 'exceeds-maximum',
      sentence: `${asked} is more than the ${offer.total} that ${snapshot.cluster.title} has on nodes that are alive`,
    };
  }
  const later = (reason: FitAnswer['reason'], sentence: string): Judgement => ({
    verdict: 'later',
    reason,
    sentence,
  });
  if (!queue.active) {
    const why = queue.inactiveMessage ? `: ${queue.inactiveMessage}` : '';
    return later(
      'queue-stopped',
      `Queue ${queue.namespace}/${queue.name} is stopped${why}`,
    );
  }
  switch (verdict.reason) {
    case 'queue-stopped':
      return later(
        'queue-stopped',
        `ClusterQueue ${queue.clusterQueue} is stopped`,
      );
    case 'waits-for-quota':
      return later(
        'waits-for-quota',
        `${asked} is allowed and waits: ${what.available} may be taken now`,
      );
    case 'waits-behind-others':
      return later(
        'waits-behind-others',
        `There is room for ${asked}, but others are ahead in the queue`,
      );
    default:
      break;
  }
  if (units > offer.free) {
    return later(
      'waits-for-devices',
      `Quota allows ${asked}, but only ${offer.free} are physically free`,
    );
  }
  const borrowed = borrows > 0 ? `, ${borrows} of them borrowed` : '';
  return {
    verdict: 'now',
    reason: 'fits',
    sentence: `${asked} would start now${borrowed}`,
  };
}

function refusal({ queue, offer, verdict }: Judged, asked: string): Judgement {
  const name = `Queue ${queue.namespace}/${queue.name}`;
  switch (verdict.reason) {
    case 'exceeds-maximum': {
      const most = queue.quotas.find(
        ({ flavor, resource }) =>
          flavor === offer.flavor &&
          resource === offer.deviceClass.resourceName,
      )?.potential;
      const accepted = most === undefined ? '' : `; accepted: at most ${most}`;
      return {
        verdict: 'never',
        reason: 'exceeds-maximum',
        sentence: `${asked} is more than queue ${queue.namespace}/${queue.name} can ever hold${accepted}`,
      };
    }
    case 'queue-missing':
    case 'namespace-mismatch':
      return {
        verdict: 'never',
        reason: 'queue-missing',
        sentence: `${name} leads nowhere: ${verdict.message}`,
      };
    default:
      return {
        verdict: 'never',
        reason: 'class-not-offered',
        sentence: `${name} has no quota for ${offer.deviceClass.title}: ${verdict.message}`,
      };
  }
}

function priorityOf(queue: Queue, query: FitQuery): number | undefined {
  if (query.priorityClass === undefined) {
    return 0;
  }
  return queue.priorityClasses.find(({ name }) => name === query.priorityClass)
    ?.value;
}

function notOffered(
  { cluster, offers }: FitSnapshot,
  { deviceClass, fraction }: FitQuery,
): string {
  if (deviceClass) {
    const ids = [...new Set(offers.map(offer => offer.deviceClass.id))].sort();
    return `No flavor of ${
      cluster.title
    } offers device class "${deviceClass}"; accepted: ${
      ids.join(', ') || 'none, it offers no GPU'
    }`;
  }
  const most = Math.max(0, ...offers.map(offer => offer.deviceClass.vramMiB));
  return `No device class of ${cluster.title} gives the fraction ${fraction?.corePercent} % of a GPU's cores and ${fraction?.vramMiB} MiB; accepted: at most 100 % and ${most} MiB`;
}

/** Offers of the asked-for class; for a fraction those of the class that matches best. */
function offersFor(
  { offers }: FitSnapshot,
  { deviceClass, fraction }: FitQuery,
): DeviceClassOffer[] {
  const id =
    deviceClass ??
    (fraction && matchFraction(fraction, offers).chosen?.deviceClass.id);
  return offers.filter(offer => offer.deviceClass.id === id);
}

function coveredBy(snapshot: FitSnapshot, clusterQueue: string): string[] {
  const groups: Array<{ coveredResources?: string[] }> =
    snapshot.clusterQueues.find(
      ({ metadata }) => metadata.name === clusterQueue,
    )?.spec?.resourceGroups ?? [];
  return groups.flatMap(group => group.coveredResources ?? []);
}

/** An answer leaves its engine as it was, so that the next question may use it. */
const engines = new WeakMap<FitSnapshot, QueueingEngine>();

function engineOf(snapshot: FitSnapshot): QueueingEngine {
  const engine = engines.get(snapshot) ?? readEngine(snapshot);
  engines.set(snapshot, engine);
  return engine;
}

function readEngine(snapshot: FitSnapshot): QueueingEngine {
  return fromKueueObjects({
    clusterQueues: snapshot.clusterQueues as any,
    cohorts: snapshot.cohorts as any,
    resourceFlavors: snapshot.resourceFlavors as any,
    localQueues: snapshot.localQueues as any,
    workloads: snapshot.workloads as any,
    namespaceLabels: Object.fromEntries(
      snapshot.namespaces.map(({ metadata }) => [
        metadata.name,
        metadata.labels ?? {},
      ]),
    ),
  });
}

function quotaLine(line: QuotaLine): FitQuotaLine {
  return {
    nominal: line.nominal,
    used: line.usage,
    borrowed: Math.max(0, line.usage - line.subtreeQuota),
    available: line.available,
    potential: line.potential,
  };
}
