import { AuditorService, HttpAuthService } from '@backstage/backend-plugin-api';
import { createValidatedOpenApiRouter } from '@backstage/backend-openapi-utils';
import { InputError, NotFoundError } from '@backstage/errors';
import {
  FitQuery,
  gpuClusterReadPermission,
  gpuQueueReadPermission,
  gpuRequestReadPermission,
  gpuWorkloadReadPermission,
  openApi,
  RequestRegistration,
} from '@gpuaas/backstage-plugin-gpu-common';
import { Request, Response, Router } from 'express';
import { ClusterStore } from '../clusters/clusterStore';
import { FitService } from '../fit/fitService';
import { LedgerReader } from '../ledger/ledgerReader';
import { Access } from '../permissions/access';
import { EntitySummaries } from '../requests/entitySummaries';
import { RequestRegistrar } from '../requests/requestRegistrar';
import { RequestViews } from '../requests/requestViews';
import { audited } from './audited';
import { contractRefusal } from './contractRefusal';
import { refuseTheRest } from './methodNotAllowed';

export interface RouterOptions {
  httpAuth: HttpAuthService;
  auditor: AuditorService;
  access: Access;
  clusters: ClusterStore;
  requests: RequestViews;
  registrar: RequestRegistrar;
  summaries: EntitySummaries;
  fit: FitService;
  ledger: LedgerReader;
}

type Query = Record<string, any>;

