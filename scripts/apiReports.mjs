// API reports of the published packages. --check fails when one is out of date.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareToolchain, root, run } from './toolchain.mjs';

await run(async () => {
  const check = process.argv.includes('--check');
  const env = {
    ...(await prepareToolchain()),
    CI: check ? 'true' : '',
    NODE_OPTIONS: '--no-deprecation',
  };
  const packages = readdirSync(join(root, 'plugins'))
    .map(name => join('plugins', name))
    .filter(
      folder =>
        !JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
          .private,
    );
  const cli = join(root, 'node_modules', '.bin', 'backstage-repo-tools');
  // The reports are made from the declarations that `tsc` leaves in dist-types.
  // The order of a union's members in them depends on what was compiled before:
  // compiled afresh, the same sources always give the same reports.
  rmSync(join(root, 'dist-types'), { recursive: true, force: true });
  const steps = [
    [join(root, 'node_modules', '.bin', 'tsc'), ['--incremental', 'false']],
    [
      cli,
      [
        'api-reports',
        ...(check ? ['--ci'] : []),
        '--validate-release-tags',
        // A package's types are its sources until it is packed.
        '--omit-messages',
        'ae-wrong-input-file-type,ae-undocumented',
        ...packages,
      ],
    ],
  ];
  for (const [program, args] of steps) {
    const { status } = spawnSync(program, args, {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    if (status !== 0) {
      if (check)
        console.error(
          'The public API changed: look at it, then run `npm run api-reports` and commit the reports.',
        );
      process.exit(status ?? 1);
    }
  }
});
