import {
  podRequests,
  toEngineUnits,
} from '@gpuaas/backstage-plugin-gpu-common';
import type { KubernetesObject } from '../apiserver/objectStore';

/** Amounts by resource: CPU in thousandths of a core, memory in bytes, the rest in units. */
export type Amounts = Record<string, number>;

/** Reads a resource list such as `status.allocatable`. */
export function amountsOf(
  quantities: Record<string, string | number> = {},
): Amounts {
  return Object.fromEntries(
    Object.entries(quantities).map(([resource, quantity]) => [
      resource,
      toEngineUnits(resource, quantity),
    ]),
  );
}

/** What a pod needs of a node, itself among its `pods`. */
export function requestsOf(pod: KubernetesObject): Amounts {
  return { pods: 1, ...podRequests(pod.spec) };
}
