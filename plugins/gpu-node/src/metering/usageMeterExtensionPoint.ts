import { createExtensionPoint } from '@backstage/backend-plugin-api';
import { UsageMeter } from './usageMeter';

/**
 * Where a module registers its usage meter; there is at most one.
 *
 * @public
 */
export interface GpuUsageMeterExtensionPoint {
  /** @throws Error when a meter is registered already. */
  setUsageMeter(meter: UsageMeter): void;
}

/** @public */
export const gpuUsageMeterExtensionPoint =
  createExtensionPoint<GpuUsageMeterExtensionPoint>({
    id: 'gpu.usage-meter',
  });
