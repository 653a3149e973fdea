import { REQUEST_STEPS } from '../requests/steps';
import { WORKLOAD_PHASES } from './workloads';

/**
 * Shapes of the HTTP API as JSON Schema (OpenAPI 3.1). They say the same as the
 * interfaces beside this file; the backend's tests hold every answer against them.
 */

const time = { type: 'string', format: 'date-time' } as const;
const text = { type: 'string' } as const;
/** One line: no control characters, and nothing a database refuses. */
const line = '^[^\\u0000-\\u001f\\u007f]+$';
const count = { type: 'integer', minimum: 0 } as const;
const int64 = {
  type: 'string',
  pattern: '^-?[0-9]{1,19}$',
  description: 'int64 as decimal text',
} as const;
const labels = {
  type: 'object',
  additionalProperties: { type: 'string' },
} as const;

/** A name as Kubernetes has it for namespaces, Jobs and Services (RFC 1123 label). */
export const label63 = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
} as const;

/** A name as Kubernetes has it for everything else (RFC 1123 subdomain). */
export const name253 = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
} as const;

/** An entity reference with kind and namespace, for example `component:default/llm-finetune`. */
export const entityRef = {
  type: 'string',
  minLength: 5,
  maxLength: 255,
  pattern:
    '^[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9]([-A-Za-z0-9._]*[A-Za-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9._]*[A-Za-z0-9])?$',
} as const;

/** The id of a request: a Scaffolder task id. */
export const requestId = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
} as const;

/** The id of a Scaffolder task: a UUID. The Scaffolder fails on anything else (its column is one on PostgreSQL). */
export const taskId = {
  type: 'string',
  format: 'uuid',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
} as const;

/** A device class id, for example `nvidia-l40s.shared-4`. */
export const deviceClassId = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:+-]*$',
} as const;

export const REQUEST_STATES = [
  'submitted',
  'in-review',
  'rejected',
  'merged',
  'refused',
  'queued',
  'starting',
  'running',
  'succeeded',
  'failed',
  'stopped',
  'deleted',
] as const;

const requestKind = {
  type: 'string',
  enum: ['batch', 'interactive', 'serving'],
} as const;

const file = {
  type: 'object',
  additionalProperties: false,
  required: ['repoUrl', 'branch', 'path', 'digest'],
  properties: {
    repoUrl: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      pattern: line,
      description:
        'As the Scaffolder writes it: host?owner=…&repo=…, or the address of the repository.',
    },
    branch: { type: 'string', minLength: 1, maxLength: 255, pattern: line },
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      pattern: line,
      description: 'clusters/<cluster>/<namespace>/<name>.yaml',
    },
    digest: {
      type: 'string',
      pattern: '^(sha256:)?[0-9a-f]{64}$',
      description: "SHA-256 of the file's bytes",
    },
  },
} as const;

const page = <const S extends string>(schema: S) =>
  ({
    type: 'object',
    required: ['items', 'totalItems'],
    properties: {
      items: {
        type: 'array',
        items: { $ref: `#/components/schemas/${schema}` },
      },
      nextCursor: {
        type: 'string',
        description: 'Absent on the last page.',
      },
      totalItems: count,
    },
  } as const);

const list = <const S extends string>(schema: S) =>
  ({
    type: 'object',
    required: ['items'],
    properties: {
      items: {
        type: 'array',
        items: { $ref: `#/components/schemas/${schema}` },
      },
    },
  } as const);

const ref = <const S extends string>(schema: S) =>
  ({ $ref: `#/components/schemas/${schema}` } as const);

