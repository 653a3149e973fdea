import { configApiRef, useApi, useRouteRef } from '@backstage/core-plugin-api';
import { parseEntityRef } from '@backstage/catalog-model';
import { useMemo } from 'react';
import { legacyRoutes } from '../routes';

/** The template that asks for GPUs unless `gpu.requestTemplate` names another. */
export const DEFAULT_TEMPLATE = 'template:default/gpu-batch-job';

/** Addresses of everything a page links to, wherever the app mounted it. */
export interface GpuLinks {
  requests(query?: Record<string, string>): string;
  request(id: string): string;
  catalogue(): string;
  queues(): string;
  fleet(): string;
  /** The form, with the component filled in; absent where no Scaffolder is installed. */
  ask?(entityRef?: string): string;
}

/** Resolves the plugin's links in either frontend system. */
export function useGpuLinks(): GpuLinks {
  const config = useApi(configApiRef);
  const requests = useRouteRef(legacyRoutes.requests);
  const request = useRouteRef(legacyRoutes.request);
  const catalogue = useRouteRef(legacyRoutes.catalogue);
  const queues = useRouteRef(legacyRoutes.queues);
  const fleet = useRouteRef(legacyRoutes.fleet);
  const template = useRouteRef(legacyRoutes.template);

  return useMemo(() => {
    const { namespace, name } = parseEntityRef(
      config.getOptionalString('gpu.requestTemplate') ?? DEFAULT_TEMPLATE,
    );
    return {
      requests: query => {
        const search = new URLSearchParams(query).toString();
        return search ? `${requests()}?${search}` : requests();
      },
      request: id => request({ id }),
      catalogue,
      queues,
      fleet,
      ask:
        template &&
        (entityRef => {
          const path = template({ namespace, templateName: name });
          return entityRef
            ? `${path}?${new URLSearchParams({
                formData: JSON.stringify({ entity: entityRef }),
              })}`
            : path;
        }),
    };
  }, [config, requests, request, catalogue, queues, fleet, template]);
}
