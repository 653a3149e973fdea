// A PostgreSQL of its own for the tests, where the programs are found.
import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts a throw-away server on a free loopback port.
 *
 * @returns {Promise<undefined | { url: string, version: string, restart: () => Promise<void>, stop: () => Promise<void> }>} undefined where PostgreSQL is not installed
 */
export async function startPostgres() {
  const bin = findPrograms();
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'gpuaas-postgres-'));
  const data = join(folder, 'data');
  const as = serverUser(folder);
  const version = spawnSync(join(bin, 'postgres'), ['--version'], {
    encoding: 'utf8',
  }).stdout.trim();
  const initialised = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'],
    { ...as, encoding: 'utf8' },
  );
  if (initialised.status !== 0)
    throw new Error(`initdb failed: ${initialised.stderr}`);
  const port = await freePort();
  let server;
  const start = async () => {
    server = spawn(
      join(bin, 'postgres'),
      [
        ...['-D', data],
        ...['-h', '127.0.0.1'],
        ...['-p', String(port)],
        ...['-k', folder],
        ...['-c', 'fsync=off'],
        ...['-c', 'max_connections=300'],
      ],
      { ...as, stdio: 'ignore' },
    );
    while (!pidFileSaysReady(data, server.pid)) {
      if (server.exitCode !== null)
        throw new Error(`PostgreSQL ended with code ${server.exitCode}`);
      await delay(50);
    }
  };
  /** SIGINT: open transactions are aborted, clients disconnected. SIGQUIT: as a crash. */
  const end = async signal => {
    if (server.exitCode !== null) return;
    const gone = new Promise(done => server.once('exit', done));
    server.kill(signal);
    await gone;
  };
  const stop = async () => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  /** Goes away as in a crash and comes back on the same port with what was committed. */
  const restart = async () => {
    await end('SIGQUIT');
    await start();
  };
  await start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    version,
    restart,
    stop,
  };
}

/** The server writes its pid first and `ready` as the last line of its pid file when it accepts connections. */
function pidFileSaysReady(data, pid) {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return false;
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines[0] === String(pid) && lines.at(-1).trim() === 'ready';
}

function findPrograms() {
  const versions = '/usr/lib/postgresql';
  const candidates = [
    ...process.env.PATH.split(delimiter),
    ...(existsSync(versions)
      ? readdirSync(versions)
          .sort((a, b) => Number(b) - Number(a))
          .map(v => join(versions, v, 'bin'))
      : []),
  ];
  return candidates.find(
    folder =>
      existsSync(join(folder, 'initdb')) &&
      existsSync(join(folder, 'postgres')),
  );
}

/** PostgreSQL refuses to run as root: the packaged `postgres` user is used then. */
function serverUser(folder) {
  if (process.getuid?.() !== 0) return {};
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(line => line.startsWith('postgres:'));
  if (!entry)
    throw new Error(
      'PostgreSQL cannot run as root and there is no user "postgres"',
    );
  const [, , uid, gid] = entry.split(':').map(Number);
  chownSync(folder, uid, gid);
  return { uid, gid, cwd: folder };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
