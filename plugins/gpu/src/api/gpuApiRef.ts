import { createApiRef } from '@backstage/core-plugin-api';
import { GpuApi } from '@gpuaas/backstage-plugin-gpu-common';

/**
 * The HTTP API of the `gpu` backend plugin, for every page, card and field.
 *
 * @public
 */
export const gpuApiRef = createApiRef<GpuApi>({ id: 'plugin.gpu.service' });
