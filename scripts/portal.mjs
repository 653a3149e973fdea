// A portal on the sandbox: three parts (sandbox, built frontend, backend)
// brought up together, watched, and stopped together.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { portMap, requireFreePorts } from './ports.mjs';
import { prepareToolchain, root, SetupError } from './toolchain.mjs';

const PEOPLE = ['mira', 'enzo', 'fiona', 'pavel'];
const READY_TIMEOUT_MS = 5 * 60_000;

/**
 * @param {object} options
 * @param {number} [options.portBase]
 * @param {string} [options.data] folder that keeps all state
 * @param {boolean} [options.fresh]
 * @param {boolean} [options.load] background load
 * @param {string} [options.seed]
 * @param {boolean} [options.verbose]
 * @param {NodeJS.ProcessEnv} [options.env] more for the backend's environment
 * @param {(line: string) => void} [options.say]
 * @returns {Promise<{ addresses: Record<string, string>, seconds: number, killBackend: () => Promise<void>, startBackend: () => Promise<void>, stop: () => Promise<void>, stopped: Promise<void> }>}
 */
export async function startPortal({
  portBase,
  data = '.sandbox',
  fresh = false,
  load = true,
  seed,
  verbose = false,
  env: extra = {},
  say = console.log,
}) {
  const began = Date.now();
  const toolchain = await prepareToolchain({ say });
  const ports = portMap(portBase);
  await requireFreePorts(ports);

  const folder = resolve(root, data);
  if (fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true });

  const env = {
    ...toolchain,
    ...Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [name, String(port)]),
    ),
    PORTAL_DATABASE_DIRECTORY: join(folder, 'database'),
    NODE_ENV: 'development',
    NODE_OPTIONS: '--no-deprecation',
  };

  const children = [];
  /** Children whose end is wanted. */
  const dismissed = new Set();
  let stopping;
  let failed;
  const failure = new Promise((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  const stopped = Promise.withResolvers
    ? Promise.withResolvers()
    : withResolvers();

  function launch(name, args, { cwd, onLine, more = {}, flags = 'w' }) {
    const log = join(folder, 'logs', `${name}.log`);
    const out = createWriteStream(log, { flags });
    const child = spawn(env.GPUAAS_NODE, args, {
      cwd,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', text => {
        out.write(text);
        if (verbose) process.stderr.write(text);
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        lines.forEach(line => onLine?.(line));
      });
    }
    child.on('exit', code => {
      if (stopping || dismissed.has(child)) return;
      failed(
        new SetupError(
          `The ${name} ended with code ${code}. Its last lines:\n${tail(
            log,
            15,
          )}\nAll of it: ${log}`,
        ),
      );
      stop();
    });
    return child;
  }

  function stop() {
    stopping ??= (async () => {
      await Promise.all(
        children.map(async child => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const gone = new Promise(done => child.once('exit', done));
          child.kill('SIGTERM');
          const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
          await gone;
          clearTimeout(timer);
        }),
      );
      stopped.resolve();
    })();
    return stopping;
  }
  function launchBackend(flags) {
    return launch(
      'backend',
      [
        ...transform,
        'src/index.ts',
        '--config',
        join(root, 'app-config.yaml'),
        ...localConfig(),
      ],
      { cwd: join(root, 'packages', 'backend'), more: extra, flags },
    );
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      say('Stopping …');
      stop();
    });
  }

  try {
    await buildFrontend({
      env,
      say,
      log: join(folder, 'logs', 'frontend.log'),
    });
    if (stopping) throw new SetupError('Stopped before it was ready.');

    say('Starting the sandbox and the portal …');
    const sandboxReady = new Promise(ready => {
      launch(
        'sandbox',
        [
          ...transform,
          join(root, 'packages', 'sandbox', 'src', 'main.ts'),
          '--data',
          join(folder, 'sandbox'),
          '--ports',
          JSON.stringify({
            hub: ports.SANDBOX_HUB_PORT,
            'spoke-a': ports.SANDBOX_SPOKE_A_PORT,
            'spoke-b': ports.SANDBOX_SPOKE_B_PORT,
            forge: ports.SANDBOX_FORGE_PORT,
            'prometheus-spoke-a': ports.SANDBOX_SPOKE_A_PROMETHEUS_PORT,
            'prometheus-spoke-b': ports.SANDBOX_SPOKE_B_PROMETHEUS_PORT,
          }),
          ...(load ? [] : ['--no-load']),
          ...(seed === undefined ? [] : ['--seed', seed]),
        ],
        {
          cwd: join(root, 'packages', 'sandbox'),
          onLine: line => line.startsWith('{"ready":true') && ready(),
        },
      );
    });
    let backend = launchBackend('w');
    const address = `http://localhost:${ports.PORTAL_PORT}`;
    await Promise.race([
      Promise.all([sandboxReady, portalReady(address)]),
      failure,
      timeout(),
    ]);
    return {
      addresses: {
        portal: address,
        forge: `http://localhost:${ports.SANDBOX_FORGE_PORT}`,
        hub: `http://localhost:${ports.SANDBOX_HUB_PORT}`,
        'spoke-a': `http://localhost:${ports.SANDBOX_SPOKE_A_PORT}`,
        'spoke-b': `http://localhost:${ports.SANDBOX_SPOKE_B_PORT}`,
      },
      pids: children.map(child => child.pid),
      /** Ends the backend as a crash does: nothing of it runs any more. */
      async killBackend() {
        if (dismissed.has(backend)) return;
        dismissed.add(backend);
        const gone = new Promise(done => backend.once('exit', done));
        backend.kill('SIGKILL');
        await gone;
      },
      /** Starts it again on the same data; it is not ready yet then. */
      async startBackend() {
        if (dismissed.has(backend) && !stopping) backend = launchBackend('a');
      },
      seconds: Math.round((Date.now() - began) / 100) / 10,
      stop,
      stopped: Promise.race([stopped.promise, failure]),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs TypeScript sources directly, the way backstage-cli runs a backend. */
export const transform = [
  '--enable-source-maps',
  '--require',
  join(root, 'node_modules/@backstage/cli-node/config/nodeTransform.cjs'),
];

function localConfig() {
  const local = join(root, 'app-config.local.yaml');
  return existsSync(local) ? ['--config', local] : [];
}

/** The frontend is built once per state of its sources and then served by the backend. */
async function buildFrontend({ env, say, log }) {
  const dist = join(root, 'packages', 'app', 'dist');
  const stampFile = join(dist, '.built-from');
  const wanted = sourceStamp([
    'packages/app/src',
    'packages/app/public',
    'packages/app/package.json',
    'plugins/gpu/src',
    'plugins/gpu-common/src',
    'yarn.lock',
  ]);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted)
    return;
  say('Building the pages (about a minute, only after a change) …');
  const code = await new Promise(done => {
    const out = createWriteStream(log);
    const child = spawn(
      env.GPUAAS_NODE,
      [
        join(root, 'node_modules/@backstage/cli/bin/backstage-cli'),
        'package',
        'build',
      ],
      {
        cwd: join(root, 'packages', 'app'),
        env: { ...env, NODE_ENV: 'production' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stdout.pipe(out, { end: false });
    child.stderr.pipe(out, { end: false });
    child.on('close', done);
  });
  if (code !== 0)
    throw new SetupError(
      `The pages could not be built (exit code ${code}). The last lines:\n${tail(
        log,
        20,
      )}\nAll of it: ${log}`,
    );
  writeFileSync(stampFile, wanted);
}

function sourceStamp(paths) {
  const hash = createHash('sha256');
  const visit = path => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(join(path, name));
    } else {
      hash.update(path).update(readFileSync(full));
    }
  };
  paths.forEach(visit);
  return hash.digest('hex');
}

/** Ready: healthy, all four people can sign in, and the page with its first script is served. */
async function portalReady(address) {
  const checks = [
    () => ok(`${address}/.backstage/health/v1/readiness`),
    ...PEOPLE.map(
      person => () =>
        ok(`${address}/api/auth/sandbox/refresh`, {
          headers: { 'x-sandbox-user': person },
        }),
    ),
    () => pageServed(address),
  ];
  for (const check of checks) {
    while (!(await check())) await delay(250);
  }
}

async function ok(url, init) {
  try {
    const response = await fetch(url, {
      ...init,
      signal: AbortSignal.timeout(5_000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function pageServed(address) {
  try {
    const page = await (await fetch(address)).text();
    const script = page.match(/<script[^>]+src="([^"]+)"/)?.[1];
    return script !== undefined && (await ok(new URL(script, address)));
  } catch {
    return false;
  }
}

function timeout() {
  return delay(READY_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new SetupError(
      `Not ready after ${
        READY_TIMEOUT_MS / 60_000
      } minutes; see the logs in the data folder.`,
    );
  });
}

function tail(file, count) {
  return existsSync(file)
    ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
    : '(nothing)';
}

function withResolvers() {
  let resolvePromise;
  const promise = new Promise(done => {
    resolvePromise = done;
  });
  return { promise, resolve: resolvePromise };
}
