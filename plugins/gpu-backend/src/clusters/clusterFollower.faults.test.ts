import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { migrate } from '../database/migrate';
import { ClusterApiError } from './clusterApi';
import { FakeCluster } from './__testUtils__/FakeCluster';
import { admitted, finished, workload } from './__testUtils__/objects';
import {
  cluster,
  connected,
  observer,
  Replicas,
  SPOKE,
} from './__testUtils__/replicas';
import { until } from './__testUtils__/until';

jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

describe.each(databases.eachSupportedId())(
  'following a cluster through faults, %s',
  id => {
    const replicas = new Replicas();

    afterEach(() => replicas.stop());

    async function database() {
      const knex = await databases.init(id);
      await migrate(knex);
      return knex;
    }

    it('goes on from the committed version after a restart, with no list and no event twice', async () => {
      const knex = await database();
      const fake = cluster();
      const seen = observer();
      const first = replicas.start({ knex, fake, observers: [seen] });
      await connected(first);
      fake.put('workloads', workload('1'));
      await until(() => seen.workloads.length === 1);
      await first.stop();

      fake.put('workloads', admitted('1'));
      fake.put('workloads', finished('1'));
      const lists = fake.listed.length;
      const second = replicas.start({ knex, fake, observers: [seen] });
      await until(() => seen.workloads.length === 3);
      await connected(second);
      expect(fake.listed).toHaveLength(lists);
      expect(seen.gaps).toEqual([]);
      expect(
        seen.workloads.map(({ type, now }) => [type, now.workload.phase]),
      ).toEqual([
        ['added', 'pending'],
        ['modified', 'admitted'],
        ['modified', 'succeeded'],
      ]);
    });

    it('lists anew after 410, reports the gap, and finds what was deleted in it', async () => {
      const knex = await database();
      const fake = cluster();
      fake.put('workloads', admitted('1'));
      fake.put('workloads', admitted('2'));
      const seen = observer();
      const first = replicas.start({ knex, fake, observers: [seen] });
      await until(() => seen.workloads.length === 2);
      await connected(first);
      await first.stop();

      fake.remove('workloads', 'wl-1');
      fake.put('workloads', finished('2'));
      fake.put('workloads', workload('3'));
      fake.forget();
      const second = replicas.start({ knex, fake, observers: [seen] });
      await until(() => seen.workloads.length === 5);
      await connected(second);
      expect(seen.gaps).toContain('workloads');
      const changes = seen.workloads
        .slice(2)
        .map(({ type, now, gap }) => [
          type,
          now.workload.uid,
          now.workload.phase,
          gap?.resource,
        ]);
      expect(changes).toEqual(
        expect.arrayContaining([
          ['deleted', 'wl-1', 'deleted', 'workloads'],
          ['modified', 'wl-2', 'succeeded', 'workloads'],
          ['added', 'wl-3', 'pending', 'workloads'],
        ]),
      );
      const [gone] = seen.workloads.slice(2).filter(c => c.type === 'deleted');
      expect(gone.before?.workload.phase).toBe('admitted');
      expect(gone.gap!.from < gone.gap!.to).toBe(true);
    });

    it('is unreachable since and says why, and connects once the server is there', async () => {
      const knex = await database();
      const fake = cluster();
      fake.down = new ClusterApiError('connect ECONNREFUSED (GET /version)');
      const service = replicas.start({ knex, fake });
      const unreachable = await until(async () =>
        (
          await service.store.listClusters()
        ).find(({ state }) => state === 'unreachable'),
      );
      expect(unreachable).toMatchObject({
        message: 'connect ECONNREFUSED (GET /version)',
        gpus: { physical: 0, usedNano: 0 },
      });
      expect(unreachable.freshAt).toBeUndefined();
      fake.down = undefined;
      expect((await connected(service)).message).toBeUndefined();
    });

    it.each([
      ['/version', null],
      ['/apis', null],
      ['/apis', { kind: 'Status', status: 'Failure' }],
      ['/apis/kueue.x-k8s.io/v1beta2', {}],
      ['/apis', { groups: [null] }],
      ['/apis', { groups: [{ name: 'batch' }] }],
      ['/api/v1', { resources: 5 }],
      ['/api/v1/nodes', 'nodes'],
      ['/api/v1/nodes', { metadata: { resourceVersion: '1' }, items: [null] }],
      ['/api/v1/nodes', { metadata: { resourceVersion: '1' }, items: [{}] }],
      [
        '/api/v1/nodes',
        {
          metadata: { resourceVersion: '1' },
          items: [
            { metadata: { name: 'n', uid: 'n' }, status: { conditions: 5 } },
          ],
        },
      ],
    ])('says so when %s answers %j, and goes on after', async (path, lie) => {
      const knex = await database();
      const fake = cluster();
      fake.lies.set(path, lie);
      const service = replicas.start({ knex, fake });
      const unreachable = await until(async () =>
        (
          await service.store.listClusters()
        ).find(({ state }) => state === 'unreachable'),
      );
      expect(unreachable.message).toBeTruthy();
      fake.lies.clear();
      await connected(service);
    });

    it('keeps the last good picture while the server is away later, and takes up what it missed', async () => {
      const knex = await database();
      const fake = cluster();
      fake.put('workloads', workload('1'));
      const service = replicas.start({ knex, fake });
      const before = await connected(service);

      fake.down = new ClusterApiError('No answer within 10 s (GET /version)');
      fake.cut(new Error('socket hang up'));
      const away = await until(async () =>
        (
          await service.store.listClusters()
        ).find(({ state }) => state === 'unreachable'),
      );
      expect(away.since >= before.since).toBe(true);
      expect((await service.store.listWorkloads()).items).toHaveLength(1);

      fake.put('workloads', admitted('1'));
      fake.down = undefined;
      await connected(service);
      await until(async () => {
        const found = await service.store.getWorkload('wl-1');
        return found?.workload.phase === 'admitted';
      });
    });

    it('takes an expired token as a state', async () => {
      const knex = await database();
      const fake = cluster();
      const service = replicas.start({ knex, fake });
      await connected(service);
      fake.down = new ClusterApiError('401 Unauthorized (GET /version)', 401);
      fake.cut();
      const state = await until(async () =>
        (
          await service.store.listClusters()
        ).find(cluster1 => cluster1.state === 'unreachable'),
      );
      expect(state.message).toContain('401');
      fake.down = undefined;
      await connected(service);
    });

    it('stores nothing of a batch whose observer fails, and all of it the next time', async () => {
      const knex = await database();
      const fake = cluster();
      let failures = 0;
      const told: string[] = [];
      const service = replicas.start({
        knex,
        fake,
        observers: [
          {
            name: 'failing',
            onWorkloads: async (changes, trx) => {
              await trx('clusters')
                .where({ name: 'spoke-a' })
                .update({ message: 'written by a failing observer' });
              if (failures < 2) {
                failures += 1;
                throw new Error('out of disk');
              }
              told.push(...changes.map(({ now }) => now.workload.uid));
            },
          },
        ],
      });
      await connected(service);
      fake.put('workloads', workload('1'));
      await until(() => told.length > 0);
      expect(failures).toBe(2);
      expect(told).toEqual(['wl-1']);
      await until(async () => (await connected(service)).message === undefined);
      expect((await service.store.listWorkloads()).totalItems).toBe(1);
    });

    it('lets one replica follow and another take over when it dies, with nothing lost or told twice', async () => {
      const knex = await database();
      const fake = cluster();
      const one = observer();
      const two = observer();
      const a = replicas.start({ knex, fake, observers: [one] });
      await connected(a);
      replicas.start({ knex, fake, observers: [two] });
      for (let i = 0; i < 5; i += 1) {
        fake.put('workloads', workload(`a${i}`));
      }
      await until(() => one.workloads.length === 5);
      expect(two.workloads).toHaveLength(0);

      await a.stop();
      for (let i = 0; i < 5; i += 1) {
        fake.put('workloads', workload(`b${i}`));
      }
      await until(() => two.workloads.length === 5);
      expect(two.workloads.map(({ now }) => now.workload.uid)).toEqual([
        'wl-b0',
        'wl-b1',
        'wl-b2',
        'wl-b3',
        'wl-b4',
      ]);
      expect(two.gaps).toEqual([]);
    });

    it('writes nothing once its lease is somebody else’s, and takes part again', async () => {
      const knex = await database();
      const fake = cluster();
      const seen = observer();
      const logger = mockServices.logger.mock();
      const service = replicas.start({ knex, fake, logger, observers: [seen] });
      await connected(service);
      // As when this replica stood still until another took over.
      await knex('gpu_leases').update({
        holder: 'another',
        token: 99,
        expires_at: Number.MAX_SAFE_INTEGER,
      });
      fake.put('workloads', workload('1'));
      await until(() =>
        logger.info.mock.calls.some(([message]) =>
          message.includes('was taken over by another replica'),
        ),
      );
      expect(await knex('workloads').select()).toEqual([]);
      expect(await knex('gpu_leases').first('holder')).toEqual({
        holder: 'another',
      });

      await knex('gpu_leases').update({ expires_at: 1 });
      await until(async () => (await service.store.listWorkloads()).totalItems);
      expect(
        seen.workloads.filter(({ type }) => type === 'added').length,
      ).toBeGreaterThan(0);
      expect(seen.gaps).toEqual([]);
    });

    if (id.startsWith('POSTGRES')) {
      it('goes on when the database drops every connection', async () => {
        if (id === 'SQLITE_3') {
          return;
        }
        const knex = await database();
        const fake = cluster();
        const service = replicas.start({ knex, fake });
        await connected(service);
        for (let i = 0; i < 5; i += 1) {
          fake.put('workloads', workload(`a${i}`));
          await knex
            .raw(
              `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
            )
            .catch(() => undefined);
        }
        await until(async () => {
          const page = await service.store
            .listWorkloads()
            .catch(() => ({ totalItems: 0 }));
          return page.totalItems === 5;
        });
        const again = await until(() =>
          connected(service).catch(() => undefined),
        );
        expect(again.name).toBe('spoke-a');
      });
    }

    it('keeps a fault of one cluster from the others', async () => {
      const knex = await database();
      const good = cluster();
      const bad = new FakeCluster();
      bad.down = new ClusterApiError('403 forbidden (GET /version)', 403);
      const service = replicas.start({
        knex,
        fake: good,
        clusters: [SPOKE, { ...SPOKE, name: 'spoke-b', title: 'Spoke B' }],
        apiOf: ({ name }) => (name === 'spoke-a' ? good : bad),
      });
      await connected(service);
      good.put('workloads', workload('1'));
      await until(async () => (await service.store.listWorkloads()).totalItems);
      expect(
        (await service.store.listClusters()).map(({ state }) => state),
      ).toEqual(['connected', 'unreachable']);
    });
  },
);
