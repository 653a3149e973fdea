import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { portMap, requireFreePorts } from './ports.mjs';
import { sumOf, totalsOf } from './reports.mjs';
import { requireNode, root, SetupError } from './toolchain.mjs';

/** Runs a program to its end. */
function outcomeOf(args, { cwd = root, env = {} } = {}) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk;
      });
    }
    child.on('close', code => resolve({ code, output }));
  });
}

describe('what stops the set-up is said in a sentence', () => {
  it('a Node that is too old', () => {
    for (const version of ['18.20.4', '6.0.0']) {
      assert.throws(
        () => requireNode(version),
        error =>
          error instanceof SetupError &&
          error.message.includes(`Node ${version} is too old`),
      );
    }
    for (const version of ['20.0.0', '22.11.0', '24.1.0', '26.0.0']) {
      requireNode(version);
    }
  });

  it('ports that are taken, each by its number and name', async () => {
    const server = createServer();
    await new Promise(done => server.listen(0, '127.0.0.1', done));
    const { port } = server.address();
    try {
      await assert.rejects(
        requireFreePorts({ ...portMap(port), PORTAL_PORT: port }),
        new RegExp(`Already in use: port ${port} \\(PORTAL_PORT\\)`),
      );
    } finally {
      server.close();
    }
  });

  it('an option that is not one', async () => {
    const unknown = await outcomeOf(['scripts/start.mjs', '--prot-base', '1']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.output, /Unknown option '--prot-base'[^]*--port-base/);
    assert.doesNotMatch(unknown.output, /\n\s+at /);
    const text = await outcomeOf(['scripts/start.mjs', '--port-base', 'x']);
    assert.match(text.output, /--port-base is 'x'; accepted: a whole number/);
  });

  it('a network that is not there', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'gpuaas-setup-'));
    try {
      cpSync(join(root, 'scripts'), join(copy, 'scripts'), { recursive: true });
      writeFileSync(join(copy, 'package.json'), '{ "private": true }');
      const { code, output } = await outcomeOf(['scripts/start.mjs'], {
        cwd: copy,
        env: {
          npm_config_registry: 'http://127.0.0.1:9',
          npm_config_fetch_retries: '0',
          npm_config_prefer_online: 'true',
        },
      });
      assert.equal(code, 1);
      assert.match(output, /the package registry cannot be reached/);
      assert.doesNotMatch(output, /\n\s+at /);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});

describe('totals of reports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpuaas-reports-'));
  after(() => rmSync(folder, { recursive: true }));

  const report = (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return totalsOf(file);
  };
  const TAP = '# tests 9\n# pass 6\n# fail 2\n# cancelled 1\n# skipped 4\n';

  it('TAP: what was cancelled has failed', () => {
    assert.deepEqual(report('a.tap', TAP), {
      passed: 6,
      failed: 3,
      skipped: 4,
    });
  });

  it('jest: a suite that cannot be loaded has failed', () => {
    assert.deepEqual(
      report(
        'a.json',
        JSON.stringify({
          numPassedTests: 5,
          numFailedTests: 1,
          numRuntimeErrorTestSuites: 2,
          numPendingTests: 7,
        }),
      ),
      { passed: 5, failed: 3, skipped: 7 },
    );
  });

  it('one that is missing or was never finished is one failure', () => {
    const failure = { passed: 0, failed: 1, skipped: 0 };
    assert.deepEqual(report('b.tap', 'TAP version 13\nok 1 - x\n'), failure);
    assert.deepEqual(report('b.json', '{"numPassed'), failure);
    assert.deepEqual(totalsOf(join(folder, 'none.tap')), failure);
  });

  it('are added', () => {
    assert.deepEqual(
      sumOf([
        { passed: 1, failed: 0, skipped: 2 },
        { passed: 3, failed: 4, skipped: 0 },
      ]),
      { passed: 4, failed: 4, skipped: 2 },
    );
  });
});
