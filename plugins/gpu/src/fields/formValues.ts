import { DeviceValue, isDeviceValue } from './deviceValue';
import { isQueueValue, QueueValue } from './queueValue';

/**
 * Which parameters of the template hold what a field depends on. A template
 * that names them otherwise says so in `ui:options`.
 */
export interface RelatedFields {
  queueField?: string;
  deviceField?: string;
  countField?: string;
  podsField?: string;
  priorityField?: string;
  clusterField?: string;
}

/** What the rest of the form says so far. */
export interface FormValues {
  queue?: QueueValue;
  device?: DeviceValue;
  /** Units per pod; 1 while the form does not say. */
  count: number;
  pods: number;
  priority?: string;
  /** Absent: best fit. */
  cluster?: string;
}

function positive(value: unknown): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number > 0 ? number : 1;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the values a field depends on from the form's state. */
export function formValues(
  formData: Record<string, unknown> | undefined,
  fields: RelatedFields = {},
): FormValues {
  const read = (name: string) => formData?.[name];
  const queue = read(fields.queueField ?? 'queue');
  const device = read(fields.deviceField ?? 'device');
  const cluster = text(read(fields.clusterField ?? 'cluster'));
  return {
    queue: isQueueValue(queue) ? queue : undefined,
    device: isDeviceValue(device) ? device : undefined,
    count: positive(read(fields.countField ?? 'count')),
    pods: positive(read(fields.podsField ?? 'pods')),
    priority: text(read(fields.priorityField ?? 'priority')),
    cluster: cluster === 'best-fit' ? undefined : cluster,
  };
}
