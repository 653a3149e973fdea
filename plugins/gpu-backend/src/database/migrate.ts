import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { Knex } from 'knex';

/** Opens the plugin's database and brings its tables up to date, unless the operator does that elsewhere. */
export async function openDatabase(database: DatabaseService): Promise<Knex> {
  const knex = await database.getClient();
  if (!database.migrations?.skip) {
    await migrate(knex);
  }
  return knex;
}

export async function migrate(knex: Knex): Promise<void> {
  await knex.migrate.latest({
    directory: resolvePackagePath(
      '@gpuaas/backstage-plugin-gpu-backend',
      'migrations',
    ),
  });
}
