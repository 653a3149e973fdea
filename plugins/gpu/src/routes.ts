import { convertLegacyRouteRef } from '@backstage/core-compat-api';
import {
  createExternalRouteRef,
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** `/gpu`. */
export const rootRouteRef = createRouteRef();

/** Sub-pages hang off the root, so that one set of references serves both frontend systems. */
export const requestsRouteRef = createSubRouteRef({
  path: '/requests',
  parent: rootRouteRef,
});

export const requestRouteRef = createSubRouteRef({
  path: '/requests/:id',
  parent: rootRouteRef,
});

export const catalogueRouteRef = createSubRouteRef({
  path: '/catalogue',
  parent: rootRouteRef,
});

export const queuesRouteRef = createSubRouteRef({
  path: '/queues',
  parent: rootRouteRef,
});

export const fleetRouteRef = createSubRouteRef({
  path: '/fleet',
  parent: rootRouteRef,
});

/** The form that asks for GPUs: a Software Template. */
export const templateRouteRef = createExternalRouteRef({
  params: ['namespace', 'templateName'],
  defaultTarget: 'scaffolder.selectedTemplate',
});

/**
 * The same references as the legacy system knows them. Converting marks the
 * reference itself, so components may hand either to `useRouteRef`.
 */
export const legacyRoutes = {
  root: convertLegacyRouteRef(rootRouteRef),
  requests: convertLegacyRouteRef(requestsRouteRef),
  request: convertLegacyRouteRef(requestRouteRef),
  catalogue: convertLegacyRouteRef(catalogueRouteRef),
  queues: convertLegacyRouteRef(queuesRouteRef),
  fleet: convertLegacyRouteRef(fleetRouteRef),
  template: convertLegacyRouteRef(templateRouteRef),
};
