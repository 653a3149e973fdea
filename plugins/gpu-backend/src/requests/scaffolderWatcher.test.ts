import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { migrate } from '../database/migrate';
import { origin, registration } from './__testUtils__/requestFixtures';
import { DatabaseRequestStore } from './databaseRequestStore';
import { taskFacts } from './scaffolderTask';
import { ScaffolderWatcher } from './scaffolderWatcher';
import { TaskStore } from './taskStore';

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

const spec = {
  user: { ref: 'user:default/mira' },
  steps: [{ action: 'gpu:quota:check' }, { action: 'gpu:job:render' }],
};

describe.each(databases.eachSupportedId())('ScaffolderWatcher on %s', id => {
  it('learns from events and from the list, in any order', async () => {
    const knex = await databases.init(id);
    await migrate(knex);
    const store = new DatabaseRequestStore(knex);
    const tasks = new TaskStore(knex);
    const listTasks = jest.fn();
    const watcher = new ScaffolderWatcher({
      tasks,
      store,
      events: mockServices.events.mock(),
      scaffolder: { listTasks },
      auth: mockServices.auth(),
      scheduler: mockServices.scheduler.mock(),
      logger: mockServices.logger.mock(),
    });

    await watcher.onEvent({ id: 't1', status: 'open', spec });
    await watcher.onEvent({
      id: 'other',
      status: 'open',
      spec: { ...spec, steps: [{ action: 'publish:gitea' }] },
    });
    expect(await tasks.get('other')).toBeUndefined();
    expect(await tasks.get('t1')).toEqual({
      id: 't1',
      status: 'open',
      createdBy: 'user:default/mira',
      createdAt: undefined,
    });

    await store.register(
      't1',
      { ...registration(), pullRequest: undefined },
      origin,
    );
    expect((await store.get('t1'))?.state).toBe('submitted');
    // Without a spec, as the Scaffolder tells the end.
    await watcher.onEvent({ id: 't1', status: 'failed' });
    expect((await store.get('t1'))?.state).toBe('failed');
    // A cancellation names the task in another field.
    await watcher.onEvent({ id: '17', taskId: 't1', status: 'cancelled' });
    expect((await tasks.get('t1'))?.status).toBe('cancelled');

    // A retry whose event was lost.
    listTasks.mockResolvedValue({
      items: [
        { id: 't1', status: 'processing', spec, createdAt: origin.createdAt },
        { id: 'other', status: 'completed', spec: { steps: [] } },
      ],
    });
    await watcher.reconcile();
    expect((await store.get('t1'))?.state).toBe('submitted');
    expect(await tasks.get('t1')).toMatchObject({
      createdAt: origin.createdAt,
      createdBy: 'user:default/mira',
    });
  });
});

describe('taskFacts', () => {
  it.each([
    ['2026-11-02 10:00:00', '2026-11-02T10:00:00.000Z'],
    ['2026-11-02T10:00:00.000Z', '2026-11-02T10:00:00.000Z'],
    ['2026-11-02T12:00:00.000+02:00', '2026-11-02T10:00:00.000Z'],
    [new Date('2026-11-02T10:00:00Z'), '2026-11-02T10:00:00.000Z'],
    ['yesterday', undefined],
    [undefined, undefined],
  ])('reads the stamp %p', (createdAt, expected) => {
    expect(taskFacts({ id: 't', status: 'open', createdAt }).createdAt).toBe(
      expected,
    );
  });
});
