import {
  mockCredentials,
  mockServices,
  startTestBackend,
  TestDatabases,
} from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { scaffolderServiceMock } from '@backstage/plugin-scaffolder-node/testUtils';
import { openApi, Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { Knex } from 'knex';
import request from 'supertest';
import { migrate } from './database/migrate';
import { gpuPlugin } from './plugin';
import { answersTo } from './router/__testUtils__/contractCheck';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const REPO = 'forge.example?owner=platform&repo=gpu-fleet';
const TASK = 'b9d2c0de-0000-4000-8000-000000000001';

const UNKNOWN = 'b9d2c0de-0000-4000-8000-00000000ffff';

const registration = {
  purpose: 'fine-tune',
  entity: 'component:default/llm-finetune',
  cluster: 'spoke-a',
  namespace: 'team-07',
  queue: 'gpu',
  kind: 'batch',
  name: 'tune-1a2b3c4d',
  deviceClass: 'nvidia-h100-80gb-hbm3',
  flavor: 'train',
  units: 2,
  file: {
    repoUrl: REPO,
    branch: 'main',
    path: 'clusters/spoke-a/team-07/tune-1a2b3c4d.yaml',
    digest: DIGEST,
  },
};

const queue: Omit<Queue, 'freshAt'> = {
  cluster: 'spoke-a',
  namespace: 'team-07',
  name: 'gpu',
  clusterQueue: 'team-07',
  owner: 'group:default/team-07',
  active: true,
  priorityClasses: [{ name: 'normal', value: 500 }],
  pendingWorkloads: 0,
  admittedWorkloads: 0,
  quotas: [],
};

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
            skipTLSVerify: true,
          },
        ],
      },
    ],
  },
  gpu: {
    clusters: {
      'spoke-a': {
        role: 'spoke',
        title: 'Spoke A',
        gitops: { repoUrl: REPO },
      },
    },
  },
};

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

