// Runs every part that CI checks, each to its end, and adds up what the
// runners themselves reported.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf, totalsOf } from './reports.mjs';
import { root } from './toolchain.mjs';

const reports = join(root, '.reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

/** A part without reports is one test: it ends well or it does not. */
const parts = [
  {
    name: 'npm test',
    command: ['npm', 'test'],
    reports: ['commands.tap', 'jest.json'],
  },
  {
    name: 'browser tests',
    command: ['npm', 'run', 'test:browser'],
    reports: ['browser.tap'],
  },
  {
    name: 'fault tests',
    command: ['npm', 'run', 'test:faults'],
    reports: ['faults-sqlite.tap', 'faults-postgres.tap'],
  },
  { name: 'demo', command: ['npm', 'run', 'demo'] },
  {
    name: 'exports for Red Hat Developer Hub',
    command: ['npm', 'run', 'export:dynamic'],
  },
  {
    name: 'API fuzzing',
    command: ['npm', 'run', 'fuzz:api', '--', '--examples', '40'],
  },
];

const counts = parts.map(({ name, command, reports: files }) => {
  console.log(`\n════ ${name}`);
  const began = Date.now();
  const { status } = spawnSync(command[0], command.slice(1), {
    cwd: root,
    stdio: 'inherit',
  });
  const counted = files
    ? sumOf(files.map(file => totalsOf(join(reports, file))))
    : { passed: status === 0 ? 1 : 0, failed: 0, skipped: 0 };
  // A part that ends badly although no runner counted a failure has failed as a whole.
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(
    `════ ${name}: ${counted.passed} passed, ${counted.failed} failed in ${seconds} s (exit code ${status})`,
  );
  return counted;
});

const total = sumOf(counts);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
