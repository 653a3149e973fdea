import {
  currentRun,
  RequestFacts,
  RequestRunFacts,
  whenAll,
} from './requestFacts';
import { REQUEST_STEPS, RequestStep, RequestStepName } from './steps';

/** What must be true before: a stamp earlier than its cause shows clocks that differ. */
const CAUSES: Record<RequestStepName, RequestStepName[]> = {
  Requested: [],
  Authorised: ['Requested'],
  Placed: ['Authorised', 'Requested'],
  Partitioned: ['Placed'],
  Running: ['Partitioned', 'Placed'],
  Observed: ['Running', 'Placed'],
  Metered: ['Placed'],
  Released: ['Placed'],
};

/**
 * The eight steps of a request, always all of them and in causal order. Each
 * stamp is that of the system that made the step true, cut to whole seconds; a
 * step true several times (admitted again after an eviction) keeps its first
 * stamp, `Released` its last.
 *
 * @public
 */
export function requestSteps(facts: RequestFacts): RequestStep[] {
  const known: Partial<Record<RequestStepName, Omit<RequestStep, 'name'>>> = {
    Requested: {
      at: facts.requestedAt,
      source: 'Scaffolder',
      actor: facts.requester,
    },
    Authorised: authorised(facts),
    ...stepsOfRuns(facts),
  };
  const steps = REQUEST_STEPS.map(name => {
    const { at, ...rest } = known[name] ?? {};
    return at === undefined
      ? { name }
      : { name, at: wholeSeconds(at), ...rest };
  });
  return steps.map(step => withSkew(step, steps));
}

function authorised({ pullRequest }: RequestFacts) {
  if (pullRequest?.state !== 'merged' || !pullRequest.mergedAt) {
    return undefined;
  }
  return {
    at: pullRequest.mergedAt,
    source: pullRequest.provider,
    actor: pullRequest.mergedBy,
    detail: `pull request ${pullRequest.number} merged`,
  };
}

function stepsOfRuns(
  facts: RequestFacts,
): Partial<Record<RequestStepName, Omit<RequestStep, 'name'>>> {
  const placed = earliest(facts.runs, run => run.placedAt);
  const partitioned = earliest(facts.runs, run => whenAll(run, 'scheduledAt'));
  const running = earliest(facts.runs, run => whenAll(run, 'readyAt'));
  const observed = earliest(
    facts.runs,
    run =>
      run.pods
        .map(pod => pod.firstSampleAt)
        .filter(at => at !== undefined)
        .sort()[0],
  );
  const metered = earliest(facts.runs, run => run.meteredAt);
  const last = currentRun(facts);
  return {
    Placed: placed && {
      at: placed.at,
      source: 'Workload',
      actor: 'Kueue',
      detail: [placed.run.clusterQueue, placed.run.flavors]
        .filter(Boolean)
        .join(', flavor '),
    },
    Partitioned: partitioned && {
      at: partitioned.at,
      source: 'Pod',
      actor: 'kube-scheduler',
      detail: nodesOf(partitioned.run),
    },
    Running: running && {
      at: running.at,
      source: 'Pod',
      actor: 'kubelet',
      detail: podsOf(running.run),
    },
    Observed: observed && {
      at: observed.at,
      source: 'Prometheus',
      actor: 'GPU metrics exporter',
      detail: 'first metric sample',
    },
    Metered: metered && {
      at: metered.at,
      source: 'ledger',
      actor: 'usage meter',
      detail: `interval of Workload ${metered.run.name}`,
    },
    Released: last?.releasedAt
      ? {
          at: last.releasedAt,
          source: 'Workload',
          actor: 'Kueue',
          detail: last.outcome ?? last.phase,
        }
      : undefined,
  };
}

function earliest(
  runs: RequestRunFacts[],
  stamp: (run: RequestRunFacts) => string | undefined,
) {
  let first: { at: string; run: RequestRunFacts } | undefined;
  for (const run of runs) {
    const at = stamp(run);
    if (at !== undefined && (!first || seconds(at) < seconds(first.at))) {
      first = { at, run };
    }
  }
  return first;
}

function nodesOf(run: RequestRunFacts): string | undefined {
  const nodes = [
    ...new Set(run.pods.map(pod => pod.node).filter(Boolean)),
  ].sort();
  return nodes.length > 0 ? `on ${nodes.join(', ')}` : undefined;
}

function podsOf(run: RequestRunFacts): string {
  return run.expectedPods > 1 ? `${run.expectedPods} pods ready` : 'pod ready';
}

function withSkew(step: RequestStep, steps: RequestStep[]): RequestStep {
  const cause = CAUSES[step.name]
    .map(name => steps.find(other => other.name === name))
    .find(other => other?.at !== undefined);
  if (!step.at || !cause?.at) {
    return step;
  }
  const early = seconds(cause.at) - seconds(step.at);
  return early > 0 ? { ...step, clockSkewSeconds: early } : step;
}

function seconds(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}

function wholeSeconds(at: string): string {
  return new Date(seconds(at) * 1000).toISOString().replace('.000Z', 'Z');
}
