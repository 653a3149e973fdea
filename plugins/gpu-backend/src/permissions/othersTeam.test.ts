import {
  mockServices,
  startTestBackend,
  TestDatabases,
} from '@backstage/backend-test-utils';
import { createBackendModule } from '@backstage/backend-plugin-api';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { scaffolderServiceMock } from '@backstage/plugin-scaffolder-node/testUtils';
import { gpuUsageMeterExtensionPoint } from '@gpuaas/backstage-plugin-gpu-node';
import request from 'supertest';
import { migrate } from '../database/migrate';
import { gpuPlugin } from '../plugin';

jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

const MINE = 'group:default/team-07';
const THEIRS = 'group:default/secret-team';
const TASK = 'b9d2c0de-0000-4000-8000-000000000001';
const REPO = 'forge.example?owner=platform&repo=gpu-fleet';
const stamp = '2026-11-02T10:00:00Z';

const config = {
  permission: { enabled: true },
  integrations: {
    gitea: [{ host: 'forge.example', baseUrl: 'http://127.0.0.1:1' }],
  },
  kubernetes: {
    clusterLocatorMethods: [
      {
        type: 'config',
        clusters: [
          {
            name: 'spoke-a',
            url: 'http://127.0.0.1:1',
            authProvider: 'serviceAccount',
            serviceAccountToken: 'token',
          },
        ],
      },
    ],
  },
  gpu: {
    clusters: { 'spoke-a': { role: 'spoke', gitops: { repoUrl: REPO } } },
  },
};

/** As packages/backend's policy decides for a member of team-07. */
function decisionFor(permission: { name: string; resourceType?: string }) {
  if (permission.name === 'gpu.queue.use') {
    return { result: AuthorizeResult.DENY };
  }
  const resourceType = permission.resourceType!;
  const rule = (name: string, params: object) => ({
    resourceType,
    rule: name,
    params,
  });
  const team = rule('IS_TEAM_MEMBER', { teams: [MINE] });
  return {
    result: AuthorizeResult.CONDITIONAL,
    pluginId: 'gpu',
    resourceType,
    conditions:
      resourceType === 'gpu-queue'
        ? team
        : {
            anyOf: [
              team,
              rule('IS_REQUESTER', { requesters: ['user:default/mock'] }),
            ],
          },
  };
}

