import { file, folder, job, TestGitOps } from './testGitOps';

describe('the GitOps sync, when others fail', () => {
  let world: TestGitOps;
  beforeEach(async () => {
    world = await TestGitOps.start();
  });
  afterEach(() => world.stop());

  it('survives a forge that is away, and catches up', async () => {
    await world.appWhere('team-01', ({ sync }) => sync);
    world.forge.faults.add({ status: 500, path: 'info/refs' });
    const status = await world.appWhere(
      'team-01',
      ({ conditions }) => conditions,
    );
    expect(status.conditions[0]).toMatchObject({
      type: 'ComparisonError',
      message: expect.stringContaining('500'),
    });
    const revision = await world.commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    world.forge.faults.clear();
    const after = await world.appWhere('team-01', ({ history }) => history);
    expect(after).toMatchObject({ sync: { status: 'Synced', revision } });
    expect(after.conditions).toBeUndefined();
  });

  it.each([
    ['away', { refuse: true }, 'Failed to load live state'],
    ['refusing its token', { unauthorized: true }, 'Unauthorized'],
  ])('reports a cluster that is %s, and goes on', async (_name, fault, why) => {
    await world.appWhere('team-01', ({ sync }) => sync);
    world.spoke.server.inject(fault);
    const revision = await world.commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    const status = await world.appWhere(
      'team-01',
      ({ conditions }) => conditions,
    );
    expect(status.conditions[0]).toMatchObject({
      type: 'ComparisonError',
      message: expect.stringContaining(why),
    });
    expect(status.sync.status).toBe('Unknown');
    world.spoke.server.faults.clear();
    const after = await world.appWhere('team-01', ({ history }) => history);
    expect(after).toMatchObject({ sync: { status: 'Synced', revision } });
  });

  it('misses nothing when its watch breaks and history is gone', async () => {
    await world.commit([
      file('create', `${folder('team-01')}/one.yaml`, job('one')),
    ]);
    await world.appWhere('team-01', ({ history }) => history);
    world.spoke.server.inject({ cutWatches: true, compact: true });
    world.spoke.store.modify(
      'Job',
      'one',
      'team-01',
      object => {
        object.status = { conditions: [{ type: 'Failed', status: 'True' }] };
      },
      { subresource: 'status' },
    );
    const status = await world.appWhere(
      'team-01',
      ({ health }) => health.status !== 'Progressing',
    );
    expect(status.health.status).toBe('Degraded');
  });
});
