import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { TestDatabases } from '@backstage/backend-test-utils';

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

const directory = resolvePackagePath(
  '@gpuaas/backstage-plugin-gpu-backend',
  'migrations',
);

jest.setTimeout(60_000);

const stamp = '2026-11-02T10:00:00Z';

/** A row of each migration's tables, to be there when the next one comes or it is taken back. */
const ROWS: Array<[string, object]> = [
  [
    'workloads',
    {
      uid: 'u',
      cluster: 'c',
      namespace: 'n',
      name: 'w',
      phase: 'pending',
      priority: 0,
      created_at: stamp,
      evictions: 0,
      object: '{}',
    },
  ],
  [
    'request_runs',
    {
      request_id: 'r',
      workload_uid: 'u',
      name: 'w',
      phase: 'admitted',
      flavors: 'f'.repeat(300),
      pods: 1,
      created_at: stamp,
    },
  ],
  [
    'ledger_intervals',
    {
      cluster: 'c',
      workload_uid: 'u',
      pod_set: 'main',
      flavor: 'f',
      resource: 'nvidia.com/gpu',
      kind: 'allocated',
      opened_at: 1_780_000_000,
      confidence: 'measured',
      units: 1,
      workload_name: 'w',
      namespace: 'n',
    },
  ],
];

describe.each(databases.eachSupportedId())('migrations, %s', id => {
  it('go up one by one, down one by one to nothing, and up again, with rows in the tables', async () => {
    const knex = await databases.init(id);
    const up = async () => {
      for (const [table, row] of ROWS) {
        await knex.migrate.up({ directory });
        await knex(table).insert(row);
      }
      const [, pending] = await knex.migrate.list({ directory });
      expect(pending).toEqual([]);
    };
    await up();
    for (const [table] of [...ROWS].reverse()) {
      expect(await knex(table).select()).toHaveLength(1);
      await knex.migrate.down({ directory });
      expect(await knex.schema.hasTable(table)).toBe(false);
    }
    expect(await knex.schema.hasTable('gpu_leases')).toBe(false);
    await up();
  });
});
