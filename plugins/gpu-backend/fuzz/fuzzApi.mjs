#!/usr/bin/env node
// Holds a running backend against its own contract with schemathesis: no 5xx, no
// undocumented answer, no bad input accepted.
//
//   node plugins/gpu-backend/fuzz/fuzzApi.mjs --url http://localhost:7007/api/gpu --token <Backstage token> [--examples 100] [--seed 1]
//
// --url and --token default to GPU_API_URL and GPU_API_TOKEN. The contract is the
// one the backend serves at /v1/openapi.json (3.1, not Backstage's rewritten 3.0).
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const SCHEMATHESIS = '4.32.5';
const TOOLS = resolve(import.meta.dirname, '../../../.tools/schemathesis');

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.GPU_API_URL },
    token: { type: 'string', default: process.env.GPU_API_TOKEN },
    examples: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
if (!values.url || !values.token) {
  fail(
    '--url and --token are needed: the address of /api/gpu, and a Backstage token',
  );
}

const command = schemathesis();
const folder = mkdtempSync(join(tmpdir(), 'gpu-fuzz-'));
try {
  const contract = join(folder, 'openapi.json');
  writeFileSync(contract, await readContract());
  const { status } = spawnSync(
    command,
    [
      'run',
      contract,
      `--url=${values.url}`,
      `--header=Authorization: Bearer ${values.token}`,
      '--phases=coverage,fuzzing',
      `--max-examples=${values.examples}`,
      `--seed=${values.seed}`,
      // Valid shapes may still name what does not exist: a 4xx is right then.
      '--exclude-checks=positive_data_acceptance',
      '--suppress-health-check=all',
      '--no-color',
    ],
    // It keeps a cache where it runs.
    { stdio: 'inherit', cwd: folder },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function readContract() {
  const response = await fetch(`${values.url}/v1/openapi.json`, {
    headers: { Authorization: `Bearer ${values.token}` },
  });
  if (!response.ok) {
    fail(`${values.url}/v1/openapi.json answers ${response.status}`);
  }
  return response.text();
}

/** Installs the tool once, beside the other fetched tools. */
function schemathesis() {
  const tool = join(TOOLS, 'bin', 'schemathesis');
  if (!existsSync(tool)) {
    mkdirSync(TOOLS, { recursive: true });
    run('python3', ['-m', 'venv', TOOLS]);
    run(join(TOOLS, 'bin', 'pip'), [
      'install',
      '--quiet',
      `schemathesis==${SCHEMATHESIS}`,
    ]);
  }
  return tool;
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) {
    fail(
      `${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`,
    );
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
