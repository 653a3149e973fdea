// Runs a program of packages/e2e against a portal: the one that already
// listens on the default ports, or one started for it on a free block.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { transform } from './portal.mjs';
import { obey } from './portalControl.mjs';
import { startThrowawayPortal } from './throwawayPortal.mjs';
import { prepareToolchain, root } from './toolchain.mjs';

/**
 * @param {object} options
 * @param {string[]} options.program file under packages/e2e/src and its arguments
 * @param {string[]} [options.nodeArguments]
 * @param {boolean} [options.load] background load in a portal of its own
 * @param {boolean} [options.own] never use a portal that already runs
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {NodeJS.ProcessEnv} [options.backendEnv] of the backend of a portal of its own
 * @param {Record<string, () => Promise<void>>} [options.actions] what the program may do besides killing and starting the backend of a portal of its own
 * @returns {Promise<number>} the program's exit code
 */
export async function againstPortal({
  program: [file, ...args],
  nodeArguments = [],
  load = true,
  own = false,
  env: extra = {},
  backendEnv = {},
  actions = {},
}) {
  const say = line => console.error(line);
  const running = own ? undefined : await findRunning();
  let portal;
  if (!running) {
    portal = await startThrowawayPortal({ load, env: backendEnv, say });
    say(`Portal ready after ${portal.seconds} s at ${portal.addresses.portal}`);
  }
  try {
    const env = {
      ...(await prepareToolchain({ say })),
      ...extra,
      NODE_OPTIONS: '--no-deprecation',
      GPUAAS_ADDRESSES: JSON.stringify(running ?? portal.addresses),
      ...(portal && { GPUAAS_PIDS: JSON.stringify(portal.pids) }),
    };
    return await new Promise(resolve => {
      const child = spawn(
        env.GPUAAS_NODE,
        [
          ...transform,
          ...nodeArguments,
          join(root, 'packages', 'e2e', 'src', file),
          ...args,
        ],
        {
          cwd: join(root, 'packages', 'e2e'),
          env,
          stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        },
      ).on('close', code => resolve(code ?? 1));
      if (portal) {
        obey(child, {
          'kill backend': portal.killBackend,
          'start backend': portal.startBackend,
          ...actions,
        });
      }
    });
  } finally {
    await portal?.stop();
  }
}

async function findRunning() {
  const addresses = {
    portal: 'http://localhost:7007',
    forge: 'http://localhost:7420',
    hub: 'http://localhost:7410',
    'spoke-a': 'http://localhost:7411',
    'spoke-b': 'http://localhost:7412',
  };
  try {
    const signals = [
      `${addresses.portal}/api/auth/sandbox/refresh`,
      `${addresses.forge}/api/v1/version`,
    ];
    const answers = await Promise.all(
      signals.map(url =>
        fetch(url, {
          headers: { 'x-sandbox-user': 'mira' },
          signal: AbortSignal.timeout(2_000),
        }),
      ),
    );
    return answers.every(answer => answer.ok) ? addresses : undefined;
  } catch {
    return undefined;
  }
}
