import { KubernetesObject } from '../apiserver/objectStore';

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

export function findCondition(
  object: KubernetesObject,
  type: string,
): Condition | undefined {
  return object.status?.conditions?.find(
    (condition: Condition) => condition.type === type,
  );
}

export function isTrue(object: KubernetesObject, type: string): boolean {
  return findCondition(object, type)?.status === 'True';
}

/**
 * Sets a condition of a private copy; `now` becomes its lastTransitionTime only
 * when the status changes.
 *
 * @returns whether anything changed.
 */
export function setCondition(
  object: KubernetesObject,
  condition: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>,
  now: string,
): boolean {
  object.status ??= {};
  const conditions: Condition[] = (object.status.conditions ??= []);
  const observedGeneration = object.metadata.generation;
  const known = conditions.find(({ type }) => type === condition.type);
  if (!known) {
    conditions.push({
      ...condition,
      lastTransitionTime: now,
      ...(observedGeneration !== undefined && { observedGeneration }),
    });
    return true;
  }
  const isSame =
    known.status === condition.status &&
    known.reason === condition.reason &&
    known.message === condition.message;
  if (isSame) return false;
  if (known.status !== condition.status) known.lastTransitionTime = now;
  Object.assign(known, condition);
  if (observedGeneration !== undefined) {
    known.observedGeneration = observedGeneration;
  }
  return true;
}
