/**
 * The Scaffolder fields GpuQueuePicker, GpuDevicePicker and GpuPriorityPicker
 * for the new frontend system.
 *
 * @packageDocumentation
 */

import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { FormFieldBlueprint } from '@backstage/plugin-scaffolder-react/alpha';

/** A form field belongs to the Scaffolder's page, so it cannot come with our own plugin. */
const queuePicker = FormFieldBlueprint.make({
  name: 'gpu-queue-picker',
  params: {
    field: () => import('./fields/formFields').then(m => m.gpuQueuePickerField),
  },
});

const devicePicker = FormFieldBlueprint.make({
  name: 'gpu-device-picker',
  params: {
    field: () =>
      import('./fields/formFields').then(m => m.gpuDevicePickerField),
  },
});

const priorityPicker = FormFieldBlueprint.make({
  name: 'gpu-priority-picker',
  params: {
    field: () =>
      import('./fields/formFields').then(m => m.gpuPriorityPickerField),
  },
});

/**
 * Installs the three fields in the Scaffolder.
 *
 * @public
 */
export default createFrontendModule({
  pluginId: 'scaffolder',
  extensions: [queuePicker, devicePicker, priorityPicker],
});
