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

describe.each(databases.eachSupportedId())('migrations, %s', id => {
  it('go up, down to nothing, and up again', async () => {
    const knex = await databases.init(id);
    await knex.migrate.latest({ directory });
    expect(await knex.schema.hasTable('workloads')).toBe(true);
    await knex.migrate.rollback({ directory }, true);
    expect(await knex.schema.hasTable('workloads')).toBe(false);
    expect(await knex.schema.hasTable('gpu_leases')).toBe(false);
    await knex.migrate.latest({ directory });
    expect(await knex.schema.hasTable('gpu_leases')).toBe(true);
  });
});
