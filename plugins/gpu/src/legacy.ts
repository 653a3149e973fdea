/**
 * GPU pages, entity tab, card and Scaffolder fields for the legacy frontend system.
 *
 * @packageDocumentation
 */

export { gpuApiRef } from './api/gpuApiRef';
export { isGpuAvailable } from './entity/namespaceAnnotation';
export type { DeviceValue } from './fields/deviceValue';
export type { DurationValue } from './fields/durationValue';
export type { QueueValue } from './fields/queueValue';
export {
  GpuClusterPickerFieldExtension,
  GpuDevicePickerFieldExtension,
  GpuDurationPickerFieldExtension,
  GpuPriorityPickerFieldExtension,
  GpuQueuePickerFieldExtension,
} from './legacy/fields';
export { GpuIcon } from './legacy/GpuIcon';
export {
  EntityGpuContent,
  EntityGroupGpuCard,
  GpuPage,
  gpuPlugin,
} from './legacy/plugin';
