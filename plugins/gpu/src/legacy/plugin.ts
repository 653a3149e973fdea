import {
  createApiFactory,
  createComponentExtension,
  createPlugin,
  createRoutableExtension,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/core-plugin-api';
import { GpuClient } from '@gpuaas/backstage-plugin-gpu-common';
import { gpuApiRef } from '../api/gpuApiRef';
import { legacyRoutes } from '../routes';

/**
 * The plugin for apps of the legacy frontend system.
 *
 * @public
 */
export const gpuPlugin = createPlugin({
  id: 'gpu',
  apis: [
    createApiFactory({
      api: gpuApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: ({ discoveryApi, fetchApi }) =>
        new GpuClient({ discoveryApi, fetchApi }),
    }),
  ],
  routes: { root: legacyRoutes.root },
  externalRoutes: { template: legacyRoutes.template },
});

/**
 * All GPU pages, for a route such as `/gpu`.
 *
 * @public
 */
export const GpuPage: () => JSX.Element = gpuPlugin.provide(
  createRoutableExtension({
    name: 'GpuPage',
    component: () => import('./GpuPage').then(m => m.GpuPage),
    mountPoint: legacyRoutes.root,
  }),
);

/**
 * The GPU tab of a component.
 *
 * @public
 */
export const EntityGpuContent: () => JSX.Element = gpuPlugin.provide(
  createComponentExtension({
    name: 'EntityGpuContent',
    component: {
      lazy: () =>
        import('../entity/ComponentGpuContent').then(
          m => m.ComponentGpuContent,
        ),
    },
  }),
);

/**
 * Queues and quota of a group.
 *
 * @public
 */
export const EntityGroupGpuCard: () => JSX.Element | null = gpuPlugin.provide(
  createComponentExtension({
    name: 'EntityGroupGpuCard',
    component: {
      lazy: () => import('../entity/GroupGpuCard').then(m => m.GroupGpuCard),
    },
  }),
);