describe.each(databases.eachSupportedId())(
  "another team's things on %s",
  databaseId => {
    let server: Parameters<typeof request>[0];
    let stop: () => Promise<unknown>;
    const entry = { success: jest.fn(), fail: jest.fn() };

    beforeAll(async () => {
      const knex = await databases.init(databaseId);
      await migrate(knex);
      await knex('gpu_leases').insert(
        ['cluster:spoke-a', 'ledger-completion', 'forge-poller'].map(name => ({
          name,
          holder: 'another replica',
          token: 1,
          expires_at: Date.now() + 3_600_000,
        })),
      );
      const now = new Date().toISOString();
      await knex('clusters').insert({
        name: 'spoke-a',
        state: 'unreachable',
        since: now,
        fresh_at: now,
      });
      await knex('local_queues').insert({
        cluster: 'spoke-a',
        namespace: 'secret-ns',
        queue: 'gpu',
        team: THEIRS,
        data: JSON.stringify({
          cluster: 'spoke-a',
          namespace: 'secret-ns',
          name: 'gpu',
          clusterQueue: 'secret-queue',
          owner: THEIRS,
          active: true,
          priorityClasses: [],
          pendingWorkloads: 3,
          admittedWorkloads: 4,
          quotas: [],
        }),
      });
      await knex('workloads').insert({
        uid: 'secret-uid',
        cluster: 'spoke-a',
        namespace: 'secret-ns',
        name: 'secret-job',
        queue: 'gpu',
        team: THEIRS,
        phase: 'admitted',
        priority: 0,
        request_id: 'secret-request',
        entity: 'component:default/secret',
        requester: 'user:default/enzo',
        created_at: stamp,
        evictions: 0,
        object: '{"metadata":{}}',
      });
      await knex('requests').insert({
        id: 'secret-request',
        name: 'secret-job',
        requester: 'user:default/enzo',
        entity: 'component:default/secret',
        team: THEIRS,
        cluster: 'spoke-a',
        namespace: 'secret-ns',
        queue: 'gpu',
        kind: 'batch',
        device_class: 'h100',
        flavor: 'train',
        units: 1,
        repo_url: REPO,
        branch: 'main',
        path: 'clusters/spoke-a/secret-ns/secret-job.yaml',
        digest: '',
        state: 'running',
        created_at: stamp,
        updated_at: stamp,
      });
      await knex('ledger_intervals').insert({
        cluster: 'spoke-a',
        workload_uid: 'secret-uid',
        pod_set: 'main',
        flavor: 'train',
        resource: 'nvidia.com/gpu',
        kind: 'allocated',
        opened_at: 1_780_000_000,
        confidence: 'measured',
        units: 1,
        share_nano: 1_000_000_000,
        workload_name: 'secret-job',
        namespace: 'secret-ns',
        team: THEIRS,
        request_id: 'secret-request',
        entity: 'component:default/secret',
        requester: 'user:default/enzo',
      });
      const permissions = mockServices.permissions.mock({
        authorize: async all =>
          all.map(() => ({ result: AuthorizeResult.ALLOW })),
        authorizeConditional: async all =>
          all.map(({ permission }) => decisionFor(permission as any) as any),
      });
      const auditor = mockServices.auditor.mock();
      auditor.createEvent.mockResolvedValue(entry as any);
      const scaffolder = scaffolderServiceMock.mock();
      scaffolder.getTask.mockResolvedValue({
        id: TASK,
        status: 'processing',
        createdAt: stamp,
        spec: { user: { ref: 'user:default/mock' }, steps: [] },
      } as any);
      const backend = await startTestBackend({
        features: [
          gpuPlugin,
          createBackendModule({
            pluginId: 'gpu',
            moduleId: 'meter',
            register: env =>
              env.registerInit({
                deps: { meters: gpuUsageMeterExtensionPoint },
                init: async ({ meters }) =>
                  meters.setUsageMeter({
                    name: 'none',
                    onWorkloads: async () => {},
                  }),
              }),
          }),
          mockServices.rootConfig.factory({ data: config }),
          mockServices.database.mock({ getClient: async () => knex }).factory,
          permissions.factory,
          mockServices.userInfo.mock({
            getUserInfo: async () => ({
              userEntityRef: 'user:default/mock',
              ownershipEntityRefs: ['user:default/mock', MINE],
            }),
          }).factory,
          auditor.factory,
          mockServices.events.factory(),
          scaffolder.factory,
        ],
      });
      server = backend.server;
      stop = () => backend.stop();
    });

    beforeEach(() => {
      jest.clearAllMocks();
    });

    afterAll(async () => {
      await stop?.();
    });

    const filters = [
      '',
      'cluster=spoke-a',
      `team=${THEIRS}`,
      `owner=${THEIRS}`,
      'namespace=secret-ns',
      'queue=gpu',
      'entity=component:default/secret',
      'requestId=secret-request',
      'workload=secret-uid',
      'phase=admitted',
      'state=running',
      'limit=1',
      'mine=true',
    ];

    it.each(
      ['queues', 'workloads', 'requests', 'intervals'].flatMap(list =>
        filters.map(filter => `/v1/${list}?${filter}`),
      ),
    )('are not in %s, nor counted', async path => {
      const { body } = await request(server).get(`/api/gpu${path}`);
      // Not every list takes every filter.
      expect(body.error?.name ?? body).toEqual(
        body.error ? 'InputError' : { items: [], totalItems: 0 },
      );
      expect(JSON.stringify(body)).not.toMatch(/secret-(job|queue)/);
    });

    it.each([
      ['/v1/workloads/spoke-a/secret-uid', '/v1/workloads/spoke-a/none'],
      ['/v1/requests/secret-request', '/v1/requests/none'],
      [
        '/v1/device-classes?namespace=secret-ns&queue=gpu',
        '/v1/device-classes?namespace=none&queue=gpu',
      ],
    ])('%s answers as if there were no such thing', async (there, nowhere) => {
      const answers = await Promise.all(
        [there, nowhere].map(path => request(server).get(`/api/gpu${path}`)),
      );
      const [one, other] = answers.map(({ status, body }) => [
        status,
        body.error.message.replace(/"[^"]*"/g, '…'),
      ]);
      expect(one).toEqual(other);
    });

    it('are not in the summary of their entity', async () => {
      const { body } = await request(server).get(
        '/api/gpu/v1/entities/component/default/secret/summary',
      );
      expect(body).toMatchObject({
        requests: { active: 0, waiting: 0, running: 0, ended: 0 },
        gpusNowNano: 0,
        gpuNanoSeconds: '0',
        latest: [],
      });
    });

    it('cannot be asked for, nor asked about, and the attempt is on record', async () => {
      const fit = await request(server).post('/api/gpu/v1/fit').send({
        namespace: 'secret-ns',
        queue: 'gpu',
        count: 1,
        deviceClass: 'x',
      });
      expect(fit.status).toBe(403);
      const put = await request(server)
        .put(`/api/gpu/v1/requests/${TASK}`)
        .send({
          entity: 'component:default/mine',
          cluster: 'spoke-a',
          namespace: 'secret-ns',
          queue: 'gpu',
          kind: 'batch',
          name: 'secret-job',
          deviceClass: 'h100',
          flavor: 'train',
          units: 1,
          file: {
            repoUrl: REPO,
            branch: 'main',
            path: 'clusters/spoke-a/secret-ns/secret-job.yaml',
            digest: `sha256:${'0'.repeat(64)}`,
          },
        });
      expect(put.status).toBe(403);
      expect(entry.fail).toHaveBeenCalledTimes(2);
      expect(entry.success).not.toHaveBeenCalled();
    });
  },
);
