// npm run test:browser: what people see, in a real Chromium, against a portal of
// its own. Names of suites choose a part: npm run test:browser -- people states
// GPUAAS_README_IMAGE=docs/images/request.png makes the README's picture anew.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { againstPortal } from './againstPortal.mjs';
import { root, run, SetupError } from './toolchain.mjs';

await run(async () => {
  const chromium =
    process.env.CHROMIUM ??
    ['chromium', 'chromium-browser', 'google-chrome']
      .map(name =>
        spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim(),
      )
      .find(path => path && existsSync(path));
  if (!chromium) {
    throw new SetupError(
      'No Chromium found. Install it (Debian: chromium) or name the program in the environment variable CHROMIUM.',
    );
  }
  const reports = join(root, '.reports');
  mkdirSync(join(reports, 'screenshots'), { recursive: true });
  process.exitCode = await againstPortal({
    program: ['browser/all.ts'],
    nodeArguments: [
      '--test',
      '--test-isolation=none',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${join(reports, 'browser.tap')}`,
    ],
    own: true,
    env: {
      CHROMIUM: chromium,
      GPUAAS_SCREENSHOTS: join(reports, 'screenshots'),
      GPUAAS_BROWSER_TESTS: process.argv.slice(2).join(' '),
      ...(process.env.GPUAAS_README_IMAGE && {
        GPUAAS_README_IMAGE: resolve(root, process.env.GPUAAS_README_IMAGE),
      }),
    },
  });
});
