import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { Knex } from 'knex';
import { Leases } from '../database/leases';
import { migrate } from '../database/migrate';
import { FakeForge } from './__testUtils__/fakeForge';
import {
  at,
  MANIFEST,
  origin,
  registration,
  REPO_URL,
} from './__testUtils__/requestFixtures';
import { DatabaseRequestStore } from './databaseRequestStore';
import { ForgePoller } from './forgePoller';

const databases = TestDatabases.create({
  ids: ['SQLITE_3'],
  disableDocker: true,
});

describe('ForgePoller', () => {
  let knex: Knex;
  let store: DatabaseRequestStore;
  let forge: FakeForge;
  let poller: ForgePoller;
  let now = 0;
  const logger = mockServices.logger.mock();
  const path = registration().file.path;

  beforeEach(async () => {
    knex = await databases.init('SQLITE_3');
    await migrate(knex);
    store = new DatabaseRequestStore(knex);
    forge = new FakeForge();
    now = 1_000_000;
    poller = new ForgePoller({
      store,
      leases: new Leases(knex, 'me', 10_000),
      forgeOf: () => forge,
      logger,
      now: () => now,
    });
    await forge.openOrUpdateRequest({
      branch: 'gpu/tune',
      target: 'main',
      title: 'GPUs',
      body: '',
    });
    await store.register(
      'r1',
      {
        ...registration(),
        pullRequest: { ...registration().pullRequest!, number: 1 },
      },
      origin,
    );
  });

  it('follows a pull request until it is merged, and then asks no more', async () => {
    await poller.round();
    expect(await store.get('r1')).toMatchObject({ state: 'in-review' });

    forge.branches.get('main')!.set(path, MANIFEST);
    forge.merge(1, at(20));
    await poller.round();
    expect(await store.get('r1')).toMatchObject({
      state: 'merged',
      pullRequest: { mergedBy: 'pavel', mergedAt: at(20) },
    });
    expect(await store.row('r1')).toMatchObject({ fileCheck: 'same' });
    expect((await store.get('r1'))?.steps[1]).toMatchObject({
      name: 'Authorised',
      at: at(20),
      source: 'gitea',
      actor: 'pavel',
    });

    const { calls } = forge;
    await poller.round();
    expect(forge.calls).toBe(calls);
  });

  it.each([
    ['changed in review', 'kind: Job # bigger\n'],
    ['not there', undefined],
  ])('notes a merged file that is %s', async (_, content) => {
    if (content) {
      forge.branches.get('main')!.set(path, content);
    }
    forge.merge(1, at(20));
    await poller.round();
    expect(await store.row('r1')).toMatchObject({ fileCheck: 'changed' });
  });

  it('sees a refusal', async () => {
    forge.requests[0].state = 'closed';
    await poller.round();
    expect(await store.get('r1')).toMatchObject({ state: 'rejected' });
  });

  it('asks a forge that is down ever less often, and says since when', async () => {
    forge.down = new Error('forge.example: connection refused');
    let asked = 0;
    for (let second = 0; second < 120; second += 1) {
      now += 1000;
      const { calls } = forge;
      await poller.round();
      asked += forge.calls > calls ? 1 : 0;
    }
    // Failures at 1 s, then after 4, 8, 16, 32 and 60 s.
    expect(asked).toBe(5);
    expect(await store.get('r1')).toMatchObject({
      state: 'in-review',
      fresh: false,
      staleReason: expect.stringMatching(/connection refused/),
    });
    forge.down = undefined;
    now += 60_000;
    await poller.round();
    expect(await store.get('r1')).toMatchObject({ fresh: true });
  });

  it('costs nobody else when one repository has no client', async () => {
    const other = new ForgePoller({
      store,
      leases: new Leases(knex, 'me', 10_000),
      forgeOf: repoUrl => {
        if (repoUrl !== REPO_URL) {
          throw new Error(`no integration for ${repoUrl}`);
        }
        return forge;
      },
      logger,
    });
    await knex('requests').insert({
      ...(await knex('requests').where({ id: 'r1' }).first()),
      id: 'r2',
      name: 'other',
      repo_url: 'elsewhere.example?owner=a&repo=b',
    });
    forge.requests[0].state = 'closed';
    await other.round();
    expect(await store.get('r1')).toMatchObject({ state: 'rejected' });
    expect(await store.get('r2')).toMatchObject({
      fresh: false,
      staleReason: expect.stringMatching(/no integration/),
    });
  });
});
