import { FormFieldBlueprint } from '@backstage/plugin-scaffolder-react/alpha';

/** `ui:field: GpuQueuePicker` in the new frontend system. */
export const queuePicker = FormFieldBlueprint.make({
  name: 'gpu-queue-picker',
  params: {
    field: () => import('./formFields').then(m => m.gpuQueuePickerField),
  },
});

/** `ui:field: GpuDevicePicker` in the new frontend system. */
export const devicePicker = FormFieldBlueprint.make({
  name: 'gpu-device-picker',
  params: {
    field: () => import('./formFields').then(m => m.gpuDevicePickerField),
  },
});

/** `ui:field: GpuPriorityPicker` in the new frontend system. */
export const priorityPicker = FormFieldBlueprint.make({
  name: 'gpu-priority-picker',
  params: {
    field: () => import('./formFields').then(m => m.gpuPriorityPickerField),
  },
});

/** `ui:field: GpuClusterPicker` in the new frontend system. */
export const clusterPicker = FormFieldBlueprint.make({
  name: 'gpu-cluster-picker',
  params: {
    field: () => import('./formFields').then(m => m.gpuClusterPickerField),
  },
});

/** `ui:field: GpuDurationPicker` in the new frontend system. */
export const durationPicker = FormFieldBlueprint.make({
  name: 'gpu-duration-picker',
  params: {
    field: () => import('./formFields').then(m => m.gpuDurationPickerField),
  },
});
