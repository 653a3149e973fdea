import {
  entityRef,
  label63,
  name253,
  requestId,
  REQUEST_STATES,
  schemas,
  taskId,
} from './openapiSchemas';
import { WORKLOAD_PHASES } from './workloads';

const json = <const S extends string>(schema: S, description: string) =>
  ({
    description,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
      },
    },
  } as const);

const failure = (description: string) => json('Error', description);

const badInput = failure(
  'The input is not accepted: the message names the field, the value and what would be.',
);
/** What any route may answer. */
const refusals = {
  400: badInput,
  401: failure('No or unknown credentials.'),
  403: failure('The permission is missing.'),
} as const;
const notFound = failure('There is no such thing, or it may not be seen.');

const query = <const N extends string, const S extends object>(
  name: N,
  schema: S,
  description: string,
) => ({ name, in: 'query', required: false, schema, description } as const);

/** An entity reference may be written as it is: `:` and `/` need no encoding. */
const reference = <const N extends string>(name: N, description: string) =>
  ({
    ...query(name, entityRef, description),
    allowReserved: true,
  } as const);

const path = <const N extends string, const S extends object>(
  name: N,
  schema: S,
  description: string,
) => ({ name, in: 'path', required: true, schema, description } as const);

const uid = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9-]+$',
} as const;

/** What a route that takes a body may answer besides. */
const badBody = {
  413: failure('The body is larger than 100 kB.'),
  415: failure('The body is in an encoding that is not understood.'),
} as const;

