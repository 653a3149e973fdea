/**
 * The Scaffolder fields GpuQueuePicker, GpuDevicePicker and GpuPriorityPicker
 * for the new frontend system.
 *
 * @packageDocumentation
 */

import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { devicePicker, priorityPicker, queuePicker } from './fields/extensions';

/**
 * Installs the three fields in the Scaffolder. Fields attach to its page, so
 * they cannot come with our own plugin.
 *
 * @public
 */
export default createFrontendModule({
  pluginId: 'scaffolder',
  extensions: [queuePicker, devicePicker, priorityPicker],
});
