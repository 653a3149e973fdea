/* eslint-disable @typescript-eslint/no-explicit-any */
import type { KubernetesObject } from '../apiserver/objectStore';

/** Whether the pod has run to an end. */
export function hasEnded(pod: KubernetesObject): boolean {
  return ['Succeeded', 'Failed'].includes(pod.status?.phase);
}

/** Whether the pod's Ready condition is True. */
export function isReady(pod: KubernetesObject): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}

/** The condition of a type, if the object has it. */
export function conditionOf(
  object: KubernetesObject,
  type: string,
):
  | {
      status: string;
      reason?: string;
      message?: string;
      lastTransitionTime: string;
    }
  | undefined {
  return object.status?.conditions?.find((one: any) => one.type === type);
}

/**
 * Sets a condition in `status.conditions`; the time moves only when the status
 * does. Returns whether anything changed.
 */
export function setCondition(
  object: KubernetesObject,
  condition: {
    type: string;
    status: 'True' | 'False';
    reason?: string;
    message?: string;
  },
  at: string,
  more: object = {},
): boolean {
  object.status ??= {};
  object.status.conditions ??= [];
  const conditions: any[] = object.status.conditions;
  const old = conditions.find(one => one.type === condition.type);
  if (
    old &&
    old.status === condition.status &&
    old.reason === condition.reason &&
    old.message === condition.message
  ) {
    return false;
  }
  const lastTransitionTime =
    old?.status === condition.status ? old.lastTransitionTime : at;
  const next = { ...more, ...condition, lastTransitionTime };
  if (old) {
    conditions[conditions.indexOf(old)] = next;
  } else {
    conditions.push(next);
  }
  return true;
}
