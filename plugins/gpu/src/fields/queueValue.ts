import { CommonValidatorFunctions } from '@backstage/catalog-model';

/**
 * The value of a GpuQueuePicker: a LocalQueue by name.
 *
 * @public
 */
export interface QueueValue {
  namespace: string;
  queue: string;
}

const isName = CommonValidatorFunctions.isValidDnsLabel;

/** Whether a value of any origin names a queue. */
export function isQueueValue(value: unknown): value is QueueValue {
  const { namespace, queue } = (value ?? {}) as Partial<QueueValue>;
  return isName(namespace) && isName(queue);
}

/** Reads `namespace/queue` as a person types it; undefined when it is not that. */
export function parseQueue(text: string): QueueValue | undefined {
  const [namespace, queue, ...rest] = text.trim().split('/');
  const value = { namespace, queue };
  return rest.length === 0 && isQueueValue(value) ? value : undefined;
}

/** The text a queue is typed and shown as. */
export function formatQueue(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  const { namespace, queue } = (value ?? {}) as Partial<QueueValue>;
  return namespace || queue ? `${namespace ?? ''}/${queue ?? ''}` : '';
}
