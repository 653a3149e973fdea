import { createScaffolderFieldExtension } from '@backstage/plugin-scaffolder-react';
import { GpuDevicePicker } from '../fields/GpuDevicePicker';
import { GpuPriorityPicker } from '../fields/GpuPriorityPicker';
import { GpuQueuePicker } from '../fields/GpuQueuePicker';
import { deviceSchema, prioritySchema, queueSchema } from '../fields/schemas';
import {
  validateDevice,
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
