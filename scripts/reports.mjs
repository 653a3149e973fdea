// What the test runners themselves reported: jest's JSON and node's TAP.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @param {string} file a report; a missing or unfinished one counts as one failure
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function totalsOf(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  try {
    return file.endsWith('.json') ? jestTotals(text) : tapTotals(text);
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** @param {Array<{ passed: number, failed: number, skipped: number }>} all */
export function sumOf(all) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const totals of all) {
    for (const key of Object.keys(sum)) sum[key] += totals[key];
  }
  return sum;
}

function jestTotals(text) {
  const report = JSON.parse(text);
  return {
    passed: report.numPassedTests,
    // A suite that cannot be loaded runs no test, and counts as one that failed.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests,
  };
}

/** The totals stand at the end of a TAP report. */
function tapTotals(text) {
  const number = word => {
    const [, digits] = text.match(new RegExp(`^# ${word} (\\d+)$`, 'm'));
    return Number(digits);
  };
  return {
    passed: number('pass'),
    failed: number('fail') + number('cancelled'),
    skipped: number('skipped'),
  };
}
