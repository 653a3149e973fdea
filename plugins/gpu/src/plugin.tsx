import { discoveryApiRef, fetchApiRef } from '@backstage/core-plugin-api';
import {
  ApiBlueprint,
  createFrontendPlugin,
  PageBlueprint,
  PluginHeaderActionBlueprint,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { GpuClient } from '@gpuaas/backstage-plugin-gpu-common';
import { RiCpuLine } from '@remixicon/react';
import { gpuApiRef } from './api/gpuApiRef';
import { componentGpuContent, groupGpuCard } from './entity/extensions';
import {
  catalogueRouteRef,
  fleetRouteRef,
  queuesRouteRef,
  requestRouteRef,
  requestsRouteRef,
  rootRouteRef,
  templateRouteRef,
} from './routes';

const api = ApiBlueprint.make({
  params: define =>
    define({
      api: gpuApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: ({ discoveryApi, fetchApi }) =>
        new GpuClient({ discoveryApi, fetchApi }),
    }),
});

const page = PageBlueprint.make({
  params: {
    path: '/gpu',
    title: 'GPU',
    icon: <RiCpuLine />,
    routeRef: rootRouteRef,
  },
});

const attachTo = { id: 'page:gpu', input: 'pages' };

const overview = SubPageBlueprint.make({
  name: 'overview',
  attachTo,
  params: {
    path: 'overview',
    title: 'Overview',
    loader: async () => {
      const { OverviewPage } = await import('./overview/OverviewPage');
      return <OverviewPage />;
    },
  },
});

const requests = SubPageBlueprint.make({
  name: 'requests',
  attachTo,
  params: {
    path: 'requests',
    title: 'Requests',
    loader: async () => {
      const { RequestsRoutes } = await import('./requests/RequestsRoutes');
      return <RequestsRoutes />;
    },
  },
});

const catalogue = SubPageBlueprint.make({
  name: 'catalogue',
  attachTo,
  params: {
    path: 'catalogue',
    title: 'Catalogue',
    loader: async () => {
      const { CataloguePage } = await import('./catalogue/CataloguePage');
      return <CataloguePage />;
    },
  },
});

const queues = SubPageBlueprint.make({
  name: 'queues',
  attachTo,
  params: {
    path: 'queues',
    title: 'Queues',
    loader: async () => {
      const { QueuesPage } = await import('./queues/QueuesPage');
      return <QueuesPage />;
    },
  },
});

const fleet = SubPageBlueprint.make({
  name: 'fleet',
  attachTo,
  params: {
    path: 'fleet',
    title: 'Fleet',
    loader: async () => {
      const { FleetPage } = await import('./fleet/FleetPage');
      return <FleetPage />;
    },
  },
});

const ask = PluginHeaderActionBlueprint.make({
  params: {
    loader: async () => {
      const { AskButton } = await import('./links/AskButton');
      return <AskButton />;
    },
  },
});

/**
 * GPU pages, the GPU tab of components and the quota card of groups.
 *
 * @public
 */
export const gpuPlugin = createFrontendPlugin({
  pluginId: 'gpu',
  title: 'GPU',
  icon: <RiCpuLine />,
  info: { packageJson: () => import('../package.json') },
  routes: {
    root: rootRouteRef,
    requests: requestsRouteRef,
    request: requestRouteRef,
    catalogue: catalogueRouteRef,
    queues: queuesRouteRef,
    fleet: fleetRouteRef,
  },
  externalRoutes: { template: templateRouteRef },
  extensions: [
    api,
    page,
    overview,
    requests,
    catalogue,
    queues,
    fleet,
    ask,
    componentGpuContent,
    groupGpuCard,
  ],
});
