import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { ScmIntegrations } from '@backstage/integration';
import { eventsServiceRef } from '@backstage/plugin-events-node';
import { scaffolderServiceRef } from '@backstage/plugin-scaffolder-node';
import {
  createForge,
  gpuUsageMeterExtensionPoint,
  UsageMeter,
} from '@gpuaas/backstage-plugin-gpu-node';
import { randomUUID } from 'node:crypto';
import { readClusterConfigs } from './clusters/clusterConfig';
import { ClusterService } from './clusters/clusterService';
import { readDurations } from './config/durations';
import { Leases } from './database/leases';
import { openDatabase } from './database/migrate';
import { FitService } from './fit/fitService';
import { DatabaseLedgerStore } from './ledger/databaseLedgerStore';
import { IntervalCompletion } from './ledger/intervalCompletion';
import { LedgerObserver } from './ledger/ledgerObserver';
import { LedgerReader } from './ledger/ledgerReader';
import { scheduleStateRetention } from './ledger/stateRetention';
import { Access } from './permissions/access';
import { registerPermissions } from './permissions/registerPermissions';
import { DatabaseRequestStore } from './requests/databaseRequestStore';
import { EntitySummaries } from './requests/entitySummaries';
import { ForgePoller } from './requests/forgePoller';
import { RequestObserver } from './requests/requestObserver';
import { RequestReconciliation } from './requests/requestReconciliation';
import { RequestRegistrar } from './requests/requestRegistrar';
import { RequestViews } from './requests/requestViews';
import { ScaffolderWatcher } from './requests/scaffolderWatcher';
import { TaskStore } from './requests/taskStore';
import { TidyUp } from './requests/tidyUp';
import { createRouter } from './router/createRouter';

/** Milliseconds the leases of requests and ledger last. */
const LEASE_MILLIS = 15_000;

/**
 * Backend of GPU as a Service.
 *
 * @public
 */
export const gpuPlugin = createBackendPlugin({
  pluginId: 'gpu',
  register(env) {
    let meter: UsageMeter | undefined;
    env.registerExtensionPoint(gpuUsageMeterExtensionPoint, {
      setUsageMeter(one) {
        if (meter) {
          throw new Error(
            `Usage meter "${meter.name}" is registered already; "${one.name}" cannot be as well`,
          );
        }
        meter = one;
      },
    });
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        auditor: coreServices.auditor,
        config: coreServices.rootConfig,
        database: coreServices.database,
        events: eventsServiceRef,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        scaffolder: scaffolderServiceRef,
        scheduler: coreServices.scheduler,
        userInfo: coreServices.userInfo,
      },
      async init(deps) {
        const { config, logger, scheduler } = deps;
        const configs = readClusterConfigs(config);
        const durations = readDurations(config);
        const integrations = ScmIntegrations.fromConfig(config);
        const end = new AbortController();
        const forgeOf = (repoUrl: string) =>
          createForge({ integrations, repoUrl, signal: end.signal });
        // Bad configuration must stop the plugin, not the first request.
        configs.forEach(({ gitops }) => gitops && forgeOf(gitops.repoUrl));

        const knex = await openDatabase(deps.database);
        const leases = new Leases(knex, randomUUID(), LEASE_MILLIS);
        const store = new DatabaseRequestStore(knex);
        const tasks = new TaskStore(knex);
        const ledger = new DatabaseLedgerStore(knex, store);
        const clusterService = new ClusterService({
          knex,
          clusters: configs,
          logger,
          observers: [
            new RequestObserver(store, configs),
            ...(meter ? [new LedgerObserver(meter, ledger)] : []),
          ],
          timings: { retention: durations.retention },
        });
        const clusters = clusterService.store;
        registerPermissions(deps.permissionsRegistry, clusters, store);
        const access = new Access({
          ...deps,
          permissionsEnabled:
            config.getOptionalBoolean('permission.enabled') ?? false,
        });
        const views = new RequestViews({ store, clusters, access });
        const ledgerReader = new LedgerReader(knex, meter !== undefined);
        deps.httpRouter.use(
          createRouter({
            ...deps,
            access,
            clusters,
            requests: views,
            registrar: new RequestRegistrar({
              ...deps,
              store,
              tasks,
              views,
              clusters,
              configs,
              access,
            }),
            summaries: new EntitySummaries({
              store,
              views,
              clusters,
              ledger: ledgerReader,
            }),
            fit: new FitService({ clusters, access }),
            ledger: ledgerReader,
          }),
        );

        const background: Promise<void>[] = [];
        deps.lifecycle.addStartupHook(async () => {
          clusterService.start();
          background.push(
            new ForgePoller({ store, leases, forgeOf, logger }).run(end.signal),
          );
          await new ScaffolderWatcher({ ...deps, tasks, store }).start();
          await new RequestReconciliation({
            store,
            clusters,
            configs,
            logger,
          }).start(scheduler);
          await new TidyUp({
            ...deps,
            store,
            forgeOf,
            configs,
            graceMillis: durations.tidyUpGrace,
            everyMillis: durations.tidyUpFrequency,
          }).start(scheduler);
          if (meter) {
            await scheduleStateRetention(scheduler, knex);
            background.push(
              new IntervalCompletion({
                knex,
                leases,
                clusters,
                requests: store,
                logger,
                observed: configs
                  .filter(({ prometheus }) => prometheus)
                  .map(({ name }) => name),
              }).run(end.signal),
            );
            await meter.start?.({
              ledger,
              clusters: configs.map(({ name, prometheus }) => ({
                name,
                prometheus,
              })),
              scheduler,
              logger: logger.child({ meter: meter.name }),
            });
          }
        });
        deps.lifecycle.addShutdownHook(async () => {
          end.abort();
          await Promise.all([clusterService.stop(), ...background]);
        });
      },
    });
  },
});
