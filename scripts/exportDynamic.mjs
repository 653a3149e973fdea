// Exports every plugin and module under plugins/ the way Red Hat Developer Hub
// loads them (docs/dynamic-plugin.md), and fails if one cannot be exported.
// `npm run export:dynamic -- gpu-backend` exports only what is named.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { prepareToolchain, root, run, SetupError } from './toolchain.mjs';

const CLI_VERSION = '1.9.1';
const home = join(root, '.tools', `rhdh-cli-${CLI_VERSION}`);
const cli = join(home, 'node_modules', '.bin', 'rhdh-cli');

/** Common and node packages are libraries, embedded in what uses them. */
const LOADED = ['frontend-plugin', 'backend-plugin', 'backend-plugin-module'];

/** Runs a program to its end; rejects with what it printed when it fails. */
function execute(program, args, { cwd = root, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env });
    let printed = '';
    child.stdout.on('data', data => (printed += data));
    child.stderr.on('data', data => (printed += data));
    child.on('error', reject);
    child.on('close', code =>
      code === 0
        ? resolve()
        : reject(new Error(printed.trim().split('\n').slice(-40).join('\n'))),
    );
  });
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Libraries of this repository among the dependencies: no registry has them, so they are embedded. */
function ownOf(dependencies = {}) {
  return Object.keys(dependencies).filter(name => name.startsWith('@gpuaas/'));
}

/** An export that still asks a registry for a library of this repository could not be loaded. */
function requireEmbedded(cwd) {
  const { dependencies, resolutions = {} } = readManifest(
    join(cwd, 'dist-dynamic'),
  );
  const missing = ownOf(dependencies).filter(
    name => !resolutions[name]?.startsWith('file:'),
  );
  if (missing.length > 0) {
    throw new Error(`not embedded: ${missing.join(', ')}`);
  }
}

function packagesToExport(names) {
  const folder = join(root, 'plugins');
  const all = readdirSync(folder)
    .filter(name => existsSync(join(folder, name, 'package.json')))
    .map(name => {
      const cwd = join(folder, name);
      const { backstage, dependencies } = readManifest(cwd);
      return { name, cwd, role: backstage?.role, own: ownOf(dependencies) };
    })
    .filter(({ role }) => LOADED.includes(role));
  const unknown = names.filter(name => !all.some(each => each.name === name));
  if (unknown.length > 0) {
    throw new SetupError(
      `No package to export is called ${unknown.join(', ')}. There are: ${all
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  return names.length > 0
    ? all.filter(({ name }) => names.includes(name))
    : all;
}

await run(async () => {
  const packages = packagesToExport(process.argv.slice(2));
  const env = await prepareToolchain();
  // the CLI calls `node` and `yarn` by name: both are the project's own
  const programs = join(home, 'programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(
    join(programs, 'yarn'),
    '#!/bin/sh\nexec "$GPUAAS_NODE" "$GPUAAS_YARN" "$@"\n',
    { mode: 0o755 },
  );
  env.PATH = [programs, dirname(env.GPUAAS_NODE), env.PATH].join(delimiter);

  if (!existsSync(cli)) {
    console.log(`Fetching rhdh-cli ${CLI_VERSION} …`);
    await execute(
      'npm',
      [
        'install',
        '--prefix',
        home,
        '--no-audit',
        '--no-fund',
        '--no-package-lock',
        '--ignore-scripts',
        `@red-hat-developer-hub/cli@${CLI_VERSION}`,
      ],
      { cwd: home, env },
    ).catch(error => {
      throw new SetupError(
        `rhdh-cli ${CLI_VERSION} cannot be fetched from the npm registry:\n${error.message}`,
      );
    });
  }

  // package builds take their type declarations from here
  await execute(
    'tsc',
    ['--outDir', 'dist-types', '--incremental', 'false', '--pretty', 'false'],
    { env },
  ).catch(error => {
    throw new SetupError(
      `Types must check before an export:\n${error.message}`,
    );
  });

  let failed = 0;
  for (const { name, cwd, role, own } of packages) {
    const began = Date.now();
    const args = ['plugin', 'export', '--clean'];
    if (role !== 'frontend-plugin') {
      args.push('--no-install');
      args.push(...own.flatMap(library => ['--embed-package', library]));
    }
    try {
      await execute(cli, args, { cwd, env });
      if (role !== 'frontend-plugin') {
        requireEmbedded(cwd);
      }
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`exported  ${name}  (${seconds} s)`);
    } catch (error) {
      failed += 1;
      console.error(`FAILED    ${name}\n${error.message}\n`);
    }
  }
  console.log(`${packages.length - failed} exported, ${failed} failed`);
  if (failed > 0) {
    process.exitCode = 1;
  }
});
