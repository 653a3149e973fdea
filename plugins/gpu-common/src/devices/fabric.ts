import { DeviceClass } from './deviceClass';
import { Fabric } from './gpuModel';
import { findGpuModel } from './gpuModels';

/**
 * How units of a class reach each other: the model's links for whole GPUs;
 * slices, replicas and partitions have none (peer access is off under MIG).
 * Undefined for a model the device table lacks: not known is not "none".
 *
 * @public
 */
export function fabricOf(
  deviceClass: Pick<DeviceClass, 'model' | 'form'>,
): Fabric | 'none' | undefined {
  const { partition, replicas } = deviceClass.form;
  if (partition || (replicas ?? 1) > 1) return 'none';
  return findGpuModel(deviceClass.model)?.fabric;
}
