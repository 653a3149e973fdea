import { file, folder, job, TestGitOps } from './testGitOps';

const saying = (message: string | RegExp) =>
  typeof message === 'string' ? message : expect.stringMatching(message);

describe('the GitOps sync', () => {
  let world: TestGitOps;
  beforeEach(async () => {
    world = await TestGitOps.start();
  });
  afterEach(() => world.stop());

  it('reports an empty folder as synced, healthy and never operated on', async () => {
    const status = await world.appWhere('team-01', ({ sync }) => sync);
    expect(status).toMatchObject({
      sync: {
        status: 'Synced',
        revision: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
      health: { status: 'Healthy' },
      resources: [],
    });
    expect(status.operationState).toBeUndefined();
    expect(world.app('team-01').spec).toMatchObject({
      project: 'team-01',
      source: { path: 'clusters/spoke-a/team-01', targetRevision: 'main' },
      destination: { name: 'spoke-a', namespace: 'team-01' },
      syncPolicy: { automated: { prune: true } },
    });
  });

  it('applies what is merged, follows its health, and prunes what is removed', async () => {
    await world.appWhere('team-02', ({ sync }) => sync);
    const revision = await world.commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    const status = await world.appWhere('team-01', ({ history }) => history);
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
    const live = world.spoke.store.get('Job', 'one', 'team-01')!;
    expect(live.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/tracking-id': 'spoke-a-team-01:batch/Job:team-01/one',
    });
    expect(world.app('team-02').status.sync.revision).not.toBe(revision);

    const setStatus = (conditions: object[]) =>
      world.spoke.store.modify(
        'Job',
        'one',
        'team-01',
        object => {
          object.status = { conditions };
        },
        { subresource: 'status' },
      );
    setStatus([{ type: 'Suspended', status: 'True' }]);
    await world.appWhere(
      'team-01',
      ({ health }) => health.status === 'Suspended',
    );
    setStatus([{ type: 'Failed', status: 'True' }]);
    await world.appWhere(
      'team-01',
      ({ health }) => health.status === 'Degraded',
    );

    await world.commit([file('delete', `${folder('team-01')}/one.yaml`)]);
    const pruned = await world.appWhere('team-01', ({ history }) => history[1]);
    expect(pruned.operationState.syncResult.resources).toMatchObject([
      { name: 'one', status: 'Pruned', message: 'pruned' },
    ]);
  });

  it("gives a refusal in the API server's words, tries again, and lets others be", async () => {
    const bad: any = job('bad');
    bad.spec.template.spec.restartPolicy = 'Always';
    await world.commit([
      file('create', `${folder('team-01')}/bad.yaml`, bad),
      file('create', `${folder('team-01')}/good.yaml`, job('good')),
      file(
        'create',
        `${folder('team-02')}/other.yaml`,
        JSON.parse(JSON.stringify(job('other')).replace('team-01', 'team-02')),
      ),
    ]);
    const status = await world.appWhere(
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
    await world.appWhere('team-02', ({ history }) => history);
    expect(world.spoke.store.get('Job', 'other', 'team-02')).toBeDefined();

    await world.commit([
      file('update', `${folder('team-01')}/bad.yaml`, job('bad')),
    ]);
    const mended = await world.appWhere(
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
    await world.commit([
      file('create', `${folder('team-01')}/x.yaml`, content),
    ]);
    const status = await world.appWhere(
      'team-01',
      ({ conditions }) => conditions,
    );
    expect(status.conditions).toMatchObject([
      { type: 'ComparisonError', message: expect.stringMatching(message) },
    ]);
    expect(status.sync.status).toBe('Unknown');
    await world.commit([file('delete', `${folder('team-01')}/x.yaml`)]);
    await world.appWhere(
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
    await world.commit([
      file('create', `${folder('team-01')}/x.yaml`, manifest),
    ]);
    const status = await world.appWhere(
      'team-01',
      ({ operationState }) => operationState,
    );
    expect(status.operationState.syncResult.resources[0].message).toEqual(
      saying(message),
    );
    expect(world.spoke.store.get('Job', 'x', 'team-02')).toBeUndefined();
  });

  it('says when a namespace or the folder is missing', async () => {
    await world.commit([
      file('create', `${folder('team-03')}/one.yaml`, {
        ...job('one'),
        metadata: { name: 'one' },
      }),
      file('delete', `${folder('team-02')}/.gitkeep`),
    ]);
    await world.appWhere('team-03', ({ operationState }) =>
      operationState?.message.includes('namespaces "team-03" not found'),
    );
    const other = await world.appWhere(
      'team-02',
      ({ conditions }) => conditions,
    );
    expect(other.conditions[0].message).toContain('app path does not exist');
  });

  it('does not bring back after a restart what somebody deleted on the cluster', async () => {
    await world.commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    await world.appWhere('team-01', ({ history }) => history);
    await world.commit([
      file('create', `${folder('team-02')}/README.md`, 'nothing here'),
    ]);
    world.spoke.store.delete('Job', 'one', 'team-01', {
      propagationPolicy: 'Background',
    });
    await world.appWhere('team-01', ({ sync }) => sync.status === 'OutOfSync');
    await world.gitops.close();
    await world.startSync();
    await world.commit([
      file('create', `${folder('team-02')}/two.yaml`, {
        ...job('two'),
        metadata: { name: 'two' },
      }),
    ]);
    await world.appWhere('team-02', ({ history }) => history);
    expect(world.spoke.store.get('Job', 'one', 'team-01')).toBeUndefined();
    expect(world.app('team-01').status.history).toHaveLength(1);
  });
});
