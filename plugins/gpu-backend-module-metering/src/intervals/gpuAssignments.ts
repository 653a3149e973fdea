import { JsonObject } from '@backstage/types';
import {
  parseQuantity,
  parseResourceName,
  toUnits,
} from '@gpuaas/backstage-plugin-gpu-common';

/** Units of one GPU resource that Kueue gave one pod set. */
export interface GpuAssignment {
  podSet: string;
  flavor: string;
  resource: string;
  units: number;
}

interface Admission {
  podSetAssignments?: Array<{
    name: string;
    flavors?: Record<string, string>;
    resourceUsage?: Record<string, string>;
    count?: number;
  }>;
}

/** More than the ledger's column holds: nobody has as many. */
const MAX_UNITS = 2 ** 31 - 1;

/**
 * GPU resources of `status.admission`: totals over the pods that were given, so
 * that partial admission is right. A pod set that asks for no GPU has none.
 */
export function gpuAssignments(workload: JsonObject): GpuAssignment[] {
  const status = workload.status as { admission?: Admission } | undefined;
  return (status?.admission?.podSetAssignments ?? []).flatMap(
    ({ name, flavors = {}, resourceUsage = {} }) =>
      Object.entries(resourceUsage)
        .filter(([resource]) => parseResourceName(resource)?.kind === 'device')
        .map(([resource, quantity]) => ({
          podSet: name,
          flavor: flavors[resource] ?? '',
          resource,
          units: unitsOf(quantity),
        }))
        .filter(({ units }) => units > 0 && units <= MAX_UNITS),
  );
}

/** Zero for what nobody can read: it must not keep the others of its batch from the ledger. */
function unitsOf(quantity: string): number {
  try {
    return toUnits(parseQuantity(quantity));
  } catch {
    return 0;
  }
}
