/* eslint-disable @typescript-eslint/no-explicit-any */
import {
  parseQuantity,
  toMilli,
  toUnits,
} from '@gpuaas/backstage-plugin-gpu-common';
import type { KubernetesObject } from '../apiserver/objectStore';

/** Amounts by resource: CPU in thousandths of a core, memory in bytes, the rest in units. */
export type Amounts = Record<string, number>;

function amount(resource: string, quantity: string | number): number {
  const nano = parseQuantity(quantity);
  return resource === 'cpu' ? toMilli(nano) : toUnits(nano);
}

/** Reads a resource list such as `status.allocatable`. */
export function amountsOf(
  quantities: Record<string, string | number> = {},
): Amounts {
  return Object.fromEntries(
    Object.entries(quantities).map(([resource, quantity]) => [
      resource,
      amount(resource, quantity),
    ]),
  );
}

/** What a pod needs of a node: the sum over its containers, one of `pods`, or what an init container needs alone. */
export function requestsOf(pod: KubernetesObject): Amounts {
  const total: Amounts = { pods: 1 };
  for (const container of pod.spec.containers ?? []) {
    const requests = amountsOf(container.resources?.requests);
    for (const [resource, value] of Object.entries(requests)) {
      total[resource] = (total[resource] ?? 0) + value;
    }
  }
  for (const container of pod.spec.initContainers ?? []) {
    const requests = amountsOf(container.resources?.requests);
    for (const [resource, value] of Object.entries(requests)) {
      total[resource] = Math.max(total[resource] ?? 0, value);
    }
  }
  return total;
}
