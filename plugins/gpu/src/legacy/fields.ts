import { createScaffolderFieldExtension } from '@backstage/plugin-scaffolder-react';
import { GpuClusterPicker } from '../fields/GpuClusterPicker';
import { GpuDevicePicker } from '../fields/GpuDevicePicker';
import { GpuDurationPicker } from '../fields/GpuDurationPicker';
import { GpuPriorityPicker } from '../fields/GpuPriorityPicker';
import { GpuQueuePicker } from '../fields/GpuQueuePicker';
import {
  clusterSchema,
  deviceSchema,
  durationSchema,
  prioritySchema,
  queueSchema,
} from '../fields/schemas';
import {
  validateCluster,
  validateDevice,
  validateDuration,
  validatePriority,
  validateQueue,
} from '../fields/validation';
import { gpuPlugin } from './plugin';

/**
 * `ui:field: GpuQueuePicker`: a queue of the reader's teams.
 *
 * @public
 */
export const GpuQueuePickerFieldExtension = gpuPlugin.provide(
  createScaffolderFieldExtension({
    name: 'GpuQueuePicker',
    component: GpuQueuePicker,
    validation: validateQueue,
    schema: queueSchema.schema,
  }),
);

/**
 * `ui:field: GpuDevicePicker`: a device class or a fraction of a GPU.
 *
 * @public
 */
export const GpuDevicePickerFieldExtension = gpuPlugin.provide(
  createScaffolderFieldExtension({
    name: 'GpuDevicePicker',
    component: GpuDevicePicker,
    validation: validateDevice,
    schema: deviceSchema.schema,
  }),
);

/**
 * `ui:field: GpuPriorityPicker`: a priority the chosen queue may use.
 *
 * @public
 */
export const GpuPriorityPickerFieldExtension = gpuPlugin.provide(
  createScaffolderFieldExtension({
    name: 'GpuPriorityPicker',
    component: GpuPriorityPicker,
    validation: validatePriority,
    schema: prioritySchema.schema,
  }),
);

/**
 * `ui:field: GpuClusterPicker`: best fit or a cluster that has the chosen queue.
 *
 * @public
 */
export const GpuClusterPickerFieldExtension = gpuPlugin.provide(
  createScaffolderFieldExtension({
    name: 'GpuClusterPicker',
    component: GpuClusterPicker,
    validation: validateCluster,
    schema: clusterSchema.schema,
  }),
);

/**
 * `ui:field: GpuDurationPicker`: hours and minutes.
 *
 * @public
 */
export const GpuDurationPickerFieldExtension = gpuPlugin.provide(
  createScaffolderFieldExtension({
    name: 'GpuDurationPicker',
    component: GpuDurationPicker,
    validation: validateDuration,
    schema: durationSchema.schema,
  }),
);
