import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { ForgeError } from '@gpuaas/backstage-plugin-gpu-node';
import { Knex } from 'knex';
import { until } from '../clusters/__testUtils__/until';
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
    now = Date.parse(at(20)) + 1_000;
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
    ['changed in review', `${MANIFEST} # bigger\n`],
    ['not there', undefined],
  ])('notes a merged file that is %s', async (_, content) => {
    now += 600_000;
    if (content) {
      forge.branches.get('main')!.set(path, content);
    }
    forge.merge(1, at(20));
    await poller.round();
    expect(await store.row('r1')).toMatchObject({ fileCheck: 'changed' });
  });

  it('gives a forge that reads from copies time to have the file', async () => {
    forge.merge(1, at(20));
    await poller.round();
    expect(await store.get('r1')).toMatchObject({ state: 'merged' });
    expect((await store.row('r1'))?.fileCheck).toBeUndefined();
    forge.branches.get('main')!.set(path, MANIFEST);
    await poller.round();
    expect(await store.row('r1')).toMatchObject({ fileCheck: 'same' });
  });

  it('takes no merge into a branch of somebody else for one', async () => {
    forge.branches.get('main')!.set(path, MANIFEST);
    forge.requests[0].target = 'mira/mine';
    forge.merge(1, at(20));
    await poller.round();
    expect(await store.get('r1')).toMatchObject({
      state: 'in-review',
      fresh: false,
      staleReason: expect.stringMatching(
        /goes into mira\/mine; accepted is main/,
      ),
    });
    expect((await store.row('r1'))?.fileCheck).toBeUndefined();
  });

  it('lets one request that cannot be read cost no other', async () => {
    await store.register(
      'r2',
      {
        ...registration('other-1a2b3c4d'),
        pullRequest: { ...registration().pullRequest!, number: 2 },
      },
      origin,
    );
    forge.merge(1, at(20));
    const { readFiles } = forge;
    forge.readFiles = async () => {
      throw new ForgeError('it is a directory', { kind: 'invalid' });
    };
    await poller.round();
    expect(await store.get('r1')).toMatchObject({
      state: 'merged',
      fresh: false,
      staleReason: expect.stringMatching(/it is a directory/),
    });
    expect(await store.get('r2')).toMatchObject({
      fresh: false,
      staleReason: expect.stringMatching(/Pull request 2 .* does not exist/),
    });
    await forge.openOrUpdateRequest({
      branch: 'gpu/other',
      target: 'main',
      title: '',
      body: '',
    });
    await poller.round();
    expect(await store.get('r2')).toMatchObject({ fresh: true });
    forge.readFiles = readFiles;
    await poller.round();
    expect(await store.get('r1')).toMatchObject({ fresh: true });
  });

  it('leaves a forge alone for as long as it asks', async () => {
    forge.down = new ForgeError('too many', {
      kind: 'rate-limited',
      retryAfterSeconds: 1e9,
    });
    await poller.round();
    const { calls } = forge;
    await knex('requests').insert({
      ...(await knex('requests').where({ id: 'r1' }).first()),
      id: 'late',
      name: 'late',
      forge_failing_since: null,
      forge_error: null,
    });
    now += 3_599_000;
    await poller.round();
    expect(forge.calls).toBe(calls);
    // Nobody asks for it meanwhile, so it cannot be called current.
    expect(await store.get('late')).toMatchObject({
      fresh: false,
      staleReason: expect.stringMatching(/too many/),
    });
    forge.down = undefined;
    now += 1_000;
    await poller.round();
    expect(await store.get('r1')).toMatchObject({ fresh: true });
  });

  it('keeps nobody waiting for a forge that gives no answer, and notes nothing at the end', async () => {
    await knex('requests').insert({
      ...(await knex('requests').where({ id: 'r1' }).first()),
      id: 'r2',
      name: 'other',
      repo_url: 'slow.example?owner=a&repo=b',
    });
    const end = new AbortController();
    const slow = new FakeForge();
    slow.getRequest = () =>
      new Promise((_, reject) => {
        end.signal.addEventListener('abort', () => reject(end.signal.reason));
      });
    const running = new ForgePoller({
      store,
      leases: new Leases(knex, 'me', 10_000),
      forgeOf: repoUrl => (repoUrl === REPO_URL ? forge : slow),
      logger,
    }).run(end.signal);
    const state = async () => (await store.get('r1'))?.state;
    await until(async () => forge.calls > 0);
    forge.requests[0].state = 'closed';
    await until(async () => (await state()) === 'rejected');
    end.abort();
    await running;
    expect(await store.get('r2')).toMatchObject({ fresh: true });
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