/** Every HTTP route of the plugin; paths, parameters and bodies are checked against the contract first. */
export function createRouter(options: RouterOptions): Router {
  const { access, clusters, requests, ledger } = options;
  const router = createValidatedOpenApiRouter(
    // The validator compares with paths as the plugin sees them.
    { ...openApi, servers: [{ url: '/' }] },
    // Credentials are Backstage's matter: a session's cookie will do as well.
    { validatorOptions: { validateSecurity: false } },
  ) as Router;
  const credentialsOf = (req: Request) =>
    options.httpAuth.credentials(req, { allow: ['user', 'service'] });

  const read = (
    path: string,
    eventId: string,
    answer: (req: Request, query: Query) => Promise<unknown>,
  ) =>
    router.get(
      path,
      audited<Request, Response>(
        options.auditor,
        {
          id: eventId,
          severity: 'low',
          meta: req => ({ ...req.params, query: { ...req.query } as any }),
        },
        async (req, res) => {
          res.json(await answer(req, req.query));
        },
      ),
    );

  router.get('/v1/openapi.json', async (req, res) => {
    await credentialsOf(req);
    res.json(openApi);
  });

  read('/v1/clusters', 'cluster-list', async req => {
    await access.require(await credentialsOf(req), gpuClusterReadPermission);
    return { items: await clusters.listClusters() };
  });

  read('/v1/device-classes', 'device-class-list', async (req, query) => {
    const credentials = await credentialsOf(req);
    await access.require(credentials, gpuClusterReadPermission);
    const { cluster, namespace, queue } = query;
    if ((namespace === undefined) !== (queue === undefined)) {
      const missing = queue === undefined ? 'queue' : 'namespace';
      throw new InputError(
        `${missing} is missing; accepted are namespace and queue together, or neither`,
      );
    }
    if (queue === undefined) {
      return { items: await clusters.listOffers({ cluster }) };
    }
    // Counts for a queue are that queue's quota: only for those who may see it.
    const { restrict } = await access.sight(
      credentials,
      gpuQueueReadPermission,
    );
    const { items } = await clusters.listQueues(
      { cluster, namespace, name: queue },
      { limit: 1 },
      restrict,
    );
    if (items.length === 0) {
      throw new InputError(
        `queue is "${queue}" in namespace "${namespace}"; accepted is a LocalQueue you may see`,
      );
    }
    return {
      items: await clusters.listOffers({ cluster, namespace, queue }, restrict),
    };
  });

  read('/v1/queues', 'queue-list', async (req, query) => {
    const credentials = await credentialsOf(req);
    const sight = await access.sight(credentials, gpuQueueReadPermission);
    const { limit, cursor, mine, owner, cluster, namespace } = query;
    const groups = mine ? await requests.groupsOf(credentials) : undefined;
    const owners = owner
      ? [owner].filter(one => !groups || groups.includes(one))
      : groups;
    return clusters.listQueues(
      { cluster, namespace, owners },
      { limit, cursor },
      sight.restrict,
    );
  });

  read('/v1/workloads', 'workload-list', async (req, query) => {
    const sight = await access.sight(
      await credentialsOf(req),
      gpuWorkloadReadPermission,
    );
    const { limit, cursor, phase, ...filter } = query;
    return clusters.listWorkloads(
      { ...filter, phases: phase },
      { limit, cursor },
      sight.restrict,
    );
  });

  read('/v1/workloads/:cluster/:uid', 'workload-fetch', async req => {
    const sight = await access.sight(
      await credentialsOf(req),
      gpuWorkloadReadPermission,
    );
    const { cluster, uid } = req.params;
    const found = await clusters.getWorkload(uid);
    if (
      !found ||
      found.workload.cluster !== cluster ||
      !sight.sees(found.workload)
    ) {
      throw new NotFoundError(`No Workload with uid "${uid}" on "${cluster}"`);
    }
    return found.workload;
  });

  read('/v1/requests', 'request-list', async (req, query) => {
    const credentials = await credentialsOf(req);
    const sight = await access.sight(credentials, gpuRequestReadPermission);
    const { limit, cursor, mine, team, entity, state } = query;
    return requests.list(
      {
        requester: mine ? await requests.userOf(credentials) : undefined,
        team,
        entity,
        states: state,
      },
      { limit, cursor },
      sight.restrict,
    );
  });

  read('/v1/requests/:id', 'request-fetch', async req => {
    const sight = await access.sight(
      await credentialsOf(req),
      gpuRequestReadPermission,
    );
    const request = await requests.get(req.params.id);
    if (!request || !sight.sees(request)) {
      throw new NotFoundError(`No request "${req.params.id}"`);
    }
    return request;
  });

  router.put(
    '/v1/requests/:id',
    audited<Request, Response>(
      options.auditor,
      {
        id: 'request-register',
        severity: 'medium',
        meta: ({ params, body }) => ({
          id: params.id,
          cluster: body?.cluster,
          namespace: body?.namespace,
          name: body?.name,
        }),
      },
      async (req, res) => {
        res.json(
          await options.registrar.register(
            req.params.id,
            req.body as RequestRegistration,
            await credentialsOf(req),
          ),
        );
      },
    ),
  );

  read(
    '/v1/entities/:kind/:namespace/:name/summary',
    'entity-summary-fetch',
    async req => {
      const credentials = await credentialsOf(req);
      const sight = await access.sight(credentials, gpuRequestReadPermission);
      const { kind, namespace, name } = req.params;
      return options.summaries.summarise(
        `${kind}:${namespace}/${name}`.toLocaleLowerCase('en-US'),
        sight.restrict,
        await access.sightIfAny(credentials, gpuWorkloadReadPermission),
      );
    },
  );

  read('/v1/intervals', 'interval-list', async (req, query) => {
    const sight = await access.sight(
      await credentialsOf(req),
      gpuWorkloadReadPermission,
    );
    const { limit, cursor, ...filter } = query;
    return ledger.list(filter, { limit, cursor }, sight.restrict);
  });

  router.post(
    '/v1/fit',
    audited<Request, Response>(
      options.auditor,
      {
        id: 'fit-check',
        severity: 'low',
        meta: ({ body }) => ({
          cluster: body?.cluster,
          namespace: body?.namespace,
          queue: body?.queue,
        }),
      },
      async (req, res) => {
        res.json(
          await options.fit.answer(
            req.body as FitQuery,
            await credentialsOf(req),
          ),
        );
      },
    ),
  );

  refuseTheRest(router);
  router.use(contractRefusal);
  return router;
}
