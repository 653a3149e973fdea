// Where everything listens, and whether those ports are free.
import { createServer } from 'node:net';
import { SetupError } from './toolchain.mjs';

/**
 * @param {number} [base] first port of a block of 40; absent: the documented defaults
 * @returns {Record<string, number>} port by the environment variable app-config.yaml reads
 */
export function portMap(base) {
  return {
    PORTAL_PORT: base === undefined ? 7007 : base,
    SANDBOX_HUB_PORT: (base ?? 7400) + 10,
    SANDBOX_SPOKE_A_PORT: (base ?? 7400) + 11,
    SANDBOX_SPOKE_B_PORT: (base ?? 7400) + 12,
    SANDBOX_FORGE_PORT: (base ?? 7400) + 20,
    SANDBOX_SPOKE_A_PROMETHEUS_PORT: (base ?? 7400) + 31,
    SANDBOX_SPOKE_B_PROMETHEUS_PORT: (base ?? 7400) + 32,
  };
}

/** Throws a SetupError that names every port that is taken. */
export async function requireFreePorts(ports) {
  const taken = [];
  for (const [name, port] of Object.entries(ports)) {
    if (!(await isFree(port))) taken.push(`${port} (${name})`);
  }
  if (taken.length) {
    throw new SetupError(
      `Already in use: port ${taken.join(
        ', ',
      )}. Stop what listens there (perhaps another \`npm start\`), or choose another block of ports: npm start -- --port-base 8400`,
    );
  }
}

/** A block of 40 ports of which all that are needed are free. */
export async function findFreePortBase() {
  for (let base = 18_000; base < 30_000; base += 40) {
    const free = await Promise.all(Object.values(portMap(base)).map(isFree));
    if (free.every(Boolean)) return base;
  }
  throw new SetupError(
    'No free block of ports between 18000 and 30000 on this machine.',
  );
}

async function isFree(port) {
  for (const host of ['127.0.0.1', '::1']) {
    const error = await new Promise(resolve => {
      const server = createServer();
      server.once('error', resolve);
      server.listen(port, host, () => server.close(() => resolve(undefined)));
    });
    if (error?.code === 'EADDRINUSE' || error?.code === 'EACCES') return false;
  }
  return true;
}
