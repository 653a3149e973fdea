// Runs every part that CI checks, each to its end, and adds up what the
// runners themselves reported.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

const reports = join(root, '.reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const parts = [
  { name: 'npm test', command: ['npm', 'test'], count: jestReport },
  {
    name: 'browser tests',
    command: ['npm', 'run', 'test:browser'],
    count: tapReport('browser.tap'),
  },
  {
    name: 'fault tests',
    command: ['npm', 'run', 'test:faults'],
    count: tapReport('faults-sqlite.tap', 'faults-postgres.tap'),
  },
  { name: 'demo', command: ['npm', 'run', 'demo'], count: exitCode },
  {
    name: 'exports for Red Hat Developer Hub',
    command: ['npm', 'run', 'export:dynamic'],
    count: exitCode,
  },
  { name: 'API fuzzing', command: ['npm', 'run', 'fuzz:api', '--', '--examples', '40'], count: exitCode },
];

const total = { passed: 0, failed: 0 };
for (const { name, command, count } of parts) {
  console.log(`\n════ ${name}`);
  const began = Date.now();
  const { status } = spawnSync(command[0], command.slice(1), {
    cwd: root,
    stdio: 'inherit',
  });
  const counted = count(status);
  // A part that ends badly although its runner counted no failure has failed as a whole.
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  total.passed += counted.passed;
  total.failed += counted.failed;
  console.log(
    `════ ${name}: ${counted.passed} passed, ${
      counted.failed
    } failed in ${Math.round(
      (Date.now() - began) / 1000,
    )} s (exit code ${status})`,
  );
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function jestReport() {
  const file = join(reports, 'jest.json');
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
  };
}

/** The totals that node's test runner writes at the end of each of its TAP reports; the first must be there. */
function tapReport(...names) {
  return () => {
    const counted = names
      .map(name => join(reports, name))
      .filter((file, index) => index === 0 || existsSync(file))
      .map(countTap);
    return {
      passed: counted.reduce((sum, { passed }) => sum + passed, 0),
      failed: counted.reduce((sum, { failed }) => sum + failed, 0),
    };
  };
}

function countTap(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const number = word =>
    Number(text.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? NaN);
  const [passed, failed, cancelled] = [
    number('pass'),
    number('fail'),
    number('cancelled'),
  ];
  return Number.isNaN(passed)
    ? { passed: 0, failed: 1 }
    : { passed, failed: failed + cancelled };
}

function exitCode(status) {
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
