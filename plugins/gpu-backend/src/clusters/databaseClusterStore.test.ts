import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { Knex } from 'knex';
import { migrate } from '../database/migrate';
import { ClusterConfig } from './clusterConfig';
import { DatabaseClusterStore } from './databaseClusterStore';
import { Retention } from './retention';
import { admitted, CREATED } from './__testUtils__/objects';

jest.setTimeout(120_000);

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

const config = (name: string): ClusterConfig => ({
  name,
  title: name,
  role: 'spoke',
  connection: { url: `https://${name}`, skipTlsVerify: false },
});

const DAY = 24 * 3_600_000;

function row(index: number, values: Record<string, unknown> = {}) {
  const team = `team-${String(index % 40).padStart(2, '0')}`;
  return {
    uid: `uid-${String(index).padStart(6, '0')}`,
    cluster: index % 2 ? 'spoke-a' : 'spoke-b',
    namespace: team,
    name: `job-${index}`,
    queue: 'gpu',
    cluster_queue: team,
    team: `group:default/${team}`,
    phase: index % 10 ? 'succeeded' : 'admitted',
    priority: 500,
    // Three share each stamp, as whole seconds do.
    created_at: new Date(Date.parse(CREATED) + Math.floor(index / 3) * 1000)
      .toISOString()
      .replace('.000', ''),
    evictions: 0,
    object: JSON.stringify(admitted(String(index))),
    ...values,
  };
}

async function insert(knex: Knex, rows: object[]) {
  for (let i = 0; i < rows.length; i += 200) {
    await knex('workloads').insert(rows.slice(i, i + 200));
  }
}

