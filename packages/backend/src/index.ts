import { createBackend } from '@backstage/backend-defaults';

/**
 * The Developer Hub used in development: wiring only. What is specific to it
 * (who can sign in, who may see what) sits in `signIn` and `policy`.
 */
const backend = createBackend();

backend.add(import('@backstage/plugin-app-backend'));
backend.add(import('@backstage/plugin-auth-backend'));
backend.add(import('./signIn'));
backend.add(import('@backstage/plugin-permission-backend'));
backend.add(import('./policy'));
backend.add(import('@backstage/plugin-catalog-backend'));
backend.add(import('@backstage/plugin-catalog-backend-module-logs'));
backend.add(
  import('@backstage/plugin-catalog-backend-module-scaffolder-entity-model'),
);
backend.add(import('@backstage/plugin-scaffolder-backend'));
backend.add(import('@backstage/plugin-events-backend'));
backend.add(import('@backstage/plugin-notifications-backend'));
backend.add(import('@backstage/plugin-signals-backend'));
backend.add(import('@backstage/plugin-user-settings-backend'));

backend.add(import('@gpuaas/backstage-plugin-gpu-backend'));
backend.add(import('@gpuaas/backstage-plugin-gpu-backend-module-metering'));
backend.add(import('@gpuaas/backstage-plugin-catalog-backend-module-gpu'));
backend.add(import('@gpuaas/backstage-plugin-scaffolder-backend-module-gpu'));

backend.start();
