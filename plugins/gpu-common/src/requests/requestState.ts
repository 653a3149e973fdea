import { currentRun, RequestFacts, whenAll } from './requestFacts';
import { RequestState } from './steps';

/**
 * Where a request stands. The Workload knows best; before there is one, GitOps;
 * before that, the pull request; before that, the Scaffolder.
 *
 * @public
 */
export function requestState(facts: RequestFacts): RequestState {
  const run = currentRun(facts);
  if (run) {
    return stateOfRun(run);
  }
  switch (facts.pullRequest?.state) {
    case 'open':
      return 'in-review';
    case 'closed':
      return 'rejected';
    case 'merged':
      return facts.delivery === 'refused' ? 'refused' : 'merged';
    default:
      return ['failed', 'cancelled'].includes(facts.taskStatus ?? '')
        ? 'failed'
        : 'submitted';
  }
}

function stateOfRun(
  run: NonNullable<ReturnType<typeof currentRun>>,
): RequestState {
  if (run.outcome) {
    return run.outcome;
  }
  switch (run.phase) {
    case 'succeeded':
    case 'failed':
    case 'deleted':
      return run.phase;
    case 'deactivated':
      return 'stopped';
    case 'admitted':
      return whenAll(run, 'readyAt') ? 'running' : 'starting';
    default:
      return 'queued';
  }
}

/**
 * States from which nothing more comes by itself.
 *
 * @public
 */
export const ENDED_REQUEST_STATES: readonly RequestState[] = [
  'rejected',
  'succeeded',
  'failed',
  'deleted',
];
