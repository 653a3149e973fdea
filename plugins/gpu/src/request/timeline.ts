import {
  GpuRequest,
  RequestStep,
  RequestStepName,
} from '@gpuaas/backstage-plugin-gpu-common';
import { groupOf } from '../requests/states';
import { secondsBetween } from '../show/duration';

/** How one entry of the story stands. */
export type EntryStatus = 'done' | 'current' | 'pending' | 'never' | 'failed';

/** One line of the story: a step, or the GitOps leg between two of them. */
export interface TimelineEntry {
  name: RequestStepName | 'Delivered';
  /** The leg is shown smaller: it is no step of its own. */
  leg: boolean;
  status: EntryStatus;
  at?: string;
  source?: string;
  actor?: string;
  detail?: string;
  clockSkewSeconds?: number;
  /** Seconds after the entry before that has a stamp. */
  afterPrevious?: number;
}

function deliveryEntry(request: GpuRequest): TimelineEntry {
  const { delivery } = request;
  const entry: TimelineEntry = {
    name: 'Delivered',
    leg: true,
    status: 'pending',
    at: delivery.at,
    source: delivery.via?.kind,
    actor: delivery.via && `${delivery.via.namespace}/${delivery.via.name}`,
    detail: delivery.message,
  };
  if (delivery.state === 'delivered') {
    return { ...entry, status: 'done' };
  }
  if (delivery.state === 'refused') {
    return { ...entry, status: 'failed' };
  }
  return entry;
}

function stepEntry(step: RequestStep): TimelineEntry {
  return { ...step, leg: false, status: step.at ? 'done' : 'pending' };
}

/**
 * The story of a request in causal order: eight steps and the delivered leg,
 * with the seconds from each to the stamp before it. The first entry without a
 * stamp is what happens now, unless the request has ended: then what is
 * missing will not happen.
 */
export function timelineOf(request: GpuRequest): TimelineEntry[] {
  const entries = request.steps.flatMap(step =>
    step.name === 'Placed'
      ? [deliveryEntry(request), stepEntry(step)]
      : [stepEntry(step)],
  );
  // Kueue admitted it, so it was delivered, whether or not GitOps could be read
  const placed = entries.find(entry => entry.name === 'Placed');
  const delivered = entries.find(entry => entry.leg);
  if (placed?.status === 'done' && delivered?.status === 'pending') {
    delivered.status = 'done';
  }

  const ended = groupOf(request.state) === 'ended';
  let previous: string | undefined;
  let currentSeen = false;
  return entries.map(entry => {
    const shown = { ...entry };
    if (shown.status === 'pending') {
      if (ended) {
        shown.status = 'never';
      } else if (!currentSeen) {
        shown.status = 'current';
        currentSeen = true;
      }
    }
    if (shown.at) {
      if (previous) {
        shown.afterPrevious = secondsBetween(previous, shown.at);
      }
      previous = shown.at;
    }
    return shown;
  });
}
