import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import {
  ApiServer,
  createApiServer,
  createStore,
  KubernetesObject,
  masterUser,
  MemoryStore,
} from '../apiserver';
import { wallClock } from '../clock';
import { changeFiles, FileOperation } from '../forge/changeFiles';
import { HostedRepository } from '../forge/hostedRepository';
import { Forge, startForge } from '../forge/startForge';
import { testAccounts, testTokens } from '../forge/testForge';
import { GitOps, startGitOps } from './startGitOps';

const folder = (namespace: string) => `clusters/spoke-a/${namespace}`;

function job(name: string, extra: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'team-01', labels: { a: 'b' } },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'main',
              image: 'busybox',
              command: ['sleep', '5'],
              resources: { requests: { cpu: 1 }, limits: { cpu: 1 } },
            },
          ],
        },
      },
    },
    ...extra,
  };
}

const saying = (message: string | RegExp) =>
  typeof message === 'string' ? message : expect.stringMatching(message);

async function until<T>(probe: () => T | undefined | false): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    const value = probe();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error('it did not happen within 10 s');
    }
    await new Promise(resolve => {
      setTimeout(resolve, 10);
    });
  }
}

describe('the GitOps sync', () => {
  let dataDir: string;
  let forge: Forge;
  let repository: HostedRepository;
  let hub: { store: MemoryStore; server: ApiServer };
  let spoke: { store: MemoryStore; server: ApiServer };
  let gitops: GitOps;

  const cluster = async () => {
    const store = createStore();
    const tokens = new Map([['t', masterUser('argocd')]]);
    return { store, server: await createApiServer({ store, tokens }) };
  };
  const start = async () => {
    gitops = await startGitOps({
      dataDir: join(dataDir, 'gitops'),
      clock: wallClock,
      repository: {
        url: `${forge.url}/platform/gpu-fleet.git`,
        branch: 'main',
        token: 't-argocd',
      },
      hub: { url: hub.server.url, token: 't' },
      spokes: { 'spoke-a': { url: spoke.server.url, token: 't' } },
      namespaces: ['team-01', 'team-02', 'team-03'],
      pollInterval: 200,
      retryAfter: 20,
    });
    forge.onPush(() => gitops.refresh());
  };
  const app = (namespace: string) =>
    hub.store.get('Application', `spoke-a-${namespace}`, 'argocd')!;
  const appWhere = (
    namespace: string,
    holds: (status: any, object: KubernetesObject) => unknown,
  ) =>
    until(() => {
      const object = app(namespace);
      return object?.status && holds(object.status, object) && object.status;
    });
  const commit = async (files: FileOperation[]) => {
    const pavel = testAccounts.find(({ login }) => login === 'pavel')!;
    const made = await changeFiles(
      repository,
      pavel,
      { message: 'Change' },
      files,
    );
    return made.commit;
  };
  const file = (
    operation: string,
    path: string,
    content: object | string = '',
  ): FileOperation => ({
    operation,
    path,
    content: Buffer.from(
      typeof content === 'string' ? content : stringify(content),
    ).toString('base64'),
  });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gitops-test-'));
    [hub, spoke] = await Promise.all([cluster(), cluster()]);
    for (const { store } of [hub, spoke]) {
      for (const name of ['argocd', 'team-01', 'team-02']) {
        store.create({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name },
        });
      }
    }
    forge = await startForge({
      dataDir: join(dataDir, 'forge'),
      port: 0,
      host: '127.0.0.1',
      clock: wallClock,
      people: testAccounts,
      tokens: testTokens,
    });
    repository = await forge.repository({
      owner: 'platform',
      name: 'gpu-fleet',
      defaultBranch: 'main',
      files: {
        [`${folder('team-01')}/.gitkeep`]: '',
        [`${folder('team-02')}/.gitkeep`]: '',
      },
      requiredApprovals: 0,
    });
    await start();
  });
  afterEach(async () => {
    await gitops.close();
    await forge.close();
    await Promise.all([hub.server.close(), spoke.server.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('reports an empty folder as synced, healthy and never operated on', async () => {
    const status = await appWhere('team-01', ({ sync }) => sync);
    expect(status).toMatchObject({
      sync: {
        status: 'Synced',
        revision: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
      health: { status: 'Healthy' },
      resources: [],
    });
    expect(status.operationState).toBeUndefined();
    expect(app('team-01').spec).toMatchObject({
      project: 'team-01',
      source: { path: 'clusters/spoke-a/team-01', targetRevision: 'main' },
      destination: { name: 'spoke-a', namespace: 'team-01' },
      syncPolicy: { automated: { prune: true } },
    });
  });

  it('applies what is merged, follows its health, and prunes what is removed', async () => {
    await appWhere('team-02', ({ sync }) => sync);
    const revision = await commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    const status = await appWhere('team-01', ({ history }) => history);
    expect(status).toMatchObject({
      sync: { status: 'Synced', revision },
      operationState: {
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        operation: { initiatedBy: { automated: true }, sync: { revision } },
        syncResult: {
          revision,
          resources: [
            {
              group: 'batch',
              version: 'v1',
              kind: 'Job',
              namespace: 'team-01',
              name: 'one',
              status: 'Synced',
              message: 'job.batch/one created',
            },
          ],
        },
      },
      history: [{ id: 0, revision, initiatedBy: { automated: true } }],
      resources: [{ kind: 'Job', name: 'one', status: 'Synced' }],
    });
    const live = spoke.store.get('Job', 'one', 'team-01')!;
    expect(live.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/tracking-id': 'spoke-a-team-01:batch/Job:team-01/one',
    });
    expect(app('team-02').status.sync.revision).not.toBe(revision);

    const setStatus = (conditions: object[]) =>
      spoke.store.modify(
        'Job',
        'one',
        'team-01',
        object => {
          object.status = { conditions };
        },
        { subresource: 'status' },
      );
    setStatus([{ type: 'Suspended', status: 'True' }]);
    await appWhere('team-01', ({ health }) => health.status === 'Suspended');
    setStatus([{ type: 'Failed', status: 'True' }]);
    await appWhere('team-01', ({ health }) => health.status === 'Degraded');

    await commit([file('delete', `${folder('team-01')}/one.yaml`)]);
    const pruned = await appWhere('team-01', ({ history }) => history[1]);
    expect(pruned.operationState.syncResult.resources).toMatchObject([
      { name: 'one', status: 'Pruned', message: 'pruned' },
    ]);
  });

  it("gives a refusal in the API server's words, tries again, and lets others be", async () => {
    const bad: any = job('bad');
    bad.spec.template.spec.restartPolicy = 'Always';
    await commit([
      file('create', `${folder('team-01')}/bad.yaml`, bad),
      file('create', `${folder('team-01')}/good.yaml`, job('good')),
      file(
        'create',
        `${folder('team-02')}/other.yaml`,
        JSON.parse(JSON.stringify(job('other')).replace('team-01', 'team-02')),
      ),
    ]);
    const status = await appWhere(
      'team-01',
      ({ operationState }) => operationState?.phase === 'Failed',
    );
    const [refused, applied] = status.operationState.syncResult.resources;
    expect(refused).toMatchObject({ name: 'bad', status: 'SyncFailed' });
    expect(refused.message).toMatch(
      /^Job.batch "bad" is invalid: spec.template.spec.restartPolicy/,
    );
    expect(applied).toMatchObject({ name: 'good', status: 'Synced' });
    expect(status.operationState).toMatchObject({
      retryCount: 5,
      message: `one or more objects failed to apply, reason: ${refused.message} (retried 5 times).`,
    });
    expect(status.conditions).toMatchObject([{ type: 'SyncError' }]);
    expect(status.sync.status).toBe('OutOfSync');
    expect(status.health.status).toBe('Missing');
    await appWhere('team-02', ({ history }) => history);
    expect(spoke.store.get('Job', 'other', 'team-02')).toBeDefined();

    await commit([file('update', `${folder('team-01')}/bad.yaml`, job('bad'))]);
    const mended = await appWhere(
      'team-01',
      ({ operationState }) => operationState.phase === 'Succeeded',
    );
    expect(mended.conditions).toBeUndefined();
    expect(mended.operationState.retryCount).toBeUndefined();
  });

  it.each([
    ['YAML that cannot be read', 'a: [', /Failed to unmarshal "x.yaml"/],
    ['no kind', 'a: 1', /Object 'Kind' is missing/],
  ])('reports %s as ComparisonError', async (_name, content, message) => {
    await commit([file('create', `${folder('team-01')}/x.yaml`, content)]);
    const status = await appWhere('team-01', ({ conditions }) => conditions);
    expect(status.conditions).toMatchObject([
      { type: 'ComparisonError', message: expect.stringMatching(message) },
    ]);
    expect(status.sync.status).toBe('Unknown');
    await commit([file('delete', `${folder('team-01')}/x.yaml`)]);
    await appWhere(
      'team-01',
      ({ sync, conditions }) => sync.status === 'Synced' && !conditions,
    );
  });

  it.each([
    [
      "another team's namespace",
      { ...job('x'), metadata: { name: 'x', namespace: 'team-02' } },
      "namespace team-02 is not permitted in project 'team-01'",
    ],
    [
      'a kind the cluster does not have',
      { apiVersion: 'x.io/v1', kind: 'Nothing', metadata: { name: 'x' } },
      /^The Kubernetes API could not find x.io\/Nothing/,
    ],
    [
      'a cluster-wide kind',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } },
      'resource :Namespace is not permitted in project team-01',
    ],
  ])('refuses %s', async (_name, manifest, message) => {
    await commit([file('create', `${folder('team-01')}/x.yaml`, manifest)]);
    const status = await appWhere(
      'team-01',
      ({ operationState }) => operationState,
    );
    expect(status.operationState.syncResult.resources[0].message).toEqual(
      saying(message),
    );
    expect(spoke.store.get('Job', 'x', 'team-02')).toBeUndefined();
  });

  it('says when a namespace or the folder is missing', async () => {
    await commit([
      file('create', `${folder('team-03')}/one.yaml`, {
        ...job('one'),
        metadata: { name: 'one' },
      }),
      file('delete', `${folder('team-02')}/.gitkeep`),
    ]);
    await appWhere('team-03', ({ operationState }) =>
      operationState?.message.includes('namespaces "team-03" not found'),
    );
    const other = await appWhere('team-02', ({ conditions }) => conditions);
    expect(other.conditions[0].message).toContain('app path does not exist');
  });

  it('survives a forge that is away, and catches up', async () => {
    await appWhere('team-01', ({ sync }) => sync);
    forge.faults.add({ status: 500, path: 'info/refs' });
    const status = await appWhere('team-01', ({ conditions }) => conditions);
    expect(status.conditions[0]).toMatchObject({
      type: 'ComparisonError',
      message: expect.stringContaining('500'),
    });
    const revision = await commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    forge.faults.clear();
    const after = await appWhere('team-01', ({ history }) => history);
    expect(after).toMatchObject({ sync: { status: 'Synced', revision } });
    expect(after.conditions).toBeUndefined();
  });

  it.each([
    ['away', { refuse: true }, 'Failed to load live state'],
    ['refusing its token', { unauthorized: true }, 'Unauthorized'],
  ])('reports a cluster that is %s, and goes on', async (_name, fault, why) => {
    await appWhere('team-01', ({ sync }) => sync);
    spoke.server.inject(fault);
    const revision = await commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    const status = await appWhere('team-01', ({ conditions }) => conditions);
    expect(status.conditions[0]).toMatchObject({
      type: 'ComparisonError',
      message: expect.stringContaining(why),
    });
    expect(status.sync.status).toBe('Unknown');
    spoke.server.faults.clear();
    const after = await appWhere('team-01', ({ history }) => history);
    expect(after).toMatchObject({ sync: { status: 'Synced', revision } });
  });

  it('misses nothing when its watch breaks and history is gone', async () => {
    await commit([file('create', `${folder('team-01')}/one.yaml`, job('one'))]);
    await appWhere('team-01', ({ history }) => history);
    spoke.server.inject({ cutWatches: true, compact: true });
    spoke.store.modify(
      'Job',
      'one',
      'team-01',
      object => {
        object.status = { conditions: [{ type: 'Failed', status: 'True' }] };
      },
      { subresource: 'status' },
    );
    const status = await appWhere(
      'team-01',
      ({ health }) => health.status !== 'Progressing',
    );
    expect(status.health.status).toBe('Degraded');
  });

  it('does not bring back after a restart what somebody deleted on the cluster', async () => {
    await commit([file('create', `${folder('team-01')}/one.yaml`, job('one'))]);
    await appWhere('team-01', ({ history }) => history);
    await commit([
      file('create', `${folder('team-02')}/README.md`, 'nothing here'),
    ]);
    spoke.store.delete('Job', 'one', 'team-01', {
      propagationPolicy: 'Background',
    });
    await appWhere('team-01', ({ sync }) => sync.status === 'OutOfSync');
    await gitops.close();
    await start();
    await commit([
      file('create', `${folder('team-02')}/two.yaml`, {
        ...job('two'),
        metadata: { name: 'two' },
      }),
    ]);
    await appWhere('team-02', ({ history }) => history);
    expect(spoke.store.get('Job', 'one', 'team-01')).toBeUndefined();
    expect(app('team-01').status.history).toHaveLength(1);
  });
});
