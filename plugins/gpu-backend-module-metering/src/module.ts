import { createBackendModule } from '@backstage/backend-plugin-api';
import { gpuUsageMeterExtensionPoint } from '@gpuaas/backstage-plugin-gpu-node';
import { KueueUsageMeter } from './kueueUsageMeter';

/**
 * Metering: turns what Kueue gives into ledger intervals.
 *
 * @public
 */
export const gpuMeteringModule = createBackendModule({
  pluginId: 'gpu',
  moduleId: 'metering',
  register(env) {
    env.registerInit({
      deps: { meters: gpuUsageMeterExtensionPoint },
      async init({ meters }) {
        meters.setUsageMeter(new KueueUsageMeter());
      },
    });
  },
});
