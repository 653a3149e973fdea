// What every command needs before anything else: Node 24 with its headers,
// Yarn, and the packages of yarn.lock. Plain JavaScript without dependencies,
// since nothing is installed yet when it runs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const tools = join(root, '.tools');
const YARN_VERSION = '4.18.1';
const NETWORK_ERROR =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network (?:request|timeout)/i;

/** A fault the user can do something about: printed as a sentence, without a stack. */
export class SetupError extends Error {}

/** Runs `main`; a SetupError ends the process with its sentence and code 1. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

/**
 * Fetches what is missing and returns the environment to run the project's
 * own programs in.
 *
 * @param {{ say?: (line: string) => void }} [options]
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function prepareToolchain({ say = console.log } = {}) {
  requireNode(process.versions.node);
  mkdirSync(tools, { recursive: true });
  const nodeHome = await findNode(say);
  const yarn = await findYarn(say);
  const env = {
    ...process.env,
    PATH: [
      join(root, 'node_modules', '.bin'),
      join(nodeHome, 'bin'),
      process.env.PATH,
    ].join(delimiter),
    // Native packages are compiled against these headers, so nothing is downloaded for them.
    npm_config_nodedir: nodeHome,
    GPUAAS_NODE: join(
      nodeHome,
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    ),
    GPUAAS_YARN: yarn,
  };
  await installPackages(env, say);
  return env;
}

/** Throws a SetupError when this Node cannot run the set-up itself. */
export function requireNode(version) {
  if (Number(version.split('.')[0]) < 20) {
    throw new SetupError(
      `Node ${version} is too old to set this project up. Install Node 20 or newer; Node 24 itself is then fetched for you.`,
    );
  }
}

async function findNode(say) {
  const own = dirname(dirname(process.execPath));
  if (
    process.versions.node.startsWith('24.') &&
    existsSync(join(own, 'include', 'node', 'node.h'))
  ) {
    return own;
  }
  const name = `node-${
    process.platform === 'win32' ? 'win' : process.platform
  }-${process.arch}`;
  const home = join(tools, 'node_modules', name);
  if (!existsSync(join(home, 'bin'))) {
    say(`Fetching Node 24 (this is ${process.versions.node}) …`);
    await fetchTool(`${name}@24`);
  }
  return home;
}

async function findYarn(say) {
  const yarn = join(
    tools,
    'node_modules',
    '@yarnpkg',
    'cli-dist',
    'bin',
    'yarn.js',
  );
  if (!existsSync(yarn)) {
    say(`Fetching Yarn ${YARN_VERSION} …`);
    await fetchTool(`@yarnpkg/cli-dist@${YARN_VERSION}`);
  }
  return yarn;
}

async function fetchTool(spec) {
  const manifest = join(tools, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  await runLogged(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    [
      'install',
      '--prefix',
      tools,
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      spec,
    ],
    { log: join(tools, 'fetch.log'), env: process.env, what: `fetch ${spec}` },
  );
}

async function installPackages(env, say) {
  const stampFile = join(tools, 'installed');
  const wanted = lockStamp(env);
  if (
    existsSync(join(root, 'node_modules')) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === wanted
  ) {
    return;
  }
  requirePrograms();
  say('Installing packages (a few minutes the first time) …');
  await runLogged(
    env.GPUAAS_NODE,
    [env.GPUAAS_YARN, 'install', '--immutable'],
    {
      log: join(tools, 'install.log'),
      env,
      what: 'install the packages',
    },
  );
  writeFileSync(stampFile, wanted);
}

/** Changes whenever an install could give another result. */
function lockStamp(env) {
  const hash = createHash('sha256').update(env.GPUAAS_NODE);
  const manifests = [
    'package.json',
    'yarn.lock',
    '.yarnrc.yml',
    join('interop', 'package.json'),
  ];
  for (const folder of ['packages', 'plugins']) {
    for (const name of readdirSync(join(root, folder))) {
      manifests.push(join(folder, name, 'package.json'));
    }
  }
  for (const manifest of manifests.filter(file =>
    existsSync(join(root, file)),
  )) {
    hash.update(manifest).update(readFileSync(join(root, manifest)));
  }
  return hash.digest('hex');
}

function requirePrograms() {
  const missing = [];
  if (!works('git', ['--version'])) missing.push('git');
  if (!works('python3', ['--version']) && !works('python', ['--version']))
    missing.push('Python 3');
  if (
    !works('c++', ['--version']) &&
    !works('g++', ['--version']) &&
    !works('clang++', ['--version'])
  ) {
    missing.push('a C++ compiler');
  }
  if (missing.length) {
    throw new SetupError(
      `Missing on this machine: ${missing.join(
        ', ',
      )}. Native packages such as better-sqlite3 are compiled during the install and need them.`,
    );
  }
}

function works(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function runLogged(command, args, { log, env, what }) {
  return new Promise((resolve, reject) => {
    const out = createWriteStream(log);
    let tail = '';
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        out.write(chunk);
        tail = (tail + chunk).slice(-20_000);
      });
    }
    child.on('error', error =>
      reject(new SetupError(`Could not ${what}: ${error.message}`)),
    );
    child.on('close', code => {
      out.end();
      if (code === 0) {
        resolve();
      } else if (NETWORK_ERROR.test(tail)) {
        reject(
          new SetupError(
            `Could not ${what}: the package registry cannot be reached. Check the network, a proxy (HTTPS_PROXY) or the registry that npm is configured with, and run the command again. Details: ${log}`,
          ),
        );
      } else {
        reject(
          new SetupError(
            `Could not ${what} (exit code ${code}). The last lines were:\n${lastLines(
              tail,
              15,
            )}\nDetails: ${log}`,
          ),
        );
      }
    });
  });
}

function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
