import { fromEngineUnits } from './resourceUnits';

/**
 * Why one flavor, or one resource, could not be assigned to a pod set.
 *
 * @public
 */
export type FlavorReason =
  /** Fits one day: `needed` engine units are in use by others now. */
  | {
      kind: 'insufficient-unused';
      resource: string;
      flavor: string;
      needed: number;
    }
  /** Never fits: above what the ClusterQueue could hold if nobody else used anything. */
  | {
      kind: 'exceeds-maximum';
      resource: string;
      flavor: string;
      /** Requested by pod sets before this one. */
      considered: number;
      requested: number;
      maximum: number;
    }
  | { kind: 'resource-unavailable'; resource: string }
  | {
      kind: 'untolerated-taint';
      flavor: string;
      taint: { key: string; value?: string; effect: string };
    }
  | { kind: 'affinity-mismatch'; flavor: string }
  | { kind: 'flavor-not-found'; flavor: string };

/** @public */
export interface PodSetReasons {
  podSet: string;
  reasons: FlavorReason[];
}

/**
 * The text of a pending Workload's QuotaReserved condition, in Kueue's words
 * (`pkg/scheduler/flavorassigner`).
 *
 * @public
 */
export function pendingMessage(podSets: PodSetReasons[]): string {
  return podSets
    .map(({ podSet, reasons }) => {
      const texts = reasons.map(reasonText).sort();
      return `couldn't assign flavors to pod set ${podSet}: ${texts.join(
        ', ',
      )}`;
    })
    .join('; ');
}

function reasonText(reason: FlavorReason): string {
  switch (reason.kind) {
    case 'insufficient-unused':
      return `insufficient unused quota for ${reason.resource} in flavor ${
        reason.flavor
      }, ${fromEngineUnits(reason.resource, reason.needed)} more needed`;
    case 'exceeds-maximum': {
      const text = (units: number) => fromEngineUnits(reason.resource, units);
      return `insufficient quota for ${reason.resource} in flavor ${
        reason.flavor
      }, previously considered podsets requests (${text(
        reason.considered,
      )}) + current podset request (${text(
        reason.requested,
      )}) > maximum capacity (${text(reason.maximum)})`;
    }
    case 'resource-unavailable':
      return `resource ${reason.resource} unavailable in ClusterQueue`;
    case 'untolerated-taint': {
      // Go's %s of a corev1.Taint without a time.
      const { key, value = '', effect } = reason.taint;
      return `untolerated taint {${key} ${value} ${effect} <nil>} in flavor ${reason.flavor}`;
    }
    case 'affinity-mismatch':
      return `flavor ${reason.flavor} doesn't match node affinity`;
    default:
      return `flavor ${reason.flavor} not found`;
  }
}
