import { createFormField } from '@backstage/plugin-scaffolder-react/alpha';
import { GpuDevicePicker } from './GpuDevicePicker';
import { GpuPriorityPicker } from './GpuPriorityPicker';
import { GpuQueuePicker } from './GpuQueuePicker';
import { deviceSchema, prioritySchema, queueSchema } from './schemas';
import { validateDevice, validatePriority, validateQueue } from './validation';

/** `ui:field: GpuQueuePicker`. */
export const gpuQueuePickerField = createFormField({
  name: 'GpuQueuePicker',
  component: GpuQueuePicker,
  validation: validateQueue,
  schema: queueSchema,
});

/** `ui:field: GpuDevicePicker`. */
export const gpuDevicePickerField = createFormField({
  name: 'GpuDevicePicker',
  component: GpuDevicePicker,
  validation: validateDevice,
  schema: deviceSchema,
});

/** `ui:field: GpuPriorityPicker`. */
export const gpuPriorityPickerField = createFormField({
  name: 'GpuPriorityPicker',
  component: GpuPriorityPicker,
  validation: validatePriority,
  schema: prioritySchema,
});