describe.each(databases.eachSupportedId())('DatabaseClusterStore, %s', id => {
  let knex: Knex;
  let store: DatabaseClusterStore;

  beforeEach(async () => {
    knex = await databases.init(id);
    await migrate(knex);
    store = new DatabaseClusterStore(knex, [
      config('spoke-b'),
      config('spoke-a'),
    ]);
  });

  it('knows a cluster that was never read', async () => {
    expect(await store.listClusters()).toEqual([
      expect.objectContaining({ name: 'spoke-a', state: 'connecting' }),
      expect.objectContaining({ name: 'spoke-b', state: 'connecting' }),
    ]);
    expect(await store.snapshotForFit('spoke-a')).toBeUndefined();
    expect(await store.snapshotForFit('elsewhere')).toBeUndefined();
  });

  it('does not call a cluster connected that nobody has confirmed for long', async () => {
    await knex('clusters').insert({
      name: 'spoke-a',
      state: 'connected',
      since: '2026-01-01T00:00:00.000Z',
      fresh_at: '2026-01-02T00:00:00.000Z',
    });
    expect((await store.listClusters())[0]).toMatchObject({
      state: 'unreachable',
      since: '2026-01-02T00:00:00.000Z',
      freshAt: '2026-01-02T00:00:00.000Z',
      message: 'No replica of the portal has followed it since',
    });
  });

  it('pages through everything once, newest first, while rows come in', async () => {
    await insert(
      knex,
      Array.from({ length: 25 }, (_, i) => row(i)),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await store.listWorkloads({}, { limit: 7, cursor });
      expect(page.totalItems).toBe(25 + pages);
      seen.push(...page.items.map(({ uid }) => uid));
      cursor = page.nextCursor;
      pages += 1;
      await insert(knex, [row(1000 + pages)]);
    } while (cursor);
    expect(pages).toBe(4);
    const all = Array.from({ length: 25 }, (_, i) => row(i));
    expect(seen).toEqual(
      all
        .sort(
          (a, b) =>
            b.created_at.localeCompare(a.created_at) ||
            b.uid.localeCompare(a.uid),
        )
        .map(({ uid }) => uid),
    );
  });

  it('filters, and lets a restriction only take away', async () => {
    await insert(
      knex,
      Array.from({ length: 80 }, (_, i) =>
        row(i, { entity: i === 7 ? 'component:default/x' : null }),
      ),
    );
    const count = async (...query: Parameters<typeof store.listWorkloads>) =>
      (await store.listWorkloads(...query)).totalItems;
    expect(await count({ cluster: 'spoke-a' })).toBe(40);
    expect(await count({ cluster: 'elsewhere' })).toBe(0);
    expect(await count({ team: 'group:default/team-07' })).toBe(2);
    expect(await count({ entity: 'component:default/x' })).toBe(1);
    expect(await count({ phases: ['admitted'] })).toBe(8);
    expect(await count({ phases: [] })).toBe(0);
    const mine = (query: Knex.QueryBuilder) => {
      query
        .where('team', 'group:default/team-07')
        .orWhere('team', 'group:default/team-09');
    };
    expect(await count({}, {}, mine)).toBe(4);
    expect(await count({ namespace: 'team-07' }, {}, mine)).toBe(2);
    expect(await count({ team: 'group:default/team-08' }, {}, mine)).toBe(0);
  });

  it('shows nothing of a cluster that is configured no more', async () => {
    await insert(knex, [row(1), row(2, { cluster: 'gone' })]);
    await knex('clusters').insert({ name: 'gone', state: 'x', since: CREATED });
    expect((await store.listWorkloads()).totalItems).toBe(1);
    expect(await store.getWorkload(row(1).uid)).toBeDefined();
    expect(await store.getWorkload(row(2).uid)).toBeUndefined();
  });

  it('states what a queue may take only where the queue may be seen', async () => {
    for (const cluster of ['spoke-a', 'spoke-b']) {
      await knex('device_offers').insert({
        cluster,
        device_class: 'h100',
        flavor: 'train',
        data: JSON.stringify({
          cluster,
          flavor: 'train',
          free: 8,
          total: 8,
          deviceClass: { resourceName: 'nvidia.com/gpu' },
        }),
      });
      await knex('local_queues').insert({
        cluster,
        namespace: 'ml',
        queue: 'gpu',
        team: cluster === 'spoke-a' ? 'group:default/mine' : 'group:default/x',
        data: JSON.stringify({
          quotas: [
            {
              flavor: 'train',
              resource: 'nvidia.com/gpu',
              available: 5,
              potential: 6,
            },
          ],
        }),
      });
    }
    const offers = await store.listOffers(
      { namespace: 'ml', queue: 'gpu' },
      query => query.where('team', 'group:default/mine'),
    );
    expect(
      offers.map(({ cluster, freeForQueue }) => [cluster, freeForQueue]),
    ).toEqual([
      ['spoke-a', 5],
      ['spoke-b', undefined],
    ]);
  });

  it.each([0, 501, 1.5, NaN])('refuses limit %d', async limit => {
    await expect(store.listWorkloads({}, { limit })).rejects.toThrow(
      'accepted is a whole number from 1 to 500',
    );
  });

  it('refuses a cursor it did not make', async () => {
    await expect(store.listQueues({}, { cursor: 'x' })).rejects.toThrow(
      'cursor is "x"',
    );
  });

  it('answers in time with 50,000 Workloads, 5,000 of them live', async () => {
    await insert(
      knex,
      Array.from({ length: 50_000 }, (_, i) => row(i)),
    );
    if (id === 'POSTGRES_15') {
      await knex.raw('analyze workloads');
    }
    const queries: Array<Parameters<typeof store.listWorkloads>[0]> = [
      {},
      { phases: ['admitted'] },
      { team: 'group:default/team-10' },
      { cluster: 'spoke-b', namespace: 'team-10', queue: 'gpu' },
      { requestId: 'nothing' },
    ];
    const took: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      for (const query of queries) {
        const started = performance.now();
        await store.listWorkloads(query);
        took.push(performance.now() - started);
      }
    }
    took.sort((a, b) => a - b);
    expect(took[Math.floor(took.length * 0.95)]).toBeLessThan(100);
  });

  it('deletes what ended long ago and nothing else', async () => {
    const ago = (days: number) =>
      new Date(Date.now() - days * DAY).toISOString();
    await insert(knex, [
      row(1, { finished_at: ago(31) }),
      row(2, { deleted_at: ago(31) }),
      row(3, { finished_at: ago(29) }),
      row(4, { deleted_at: ago(29), created_at: ago(90) }),
      row(5, { created_at: ago(90) }),
    ]);
    const retention = new Retention(knex, 30 * DAY, mockServices.logger.mock());
    expect(await retention.sweep()).toBe(2);
    expect(await knex('workloads').orderBy('uid').pluck('name')).toEqual([
      'job-3',
      'job-4',
      'job-5',
    ]);
  });
});
