import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { migrate } from '../database/migrate';
import {
  application,
  configs,
  gpuPod,
  observedWorkload,
  origin,
  registration,
} from './__testUtils__/requestFixtures';
import { DatabaseRequestStore } from './databaseRequestStore';
import { RequestReconciliation } from './requestReconciliation';

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

const merged = {
  url: 'http://forge.example/pulls/7',
  number: 7,
  provider: 'gitea',
  state: 'merged' as const,
};

jest.setTimeout(60_000);

describe.each(databases.eachSupportedId())(
  'RequestReconciliation on %s',
  databaseId => {
    async function setUp() {
      const knex = await databases.init(databaseId);
      await migrate(knex);
      const store = new DatabaseRequestStore(knex);
      const asked: string[] = [];
      const observed = observedWorkload('r1', 'admitted');
      const reconciliation = new RequestReconciliation({
        store,
        clusters: {
          listWorkloads: async filter => {
            asked.push(filter?.requestId ?? '');
            const items = filter?.requestId === 'r1' ? [observed.workload] : [];
            return { items, totalItems: items.length };
          },
          getWorkload: async () => observed,
          listPods: async () => [gpuPod()],
          listDeliveries: async () => [application()],
        },
        configs,
        logger: mockServices.logger.mock(),
      });
      return { knex, store, asked, reconciliation };
    }

    it('finds what ran before the request was registered', async () => {
      const { store, reconciliation } = await setUp();
      await store.register('r1', registration(), origin);
      await store.recordForge('r1', merged);
      await reconciliation.round();
      expect(await store.get('r1')).toMatchObject({
        state: 'running',
        delivery: { state: 'delivered' },
      });
    });

    it('has a turn for each, however many there are', async () => {
      const { knex, store, asked, reconciliation } = await setUp();
      await store.register('r0000', registration(), origin);
      await store.recordForge('r0000', merged);
      const row = await knex('requests').where({ id: 'r0000' }).first();
      const rows = Array.from({ length: 600 }, (_, index) => {
        const id = `r${String(index + 1).padStart(4, '0')}`;
        return { ...row, id, name: id };
      });
      await knex.batchInsert('requests', rows, 50);
      await reconciliation.round();
      expect(asked).toHaveLength(500);
      await reconciliation.round();
      expect(asked).toHaveLength(601);
      expect(new Set(asked).size).toBe(601);
      await reconciliation.round();
      expect(asked).toHaveLength(1101);
    });
  },
);
