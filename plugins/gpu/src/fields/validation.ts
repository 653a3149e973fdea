import { ApiHolder } from '@backstage/core-plugin-api';
import { translationApiRef } from '@backstage/frontend-plugin-api';
import { CustomFieldValidator } from '@backstage/plugin-scaffolder-react';
import { gpuApiRef } from '../api/gpuApiRef';
import { GpuText, gpuTranslationRef } from '../translations';
import { BEST_FIT, clustersOf } from './clusterValue';
import { DeviceValue, isDeviceValue } from './deviceValue';
import { DurationValue, isDuration } from './durationValue';
import { formValues, RelatedFields } from './formValues';
import { commonPriorityClasses } from './priorityClasses';
import { formatQueue, isQueueValue, QueueValue } from './queueValue';

/** The plugin's strings outside a component; undefined while they load. */
function textOf(apiHolder: ApiHolder): GpuText | undefined {
  const snapshot = apiHolder
    .get(translationApiRef)
    ?.getTranslation(gpuTranslationRef);
  return snapshot?.ready ? (snapshot.t as GpuText) : undefined;
}

/** Refuses what is no `namespace/queue`, naming the value. The server checks again. */
export const validateQueue: CustomFieldValidator<QueueValue> = (
  value,
  field,
  { apiHolder },
) => {
  if (value !== undefined && !isQueueValue(value)) {
    const shown = formatQueue(value);
    field.addError(
      textOf(apiHolder)?.('field.queueInvalid', { value: shown }) ??
        `queue: '${shown}'`,
    );
  }
};

/** Refuses what is neither a device class nor a fraction within bounds. The server checks again. */
export const validateDevice: CustomFieldValidator<DeviceValue> = (
  value,
  field,
  { apiHolder },
) => {
  if (value !== undefined && !isDeviceValue(value)) {
    const shown = JSON.stringify(value);
    field.addError(
      textOf(apiHolder)?.('field.deviceInvalid', { value: shown }) ??
        `device: ${shown}`,
    );
  }
};

/**
 * Refuses a priority the queue may not use. When queues cannot be read the
 * form goes on: the server checks again.
 */
export const validatePriority: CustomFieldValidator<
  string,
  RelatedFields
> = async (value, field, { apiHolder, formData, uiSchema }) => {
  const { queue, cluster } = formValues(formData, uiSchema?.['ui:options']);
  const api = apiHolder.get(gpuApiRef);
  if (!value || !queue || !api) {
    return;
  }
  const answer = await api
    .getQueues({ namespace: queue.namespace, cluster, limit: 100 })
    .catch(() => undefined);
  const queues = answer?.items.filter(({ name }) => name === queue.queue) ?? [];
  if (queues.length === 0) {
    return;
  }
  const allowed = commonPriorityClasses(queues).map(({ name }) => name);
  if (!allowed.includes(value)) {
    field.addError(
      textOf(apiHolder)?.('field.priorityNotAllowed', {
        value,
        allowed: allowed.join(', ') || '–',
      }) ?? `priority: '${value}'`,
    );
  }
};

/**
 * Refuses a cluster that has not the queue. When queues cannot be read the
 * form goes on: the server checks again.
 */
export const validateCluster: CustomFieldValidator<
  string,
  RelatedFields
> = async (value, field, { apiHolder, formData, uiSchema }) => {
  const { queue } = formValues(formData, uiSchema?.['ui:options']);
  const api = apiHolder.get(gpuApiRef);
  if (!value || value === BEST_FIT || !queue || !api) {
    return;
  }
  const clusters = await clustersOf(api, queue).catch(() => []);
  const names = clusters.map(({ cluster }) => cluster);
  if (names.length > 0 && !names.includes(value)) {
    field.addError(
      textOf(apiHolder)?.('field.clusterWithoutQueue', {
        value,
        offered: [BEST_FIT, ...names].join(', '),
      }) ?? `cluster: '${value}'`,
    );
  }
};

/** Refuses parts of a duration that are no whole numbers from 0. The server checks again. */
export const validateDuration: CustomFieldValidator<DurationValue> = (
  value,
  field,
  { apiHolder },
) => {
  if (!isDuration(value)) {
    const shown = JSON.stringify(value);
    field.addError(
      textOf(apiHolder)?.('field.durationInvalid', { value: shown }) ??
        `maxDuration: ${shown}`,
    );
  }
};
