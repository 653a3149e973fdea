import { convertLegacyRouteRef } from '@backstage/core-compat-api';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { ReactElement } from 'react';
import { FixtureGpuApi } from '../../dev/fixtures';
import { gpuApiRef } from '../api/gpuApiRef';
import { rootRouteRef, templateRouteRef } from '../routes';

/** Renders a page as the app would, on a backend answered from memory. */
export function renderPage(
  page: ReactElement,
  api: FixtureGpuApi,
  options: {
    path?: string;
    mountPath?: string;
    /** Names of permissions that are refused. */
    denied?: string[];
  } = {},
) {
  return renderInTestApp(page, {
    apis: [
      [gpuApiRef, api],
      mockApis.permission({
        authorize: ({ permission }) =>
          options.denied?.includes(permission.name)
            ? AuthorizeResult.DENY
            : AuthorizeResult.ALLOW,
      }),
    ],
    mountedRoutes: {
      '/gpu': rootRouteRef,
      '/create/templates/:namespace/:templateName': templateRouteRef,
      '/catalog/:namespace/:kind/:name': convertLegacyRouteRef(entityRouteRef),
    },
    mountPath: options.mountPath,
    initialRouteEntries: [options.path ?? '/gpu'],
  });
}
