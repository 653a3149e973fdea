import { parseArgs } from 'node:util';
import { listeners, Ports, portsFrom, SandboxError } from './ports';
import { SandboxOptions } from './sandbox';

export const usage = `Usage: sandbox [options]
  --data <folder>     keep everything in this folder (default: nothing is kept)
  --port-base <n>     first port of the block (default 7400: hub on 7410)
  --ports <json>      the ports one by one, {"hub":7410,…}
  --host <address>    where to listen (default 127.0.0.1)
  --no-load           no background load: every GPU is free
  --seed <n>          another history of background load (default 1)
  --time-scale <n>    seconds of work in one second (default 1)`;

function wholeNumber(
  name: string,
  text: string,
  from: number,
  to: number,
): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < from || value > to) {
    throw new SandboxError(
      `--${name} is '${text}'; accepted: a whole number from ${from} to ${to}`,
    );
  }
  return value;
}

function parsePorts(text: string): Ports {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(text);
  } catch {
    throw new SandboxError(
      `--ports is '${text}'; accepted: a JSON object of ports`,
    );
  }
  return Object.fromEntries(
    listeners.map(name => [
      name,
      wholeNumber(`ports ${name}`, String(given[name]), 0, 65_535),
    ]),
  ) as Ports;
}

/**
 * The options of a command line; undefined when help is asked for.
 *
 * @throws SandboxError that says what is accepted
 */
export function parseCommandLine(
  args: readonly string[],
): SandboxOptions | undefined {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        'port-base': { type: 'string' },
        ports: { type: 'string' },
        host: { type: 'string' },
        'no-load': { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        'time-scale': { type: 'string', default: '1' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new SandboxError(`${(error as Error).message}\n${usage}`);
  }
  if (values.help) {
    return undefined;
  }
  const timeScale = Number(values['time-scale']);
  if (!(timeScale > 0 && timeScale <= 100_000)) {
    throw new SandboxError(
      `--time-scale is '${values['time-scale']}'; accepted: a number above 0, at most 100000`,
    );
  }
  let ports: Ports | undefined;
  if (values.ports !== undefined) {
    ports = parsePorts(values.ports);
  } else if (values['port-base'] !== undefined) {
    ports = portsFrom(
      wholeNumber('port-base', values['port-base'], 1024, 65_000),
    );
  }
  return {
    dataDir: values.data,
    ports,
    host: values.host,
    backgroundLoad: !values['no-load'],
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31 - 1),
    timeScale,
  };
}
