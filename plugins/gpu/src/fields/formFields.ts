import { createFormField } from '@backstage/plugin-scaffolder-react/alpha';
import { GpuClusterPicker } from './GpuClusterPicker';
import { GpuDevicePicker } from './GpuDevicePicker';
import { GpuDurationPicker } from './GpuDurationPicker';
import { GpuPriorityPicker } from './GpuPriorityPicker';
import { GpuQueuePicker } from './GpuQueuePicker';
import {
  clusterSchema,
  deviceSchema,
  durationSchema,
  prioritySchema,
  queueSchema,
} from './schemas';
import {
  validateCluster,
  validateDevice,
  validateDuration,
  validatePriority,
  validateQueue,
} from './validation';

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

/** `ui:field: GpuClusterPicker`. */
export const gpuClusterPickerField = createFormField({
  name: 'GpuClusterPicker',
  component: GpuClusterPicker,
  validation: validateCluster,
  schema: clusterSchema,
});

/** `ui:field: GpuDurationPicker`. */
export const gpuDurationPickerField = createFormField({
  name: 'GpuDurationPicker',
  component: GpuDurationPicker,
  validation: validateDuration,
  schema: durationSchema,
});
