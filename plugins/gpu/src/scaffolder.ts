/**
 * The Scaffolder fields GpuQueuePicker, GpuClusterPicker, GpuDevicePicker,
 * GpuPriorityPicker and GpuDurationPicker for the new frontend system.
 *
 * @packageDocumentation
 */

import { createFrontendModule } from '@backstage/frontend-plugin-api';
import {
  clusterPicker,
  devicePicker,
  durationPicker,
  priorityPicker,
  queuePicker,
} from './fields/extensions';

/**
 * Installs the fields in the Scaffolder. Fields attach to its page, so
 * they cannot come with our own plugin.
 *
 * @public
 */
export default createFrontendModule({
  pluginId: 'scaffolder',
  extensions: [
    queuePicker,
    clusterPicker,
    devicePicker,
    priorityPicker,
    durationPicker,
  ],
});
