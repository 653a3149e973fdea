// npm test: everything that can be said of the sources without a browser.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { sumOf, totalsOf } from './reports.mjs';
import { prepareToolchain, root, run } from './toolchain.mjs';

const reports = join(root, '.reports');

await run(async () => {
  const env = {
    ...(await prepareToolchain()),
    CI: 'true',
    // Type-aware lint of the whole tree needs more than a worker gets by itself.
    NODE_OPTIONS: '--no-deprecation --max-old-space-size=6144',
    FORCE_COLOR: '0',
  };
  mkdirSync(reports, { recursive: true });

  const steps = [
    ['packages installed once', ['node', 'scripts/checkDuplicates.mjs']],
    ['types', ['tsc']],
    ['format', ['prettier', '--check', '--loglevel', 'warn', '.']],
    ['lint', ['backstage-cli', 'repo', 'lint', '--max-warnings', '0']],
    ['API reports', ['node', 'scripts/apiReports.mjs', '--check']],
  ];
  const failed = [];
  const check = async (name, command, environment = env) => {
    if (!(await step(name, command, environment))) failed.push(name);
  };
  for (const [name, command] of steps) await check(name, command);

  const postgres = await startPostgres();
  console.log(
    postgres
      ? `\nDatabases: SQLite and ${postgres.version}`
      : '\nDatabases: SQLite only. PostgreSQL is not installed here (Debian: postgresql-15); tests that need it do not run.',
  );
  const [commands, jest] = ['commands.tap', 'jest.json'].map(name =>
    join(reports, name),
  );
  rmSync(commands, { force: true });
  rmSync(jest, { force: true });
  try {
    await check('commands', [
      'node',
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${commands}`,
      'scripts/commands.test.mjs',
    ]);
    await check(
      'unit, component and contract tests',
      [
        'backstage-cli',
        'repo',
        'test',
        // Nothing is tested for speed: a busy machine must not fail a test.
        '--testTimeout=120000',
        '--json',
        `--outputFile=${jest}`,
      ],
      {
        ...env,
        ...(postgres && {
          BACKSTAGE_TEST_DATABASE_POSTGRES15_CONNECTION_STRING: postgres.url,
        }),
      },
    );
  } finally {
    await postgres?.stop();
  }

  const total = sumOf([commands, jest].map(totalsOf));
  console.log(
    `\nTests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
  );
  if (failed.length) console.log(`Checks that failed: ${failed.join(', ')}`);
  if (failed.length || total.failed) process.exitCode = 1;
});

async function step(name, [command, ...args], env) {
  console.log(`\n── ${name}`);
  const began = Date.now();
  const code = await new Promise(resolve => {
    const program =
      command === 'node'
        ? env.GPUAAS_NODE
        : join(root, 'node_modules', '.bin', command);
    spawn(program, args, { cwd: root, env, stdio: 'inherit' }).on(
      'close',
      resolve,
    );
  });
  console.log(
    `── ${name}: ${
      code === 0 ? 'ok' : `failed (exit code ${code})`
    } after ${Math.round((Date.now() - began) / 1000)} s`,
  );
  return code === 0;
}
