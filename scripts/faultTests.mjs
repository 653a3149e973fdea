// npm run test:faults: what a portal does when its parts fail, each fault on a
// running portal. Once with a SQLite file, once with PostgreSQL where it is
// installed. Names of suites choose a part: npm run test:faults -- cluster forge
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { againstPortal } from './againstPortal.mjs';
import { startPostgres } from './postgres.mjs';
import { root, run } from './toolchain.mjs';

const reports = join(root, '.reports');

await run(async () => {
  mkdirSync(reports, { recursive: true });
  const postgres = await startPostgres();
  if (!postgres) {
    console.log(
      'PostgreSQL is not installed here (Debian: postgresql-15); tests that need it do not run.',
    );
  }
  try {
    const codes = [await faults('sqlite', {})];
    if (postgres) {
      codes.push(
        await faults('postgres', {
          backendEnv: {
            APP_CONFIG_backend_database_client: 'pg',
            APP_CONFIG_backend_database_connection: postgres.url,
          },
          actions: { 'restart database': postgres.restart },
        }),
      );
    }
    process.exitCode = Math.max(...codes);
  } finally {
    await postgres?.stop();
  }
});

async function faults(database, options) {
  console.log(`\nFaults of a portal on ${database}`);
  const report = join(reports, `faults-${database}.tap`);
  rmSync(report, { force: true });
  return againstPortal({
    program: ['faults/all.ts'],
    nodeArguments: [
      '--test',
      '--test-isolation=none',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${report}`,
    ],
    own: true,
    env: {
      GPUAAS_DATABASE: database,
      GPUAAS_FAULTS: process.argv.slice(2).join(' '),
    },
    ...options,
  });
}
