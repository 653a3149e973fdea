import {
  coreServices,
  createBackendModule,
  readSchedulerServiceTaskScheduleDefinitionFromConfig,
} from '@backstage/backend-plugin-api';
import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { catalogProcessingExtensionPoint } from '@backstage/plugin-catalog-node';
import { GpuClient } from '@gpuaas/backstage-plugin-gpu-common';
import { FleetReader } from './fleetReader';
import { GpuEntityProvider } from './gpuEntityProvider';

const DEFAULT_SCHEDULE = {
  frequency: { seconds: 30 },
  timeout: { minutes: 1 },
  initialDelay: { seconds: 5 },
};

/**
 * Catalog entities for GPU clusters, device classes and queues.
 *
 * @public
 */
export const catalogModuleGpu = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'gpu',
  register(env) {
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        catalog: catalogProcessingExtensionPoint,
        config: coreServices.rootConfig,
        discovery: coreServices.discovery,
        logger: coreServices.logger,
        scheduler: coreServices.scheduler,
      },
      async init({ auth, catalog, config, discovery, logger, scheduler }) {
        const names = config.getOptionalConfig('gpu.clusters')?.keys() ?? [];
        const owner = readOwner(config);
        const schedule = config.has('catalog.providers.gpu.schedule')
          ? readSchedulerServiceTaskScheduleDefinitionFromConfig(
              config.getConfig('catalog.providers.gpu.schedule'),
            )
          : DEFAULT_SCHEDULE;
        const providers = names.map(
          name => new GpuEntityProvider(name, owner, logger),
        );
        providers.forEach(provider => catalog.addEntityProvider(provider));
        const reader = new FleetReader(
          new GpuClient({ discoveryApi: discovery, fetchApi: { fetch } }),
          auth,
        );
        // On every replica: a provider's connection lives in its process, and equal sets are not sent twice.
        await scheduler.scheduleTask({
          ...schedule,
          id: 'gpu-catalog-entities',
          scope: 'local',
          fn: async () => {
            const fleet = await reader.read().catch(error => {
              logger.warn(
                'The gpu backend cannot be read; the catalog keeps what it has',
                error,
              );
              return undefined;
            });
            for (const [index, provider] of providers.entries()) {
              // One cluster that cannot be stored costs no other.
              await provider
                .update(fleet?.get(names[index]))
                .catch(error =>
                  logger.warn(
                    `Entities of ${names[index]} could not be stored`,
                    error,
                  ),
                );
            }
          },
        });
      },
    });
  },
});

/** @throws InputError naming key, value and what is accepted. */
function readOwner(config: Config): string {
  const key = 'catalog.providers.gpu.owner';
  const owner = config.getOptionalString(key) ?? 'group:default/platform';
  try {
    return stringifyEntityRef(
      parseEntityRef(owner, {
        defaultKind: 'group',
        defaultNamespace: 'default',
      }),
    );
  } catch {
    throw new InputError(
      `${key}: ${JSON.stringify(
        owner,
      )} is not accepted; accepted: a group such as "group:default/platform"`,
    );
  }
}