describe.each(databases.eachSupportedId())('gpu backend on %s', databaseId => {
  let knex: Knex;
  let server: Parameters<typeof request>[0];
  let stop: () => Promise<unknown>;
  const permissions = mockServices.permissions.mock();
  const userInfo = mockServices.userInfo.mock();
  const auditor = mockServices.auditor.mock();
  const entry = { success: jest.fn(), fail: jest.fn() };
  const scaffolder = scaffolderServiceMock.mock();

  beforeAll(async () => {
    knex = await databases.init(databaseId);
    await migrate(knex);
    // Held by another: the picture below stays as it is.
    await knex('gpu_leases').insert({
      name: 'cluster:spoke-a',
      holder: 'another replica',
      token: 1,
      expires_at: Date.now() + 3_600_000,
    });
    const freshAt = new Date().toISOString();
    await knex('clusters').insert({
      name: 'spoke-a',
      state: 'unreachable',
      since: freshAt,
      fresh_at: freshAt,
      message: 'connection refused',
    });
    await knex('local_queues').insert({
      cluster: 'spoke-a',
      namespace: 'team-07',
      queue: 'gpu',
      team: queue.owner,
      data: JSON.stringify(queue),
    });
    const backend = await startTestBackend({
      features: [
        gpuPlugin,
        mockServices.rootConfig.factory({ data: config }),
        mockServices.database.mock({ getClient: async () => knex }).factory,
        permissions.factory,
        userInfo.factory,
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
    auditor.createEvent.mockResolvedValue(entry as any);
    permissions.authorize.mockResolvedValue([
      { result: AuthorizeResult.ALLOW },
    ]);
    permissions.authorizeConditional.mockResolvedValue([
      { result: AuthorizeResult.ALLOW },
    ]);
    userInfo.getUserInfo.mockResolvedValue({
      userEntityRef: 'user:default/mock',
      ownershipEntityRefs: ['user:default/mock', 'group:default/team-07'],
    });
    scaffolder.getTask.mockResolvedValue({
      id: TASK,
      status: 'processing',
      createdAt: '2026-11-02T10:00:00.000Z',
      spec: { user: { ref: 'user:default/mock' }, steps: [] },
    } as any);
  });

  afterAll(async () => {
    await stop?.();
  });

  const get = (path: string) => request(server).get(`/api/gpu${path}`);
  const put = (body: unknown, id = TASK) =>
    request(server)
      .put(`/api/gpu/v1/requests/${id}`)
      .send(body as object);

  it('shows an unreached cluster as such, never as empty', async () => {
    const { status, body } = await get('/v1/clusters');
    expect(status).toBe(200);
    answersTo('Clusters', body);
    expect(body.items).toEqual([
      expect.objectContaining({
        name: 'spoke-a',
        title: 'Spoke A',
        state: 'unreachable',
        message: 'connection refused',
      }),
    ]);
    expect(entry.success).toHaveBeenCalledTimes(1);
  });

  it('serves its contract in 3.1', async () => {
    const { body } = await get('/v1/openapi.json');
    expect(JSON.stringify(body) === JSON.stringify(openApi)).toBe(true);
  });

  it('lists queues, and those of the caller', async () => {
    const all = await get('/v1/queues?limit=1');
    answersTo('QueuePage', all.body);
    expect(all.body.items).toHaveLength(1);
    expect((await get('/v1/queues?mine=true')).body.totalItems).toBe(1);
    userInfo.getUserInfo.mockResolvedValue({
      userEntityRef: 'user:default/other',
      ownershipEntityRefs: ['group:default/team-08'],
    });
    expect((await get('/v1/queues?mine=true')).body.totalItems).toBe(0);
  });

  it('registers a request once, however often it is put', async () => {
    const first = await put(registration);
    expect(first.body).toMatchObject({
      id: TASK,
      requester: 'user:default/mock',
      team: 'group:default/team-07',
      state: 'submitted',
      createdAt: '2026-11-02T10:00:00.000Z',
      fresh: false,
    });
    answersTo('GpuRequest', first.body);
    expect(first.body.steps[0]).toEqual({
      name: 'Requested',
      at: '2026-11-02T10:00:00Z',
      source: 'Scaffolder',
      actor: 'user:default/mock',
    });
    const second = await put({
      ...registration,
      pullRequest: {
        url: 'http://forge.example/platform/gpu-fleet/pulls/7',
        number: 7,
        provider: 'gitea',
      },
    });
    expect(second.body).toMatchObject({
      state: 'in-review',
      pullRequest: { number: 7, state: 'open' },
    });
    const list = await get(
      '/v1/requests?mine=true&state=in-review&state=queued',
    );
    answersTo('GpuRequestPage', list.body);
    expect(list.body.totalItems).toBe(1);
    expect(auditor.createEvent).toHaveBeenCalledWith(
      expect.objectContaining({
        eventId: 'request-register',
        severityLevel: 'medium',
      }),
    );
  });

  it('refuses what a request cannot be, by field and value', async () => {
    const cases: Array<[object, number, RegExp]> = [
      [{ ...registration, units: 0 }, 400, /units/],
      [{ ...registration, units: 1.5 }, 400, /units/],
      [{ ...registration, name: 'Über' }, 400, /name/],
      [{ ...registration, colour: 'red' }, 400, /additional|colour/],
      [{ ...registration, cluster: 'moon' }, 400, /cluster is "moon".*spoke-a/],
      [{ ...registration, queue: 'none' }, 400, /queue is "none"/],
      [{ ...registration, purpose: 'a\u0000b' }, 400, /purpose/],
      [
        {
          ...registration,
          file: { ...registration.file, path: 'clusters/spoke-a/x/y.yaml' },
        },
        400,
        /file.path.*accepted is "clusters\/spoke-a\/team-07/,
      ],
      [
        {
          ...registration,
          file: { ...registration.file, branch: 'mira/mine' },
        },
        400,
        /file.branch is "mira\/mine"; accepted is "main"/,
      ],
      [{ ...registration, name: 'other-1a2b3c4d' }, 400, /file.path/],
      [
        {
          ...registration,
          name: 'other-1a2b3c4d',
          file: {
            ...registration.file,
            path: 'clusters/spoke-a/team-07/other-1a2b3c4d.yaml',
          },
        },
        409,
        /name is "other-1a2b3c4d"/,
      ],
    ];
    for (const [body, status, message] of cases) {
      const response = await put(body);
      expect(response.status).toBe(status);
      answersTo('Error', response.body);
      expect(response.body.error.message).toMatch(message);
    }
  });

  it('lets nobody register a task of another, nor use the queue of another team', async () => {
    userInfo.getUserInfo.mockResolvedValue({
      userEntityRef: 'user:default/other',
      ownershipEntityRefs: ['user:default/other', 'group:default/team-07'],
    });
    expect((await put(registration)).status).toBe(403);

    userInfo.getUserInfo.mockResolvedValue({
      userEntityRef: 'user:default/mock',
      ownershipEntityRefs: ['user:default/mock', 'group:default/team-08'],
    });
    permissions.authorizeConditional.mockResolvedValue([
      { result: AuthorizeResult.DENY },
    ]);
    const refused = await put(registration);
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toMatch(
      /belongs to group:default\/team-07/,
    );
    expect(entry.fail).toHaveBeenCalledTimes(2);
  });

  it('knows no task the Scaffolder does not know, and says when it cannot be asked', async () => {
    scaffolder.getTask.mockRejectedValue(
      Object.assign(new Error('gone'), { statusCode: 404 }),
    );
    expect((await put(registration, 'no-uuid')).status).toBe(400);
    expect((await put(registration, UNKNOWN)).status).toBe(404);
    scaffolder.getTask.mockRejectedValue(new Error('down'));
    expect((await put(registration, UNKNOWN)).status).toBe(503);
  });

  it('narrows lists and single resources by conditions', async () => {
    const condition = (teams: string[]) => ({
      result: AuthorizeResult.CONDITIONAL,
      pluginId: 'gpu',
      resourceType: 'gpu-request',
      conditions: {
        anyOf: [
          {
            resourceType: 'gpu-request',
            rule: 'IS_TEAM_MEMBER',
            params: { teams },
          },
          {
            not: {
              resourceType: 'gpu-request',
              rule: 'HAS_CLUSTER',
              params: { clusters: ['spoke-a'] },
            },
          },
        ],
      },
    });
    permissions.authorizeConditional.mockResolvedValue([
      condition(['group:default/team-07']) as any,
    ]);
    expect((await get('/v1/requests')).body.totalItems).toBe(1);
    expect((await get(`/v1/requests/${TASK}`)).status).toBe(200);
    permissions.authorizeConditional.mockResolvedValue([
      condition(['group:default/team-08']) as any,
    ]);
    expect((await get('/v1/requests')).body.totalItems).toBe(0);
    expect((await get(`/v1/requests/${TASK}`)).status).toBe(404);
    const summary = await get(
      '/v1/entities/component/default/llm-finetune/summary',
    );
    expect(summary.body.requests.active).toBe(0);
  });

  it('summarises an entity and leaves out what no meter measured', async () => {
    const { body } = await get(
      '/v1/entities/Component/default/LLM-finetune/summary',
    );
    answersTo('EntitySummary', body);
    expect(body).toMatchObject({
      entity: 'component:default/llm-finetune',
      requests: { active: 1, waiting: 1, running: 0, ended: 0 },
    });
    expect(body).not.toHaveProperty('gpusNowNano');
    expect(body).not.toHaveProperty('gpuNanoSeconds');
  });

  it('says that metering is not installed', async () => {
    const { status, body } = await get('/v1/intervals');
    expect(status).toBe(501);
    answersTo('Error', body);
    expect(body.error.message).toMatch(/not installed/);
  });

  it('says never for a cluster that is not there and a class nobody offers', async () => {
    const fit = (body: object) =>
      request(server).post('/api/gpu/v1/fit').send(body);
    const query = { namespace: 'team-07', queue: 'gpu', count: 1 };
    const never = await fit({ ...query, deviceClass: 'x', cluster: 'moon' });
    answersTo('FitAnswer', never.body);
    expect(never.body.reason).toBe('cluster-unknown');
    const classless = await fit({ ...query, deviceClass: 'x' });
    answersTo('FitAnswer', classless.body);
    expect(classless.body).toMatchObject({
      verdict: 'never',
      reason: 'class-not-offered',
    });
    expect((await fit(query)).status).toBe(400);
    expect((await fit({ ...query, count: -1, deviceClass: 'x' })).status).toBe(
      400,
    );
  });

  it('asks for credentials and permissions', async () => {
    const none = await get('/v1/clusters').set(
      'Authorization',
      mockCredentials.none.header(),
    );
    expect(none.status).toBe(401);
    permissions.authorize.mockResolvedValue([{ result: AuthorizeResult.DENY }]);
    expect((await get('/v1/clusters')).status).toBe(403);
    expect((await put(registration)).status).toBe(403);
  });

  it.each([
    ['delete', '/v1/clusters', 405],
    ['post', '/v1/requests/abc', 405],
    ['get', '/v1/fit', 405],
    ['get', '/v1/nothing', 404],
    ['get', '/v1/queues?limit=0', 400],
    ['get', '/v1/queues?limit=many', 400],
    ['get', '/v1/queues?cursor=abc', 400],
    ['get', '/v1/requests?cursor=WzEsMl0', 400],
    ['get', '/v1/requests?state=happy', 400],
    ['get', '/v1/workloads?phase=pending&phase=dancing', 400],
    ['get', '/v1/workloads?colour=red', 400],
    ['get', '/v1/workloads/spoke-a/none', 404],
    ['get', '/v1/requests/none', 404],
    ['get', '/v1/device-classes?queue=gpu', 400],
    ['get', '/v1/device-classes?queue=nope&namespace=team-07', 400],
    ['get', '/v1/entities/%00/a/b/summary', 400],
  ] as const)('%s %s → %i', async (method, path, status) => {
    const response = await request(server)[method](`/api/gpu${path}`);
    expect(response.status).toBe(status);
    if (status >= 400) {
      answersTo('Error', response.body);
    }
  });
});
