import { RequestState } from '@gpuaas/backstage-plugin-gpu-common';
import { Tone } from '../show/tone';

/** Three groups a person thinks in. */
export type StateGroup = 'waiting' | 'active' | 'ended';

interface StateFacts {
  group: StateGroup;
  tone: Tone;
}

const STATES: Record<RequestState, StateFacts> = {
  submitted: { group: 'waiting', tone: 'busy' },
  'in-review': { group: 'waiting', tone: 'waiting' },
  merged: { group: 'waiting', tone: 'busy' },
  queued: { group: 'waiting', tone: 'waiting' },
  starting: { group: 'active', tone: 'busy' },
  running: { group: 'active', tone: 'good' },
  rejected: { group: 'ended', tone: 'bad' },
  refused: { group: 'ended', tone: 'bad' },
  succeeded: { group: 'ended', tone: 'quiet' },
  failed: { group: 'ended', tone: 'bad' },
  stopped: { group: 'ended', tone: 'quiet' },
  deleted: { group: 'ended', tone: 'quiet' },
};

/** The group a state belongs to. */
export function groupOf(state: RequestState): StateGroup {
  return STATES[state].group;
}

/** The tone a state is shown in. */
export function toneOf(state: RequestState): Tone {
  return STATES[state].tone;
}

/** All states of a group, in the order of a request's life. */
export function statesOf(...groups: StateGroup[]): RequestState[] {
  return (Object.keys(STATES) as RequestState[]).filter(state =>
    groups.includes(STATES[state].group),
  );
}

/**
 * Milliseconds until a request is worth asking for again: 2 s while anything
 * may change, 30 s once it ended.
 */
export function pollingOf(state: RequestState): number {
  return groupOf(state) === 'ended' ? 30_000 : 2_000;
}