const paging = [
  query(
    'limit',
    { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    'Items a page.',
  ),
  query(
    'cursor',
    { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[\\w-]+$' },
    '`nextCursor` of the page before.',
  ),
] as const;

const cluster = query('cluster', name253, 'Only this cluster.');
const namespace = query('namespace', label63, 'Only this namespace.');

/**
 * The HTTP API of `gpu-backend`: OpenAPI 3.1, served at `/v1/openapi.json`.
 * A method a path does not name is answered 405.
 *
 * @public
 */
export const openApi = {
  openapi: '3.1.0',
  info: {
    title: 'GPU as a Service',
    version: '1.0.0',
    description:
      'Clusters, device classes, queues, workloads and requests of a fleet of GPU clusters run by Kueue.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/api/gpu' }],
  security: [{ backstage: [] }],
  paths: {
    '/v1/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        summary: 'This document.',
        responses: {
          200: {
            description: 'OpenAPI 3.1.',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          401: refusals[401],
        },
      },
    },
    '/v1/clusters': {
      get: {
        operationId: 'getClusters',
        summary: 'Every cluster, how it is reached and since when.',
        parameters: [],
        responses: { 200: json('Clusters', 'The clusters.'), ...refusals },
      },
    },
    '/v1/device-classes': {
      get: {
        operationId: 'getDeviceClasses',
        summary:
          'What can be asked for, with live counts; for one queue when namespace and queue are given.',
        parameters: [
          cluster,
          query('namespace', label63, "The queue's namespace."),
          query('queue', name253, 'The LocalQueue that asks.'),
        ],
        responses: {
          200: json('DeviceClassOffers', 'The offers.'),
          ...refusals,
        },
      },
    },
    '/v1/queues': {
      get: {
        operationId: 'getQueues',
        summary: 'LocalQueues with the ClusterQueue behind each.',
        parameters: [
          query(
            'mine',
            { type: 'boolean' },
            "Only queues owned by the caller's groups.",
          ),
          cluster,
          namespace,
          reference('owner', 'Only queues of this group.'),
          ...paging,
        ],
        responses: { 200: json('QueuePage', 'One page.'), ...refusals },
      },
    },
    '/v1/workloads': {
      get: {
        operationId: 'getWorkloads',
        summary: 'Kueue Workloads, newest first.',
        parameters: [
          cluster,
          namespace,
          query('queue', name253, 'Only this LocalQueue.'),
          reference('team', 'Only what this group owns.'),
          reference('entity', 'Only what this entity asked for.'),
          query('requestId', requestId, 'Only what this request made.'),
          query(
            'phase',
            {
              type: 'array',
              maxItems: 8,
              items: { type: 'string', enum: WORKLOAD_PHASES },
            },
            'Any of these phases.',
          ),
          ...paging,
        ],
        responses: { 200: json('WorkloadPage', 'One page.'), ...refusals },
      },
    },
    '/v1/workloads/{cluster}/{uid}': {
      get: {
        operationId: 'getWorkload',
        summary: 'One Workload, by uid: names are used again.',
        parameters: [
          path('cluster', name253, 'The cluster.'),
          path('uid', uid, "The Workload's metadata.uid."),
        ],
        responses: {
          200: json('Workload', 'The Workload.'),
          ...refusals,
          404: notFound,
        },
      },
    },
    '/v1/requests': {
      get: {
        operationId: 'getRequests',
        summary: 'Requests, newest first.',
        parameters: [
          query('mine', { type: 'boolean' }, 'Only what the caller asked for.'),
          reference('team', 'Only what this group asked for.'),
          reference('entity', 'Only what was asked for this entity.'),
          query(
            'state',
            {
              type: 'array',
              maxItems: 12,
              items: { type: 'string', enum: REQUEST_STATES },
            },
            'Any of these states.',
          ),
          ...paging,
        ],
        responses: { 200: json('GpuRequestPage', 'One page.'), ...refusals },
      },
    },
    '/v1/requests/{id}': {
      get: {
        operationId: 'getRequest',
        summary: 'One request with its eight steps.',
        parameters: [path('id', requestId, 'The Scaffolder task id.')],
        responses: {
          200: json('GpuRequest', 'The request.'),
          ...refusals,
          404: notFound,
        },
      },
      put: {
        operationId: 'putRequest',
        summary: 'Register a request, or where its pull request is.',
        description:
          'Idempotent by id. Only the requester, or a service, may put; what names the Job never changes afterwards.',
        parameters: [path('id', taskId, 'The Scaffolder task id.')],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/RequestRegistration' },
            },
          },
        },
        responses: {
          200: json('GpuRequest', 'The request as it now stands.'),
          ...refusals,
          404: failure('The Scaffolder knows no such task.'),
          ...badBody,
          409: failure('The id is registered with another Job.'),
          503: failure('The Scaffolder cannot be asked just now.'),
        },
      },
    },
    '/v1/entities/{kind}/{namespace}/{name}/summary': {
      get: {
        operationId: 'getEntitySummary',
        summary: 'What the GPU tab of a component shows.',
        parameters: [
          path(
            'kind',
            {
              type: 'string',
              minLength: 1,
              maxLength: 63,
              pattern: '^[A-Za-z][A-Za-z0-9]*$',
            },
            "The entity's kind.",
          ),
          path(
            'namespace',
            {
              type: 'string',
              minLength: 1,
              maxLength: 63,
              pattern: '^[A-Za-z0-9]([-A-Za-z0-9._]*[A-Za-z0-9])?$',
            },
            "The entity's namespace.",
          ),
          path(
            'name',
            {
              type: 'string',
              minLength: 1,
              maxLength: 63,
              pattern: '^[A-Za-z0-9]([-A-Za-z0-9._]*[A-Za-z0-9])?$',
            },
            "The entity's name.",
          ),
        ],
        responses: {
          200: json('EntitySummary', 'The summary.'),
          ...refusals,
          404: notFound,
        },
      },
    },
    '/v1/intervals': {
      get: {
        operationId: 'getIntervals',
        summary: 'The ledger intervals a figure is made of, newest first.',
        parameters: [
          cluster,
          query('workload', uid, 'Only this Workload uid.'),
          query('requestId', requestId, 'Only what this request held.'),
          reference('entity', 'Only what this entity held.'),
          reference('team', 'Only what this group held.'),
          ...paging,
        ],
        responses: {
          200: json('UsageIntervalPage', 'One page.'),
          ...refusals,
          501: failure('No usage meter is installed.'),
        },
      },
    },
    '/v1/fit': {
      post: {
        operationId: 'getFit',
        summary: 'Will it fit: now, later or never, and why.',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/FitQuery' },
            },
          },
        },
        responses: {
          200: json('FitAnswer', 'The answer.'),
          ...refusals,
          ...badBody,
          503: failure('The cluster was never read so far.'),
        },
      },
    },
  },
  components: {
    schemas,
    securitySchemes: {
      backstage: {
        type: 'http',
        scheme: 'bearer',
        description: 'A Backstage user or service token.',
      },
    },
  },
} as const;