export const schemas = {
  Error: {
    type: 'object',
    description: "Backstage's error body.",
    required: ['error', 'response'],
    properties: {
      error: {
        type: 'object',
        required: ['name', 'message'],
        properties: { name: text, message: text },
      },
      request: {
        type: 'object',
        required: ['method', 'url'],
        properties: { method: text, url: text },
      },
      response: {
        type: 'object',
        required: ['statusCode'],
        properties: { statusCode: { type: 'integer' } },
      },
    },
  },
  Cluster: {
    type: 'object',
    required: ['name', 'title', 'role', 'state', 'since', 'gpus'],
    properties: {
      name: text,
      title: text,
      role: { type: 'string', enum: ['hub', 'spoke'] },
      state: {
        type: 'string',
        enum: ['connected', 'connecting', 'unreachable', 'no-kueue'],
      },
      since: time,
      freshAt: time,
      message: text,
      kubernetesVersion: text,
      kueueApiVersion: text,
      gpus: {
        type: 'object',
        required: ['physical', 'usedNano'],
        properties: {
          physical: { type: 'number', minimum: 0 },
          usedNano: count,
        },
      },
    },
  },
  DeviceClass: {
    type: 'object',
    required: [
      'id',
      'title',
      'vendor',
      'model',
      'form',
      'resourceName',
      'shareNano',
      'vramMiB',
      'isolation',
      'singleUnit',
      'goodFor',
    ],
    properties: {
      id: text,
      title: text,
      vendor: { type: 'string', enum: ['nvidia', 'amd', 'intel'] },
      model: text,
      form: {
        type: 'object',
        properties: {
          partition: text,
          replicas: { type: 'integer', minimum: 1 },
          sharing: { type: 'string', enum: ['time-slicing', 'mps'] },
        },
      },
      resourceName: text,
      shareNano: count,
      vramMiB: count,
      isolation: { type: 'string', enum: ['hardware', 'memory', 'none'] },
      singleUnit: { type: 'boolean' },
      goodFor: { type: 'array', items: text },
    },
  },
  DeviceClassOffer: {
    type: 'object',
    required: [
      'deviceClass',
      'cluster',
      'flavor',
      'nodeLabels',
      'nodes',
      'total',
      'free',
      'freshAt',
    ],
    properties: {
      deviceClass: ref('DeviceClass'),
      cluster: text,
      flavor: text,
      nodeLabels: labels,
      nodes: count,
      total: count,
      free: count,
      freeForQueue: count,
      potentialForQueue: count,
      freshAt: time,
    },
  },
  DeviceClassOffers: list('DeviceClassOffer'),
  Clusters: list('Cluster'),
  QueueQuota: {
    type: 'object',
    required: [
      'flavor',
      'resource',
      'nominal',
      'used',
      'borrowed',
      'available',
      'potential',
    ],
    properties: {
      flavor: text,
      resource: text,
      deviceClass: text,
      nominal: { type: 'number' },
      borrowingLimit: { type: 'number' },
      lendingLimit: { type: 'number' },
      used: { type: 'number' },
      borrowed: { type: 'number' },
      available: { type: 'number' },
      potential: { type: 'number' },
    },
  },
  Queue: {
    type: 'object',
    required: [
      'cluster',
      'namespace',
      'name',
      'clusterQueue',
      'active',
      'priorityClasses',
      'pendingWorkloads',
      'admittedWorkloads',
      'quotas',
      'freshAt',
    ],
    properties: {
      cluster: text,
      namespace: text,
      name: text,
      clusterQueue: text,
      cohort: text,
      owner: text,
      active: { type: 'boolean' },
      inactiveMessage: text,
      priorityClasses: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'value'],
          properties: {
            name: text,
            value: { type: 'integer' },
            description: text,
          },
        },
      },
      pendingWorkloads: count,
      admittedWorkloads: count,
      quotas: { type: 'array', items: ref('QueueQuota') },
      freshAt: time,
    },
  },
  QueuePage: page('Queue'),
  Waiting: {
    type: 'object',
    required: ['cause', 'sentence', 'since'],
    properties: {
      cause: {
        type: 'string',
        enum: [
          'quota-in-use',
          'exceeds-maximum',
          'resource-not-covered',
          'flavor-mismatch',
          'queue-missing',
          'queue-stopped',
          'namespace-mismatch',
          'admission-gate',
          'admission-check',
          'preempting',
          'not-yet-tried',
          'backing-off',
          'unknown',
        ],
      },
      sentence: text,
      message: text,
      since: time,
    },
  },
  WorkloadPodSet: {
    type: 'object',
    required: ['name', 'count', 'requests'],
    properties: {
      name: text,
      count,
      requests: labels,
      assignment: {
        type: 'object',
        required: ['flavors', 'usage', 'count'],
        properties: { flavors: labels, usage: labels, count },
      },
    },
  },
  Workload: {
    type: 'object',
    required: [
      'uid',
      'cluster',
      'namespace',
      'name',
      'phase',
      'priority',
      'podSets',
      'createdAt',
      'evictions',
      'freshAt',
    ],
    properties: {
      uid: text,
      cluster: text,
      namespace: text,
      name: text,
      job: {
        type: 'object',
        required: ['name', 'uid'],
        properties: { name: text, uid: text },
      },
      queue: text,
      clusterQueue: text,
      team: text,
      requestId: text,
      entity: text,
      requester: text,
      phase: { type: 'string', enum: WORKLOAD_PHASES },
      priority: { type: 'integer' },
      priorityClass: text,
      podSets: { type: 'array', items: ref('WorkloadPodSet') },
      deviceClass: text,
      units: count,
      createdAt: time,
      quotaReservedAt: time,
      admittedAt: time,
      finishedAt: time,
      evictions: count,
      waiting: ref('Waiting'),
      freshAt: time,
    },
  },
  WorkloadPage: page('Workload'),
  RequestStep: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', enum: REQUEST_STEPS },
      at: time,
      source: text,
      actor: text,
      detail: text,
      clockSkewSeconds: { type: 'integer', minimum: 1 },
    },
  },
  GpuRequest: {
    type: 'object',
    required: [
      'id',
      'name',
      'requester',
      'entity',
      'cluster',
      'namespace',
      'queue',
      'kind',
      'deviceClass',
      'flavor',
      'units',
      'state',
      'steps',
      'file',
      'delivery',
      'createdAt',
      'updatedAt',
      'fresh',
    ],
    properties: {
      id: text,
      name: text,
      purpose: text,
      requester: text,
      entity: text,
      team: text,
      cluster: text,
      namespace: text,
      queue: text,
      kind: requestKind,
      deviceClass: text,
      flavor: text,
      units: count,
      priorityClass: text,
      maxDurationSeconds: count,
      state: { type: 'string', enum: REQUEST_STATES },
      steps: {
        type: 'array',
        minItems: 8,
        maxItems: 8,
        items: ref('RequestStep'),
      },
      file,
      pullRequest: {
        type: 'object',
        required: ['url', 'number', 'provider', 'state'],
        properties: {
          url: text,
          number: { type: 'integer', minimum: 1 },
          provider: text,
          state: { type: 'string', enum: ['open', 'merged', 'closed'] },
          mergedBy: text,
          mergedAt: time,
          mergeCommit: text,
        },
      },
      delivery: {
        type: 'object',
        required: ['state'],
        properties: {
          state: {
            type: 'string',
            enum: ['waiting', 'delivered', 'refused', 'unknown'],
          },
          via: {
            type: 'object',
            required: ['kind', 'namespace', 'name'],
            properties: {
              kind: { type: 'string', enum: ['Application', 'Kustomization'] },
              namespace: text,
              name: text,
              url: text,
            },
          },
          revision: text,
          at: time,
          message: text,
        },
      },
      workload: {
        type: 'object',
        required: ['uid', 'name'],
        properties: { uid: text, name: text },
      },
      waiting: ref('Waiting'),
      createdAt: time,
      updatedAt: time,
      fresh: { type: 'boolean' },
      staleReason: text,
    },
  },
  GpuRequestPage: page('GpuRequest'),
  RequestRegistration: {
    type: 'object',
    additionalProperties: false,
    required: [
      'entity',
      'cluster',
      'namespace',
      'queue',
      'kind',
      'name',
      'deviceClass',
      'flavor',
      'units',
      'file',
    ],
    properties: {
      purpose: {
        type: 'string',
        maxLength: 2000,
        pattern: '^[^\\u0000]*$',
      },
      entity: entityRef,
      cluster: name253,
      namespace: label63,
      queue: name253,
      kind: requestKind,
      name: label63,
      deviceClass: deviceClassId,
      flavor: name253,
      units: { type: 'integer', minimum: 1, maximum: 100000 },
      priorityClass: name253,
      maxDurationSeconds: {
        type: 'integer',
        minimum: 1,
        maximum: 315360000,
      },
      file,
      pullRequest: {
        type: 'object',
        additionalProperties: false,
        required: ['url', 'number', 'provider'],
        properties: {
          url: {
            type: 'string',
            minLength: 1,
            maxLength: 2048,
            pattern: '^https?://[!-~]+$',
          },
          number: { type: 'integer', minimum: 1, maximum: 2147483647 },
          provider: {
            type: 'string',
            minLength: 1,
            maxLength: 63,
            pattern: '^[A-Za-z][A-Za-z0-9-]*$',
          },
        },
      },
    },
  },
  EntitySummary: {
    type: 'object',
    required: ['entity', 'requests', 'latest', 'freshAt'],
    properties: {
      entity: text,
      requests: {
        type: 'object',
        required: ['active', 'waiting', 'running', 'ended'],
        properties: {
          active: count,
          waiting: count,
          running: count,
          ended: count,
        },
      },
      gpusNowNano: count,
      gpuNanoSeconds: {
        ...int64,
        description:
          'nano-GPU-seconds, int64 as decimal text; absent where no usage meter is installed, or workloads may not be seen.',
      },
      freshAt: time,
      latest: { type: 'array', items: ref('GpuRequest') },
    },
  },
  UsageInterval: {
    type: 'object',
    required: [
      'cluster',
      'workloadUid',
      'workloadName',
      'namespace',
      'podSet',
      'flavor',
      'resource',
      'kind',
      'confidence',
      'units',
      'openedAt',
      'seconds',
    ],
    properties: {
      cluster: text,
      workloadUid: text,
      workloadName: text,
      namespace: text,
      podSet: text,
      flavor: text,
      resource: text,
      kind: { type: 'string', enum: ['allocated', 'reserved', 'unknown'] },
      confidence: {
        type: 'string',
        enum: ['measured', 'estimated', 'unknown'],
      },
      units: count,
      deviceClass: text,
      shareNano: { ...count, description: 'nano-GPU held by all units.' },
      clusterQueue: text,
      queue: text,
      team: text,
      entity: text,
      requester: text,
      requestId: text,
      openedAt: time,
      closedAt: time,
      endReason: text,
      seconds: count,
      gpuNanoSeconds: int64,
    },
  },
  UsageIntervalPage: page('UsageInterval'),
  FitQuery: {
    type: 'object',
    additionalProperties: false,
    required: ['namespace', 'queue', 'count'],
    properties: {
      cluster: name253,
      namespace: label63,
      queue: name253,
      deviceClass: deviceClassId,
      fraction: {
        type: 'object',
        additionalProperties: false,
        required: ['corePercent', 'vramMiB'],
        properties: {
          corePercent: { type: 'number', minimum: 0, maximum: 100 },
          vramMiB: { type: 'number', minimum: 0, maximum: 16777216 },
        },
      },
      count: { type: 'integer', minimum: 1, maximum: 100000 },
      pods: { type: 'integer', minimum: 1, maximum: 100000 },
      priorityClass: name253,
    },
  },
  FitQuotaLine: {
    type: 'object',
    required: ['nominal', 'used', 'borrowed', 'available', 'potential'],
    properties: {
      nominal: { type: 'number' },
      used: { type: 'number' },
      borrowed: { type: 'number' },
      available: { type: 'number' },
      potential: { type: 'number' },
    },
  },
  FitAnswer: {
    type: 'object',
    required: ['verdict', 'reason', 'sentence', 'units', 'borrows'],
    properties: {
      verdict: { type: 'string', enum: ['now', 'later', 'never'] },
      reason: {
        type: 'string',
        enum: [
          'fits',
          'waits-for-quota',
          'waits-for-devices',
          'waits-behind-others',
          'exceeds-maximum',
          'class-not-offered',
          'queue-missing',
          'queue-stopped',
          'priority-not-allowed',
          'shared-count',
          'cluster-unknown',
        ],
      },
      sentence: text,
      cluster: text,
      clusterQueue: text,
      flavor: text,
      nodeLabels: labels,
      resourceName: text,
      coveredResources: { type: 'array', items: text },
      deviceClass: text,
      units: count,
      physicalNano: count,
      poolShare: { type: 'number', minimum: 0 },
      before: ref('FitQuotaLine'),
      after: ref('FitQuotaLine'),
      borrows: count,
      freshAt: time,
    },
  },
} as const;
