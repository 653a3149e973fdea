import type { KubernetesObject, ResourceType } from '../objectStore';

type Column = NonNullable<ResourceType['columns']>[number];

/** A column of text. */
export function text(
  name: string,
  value: (object: KubernetesObject) => string | undefined,
): Column {
  return { name, type: 'string', value };
}

/** A column that only `-o wide` shows. */
export function wideText(
  name: string,
  value: (object: KubernetesObject) => string | undefined,
): Column {
  return { name, type: 'string', value, wide: true };
}

/** A column of whole numbers. */
export function integer(
  name: string,
  value: (object: KubernetesObject) => number | undefined,
): Column {
  return { name, type: 'integer', value };
}

/** A column with the time since a stamp. */
export function date(
  name: string,
  value: (object: KubernetesObject) => string | undefined,
): Column {
  return { name, type: 'date', value };
}

/** AGE, where upstream does not print it last. */
export const age = date('Age', object => object.metadata.creationTimestamp);

/** Status of a condition, as the JSONPath columns of CRDs take it. */
export function conditionStatus(
  type: string,
): (object: KubernetesObject) => string | undefined {
  return object =>
    object.status?.conditions?.find(
      (condition: { type: string }) => condition.type === type,
    )?.status;
}

/** Message of the Ready condition. */
export function readyMessage(object: KubernetesObject): string | undefined {
  return object.status?.conditions?.find(
    (condition: { type: string }) => condition.type === 'Ready',
  )?.message;
}

/** Time between two stamps (or until now) as kubectl's duration.HumanDuration prints it. */
export function humanDuration(from: string, until: number): string {
  const seconds = Math.floor((until - Date.parse(from)) / 1000);
  if (Number.isNaN(seconds) || seconds < -1) {
    return '<invalid>';
  }
  if (seconds < 0) {
    return '0s';
  }
  if (seconds < 120) {
    return `${seconds}s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) {
    return joined(minutes, 'm', seconds % 60, 's');
  }
  if (minutes < 180) {
    return `${minutes}m`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 8) {
    return joined(hours, 'h', minutes % 60, 'm');
  }
  if (hours < 48) {
    return `${hours}h`;
  }
  const days = Math.floor(hours / 24);
  if (days < 8) {
    return joined(days, 'd', hours % 24, 'h');
  }
  if (days < 730) {
    return `${days}d`;
  }
  return joined(Math.floor(days / 365), 'y', days % 365, 'd');
}

function joined(
  large: number,
  largeUnit: string,
  small: number,
  smallUnit: string,
): string {
  return small === 0
    ? `${large}${largeUnit}`
    : `${large}${largeUnit}${small}${smallUnit}`;
}
