import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Clock, wallClock } from '../clock';
import { ObjectStore } from '../apiserver/objectStore';
import { badData, PrometheusApiError } from './apiError';
import { DeviceHistory } from './deviceHistory';
import { answer } from './httpApi';
import { QueryEngine } from './queryEngine';

export interface PrometheusOptions {
  /** Nodes and pods of the cluster whose GPUs are measured. */
  store: ObjectStore;
  /** 0: any free port. */
  port: number;
  host?: string;
  clock?: Clock;
  /** The same seed gives the same values. */
  seed?: number | string;
  scrapeIntervalSeconds?: number;
}

export interface RunningPrometheus {
  url: string;
  close(): Promise<void>;
}

const MAX_BODY = 1_000_000;
const HOUSEKEEPING_MS = 60_000;

/**
 * Starts a server that answers as Prometheus does for the DCGM series of one
 * cluster: plain selectors, instant and over a range, for the last six hours
 * since it started.
 */
export async function startPrometheus(
  options: PrometheusOptions,
): Promise<RunningPrometheus> {
  const { store, port, host = '127.0.0.1', clock = wallClock } = options;
  const history = new DeviceHistory(store, clock);
  const engine = new QueryEngine(
    history,
    options.seed ?? 1,
    (options.scrapeIntervalSeconds ?? 5) * 1000,
    () => clock.now().getTime(),
  );
  const server = createServer((request, response) => {
    respond(engine, clock, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  let cancel: () => void;
  const housekeep = () => {
    engine.tick();
    cancel = clock.after(HOUSEKEEPING_MS, housekeep);
  };
  cancel = clock.after(HOUSEKEEPING_MS, housekeep);

  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      cancel();
      history.close();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function respond(
  engine: QueryEngine,
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://prometheus');
  if (url.pathname === '/-/ready' || url.pathname === '/-/healthy') {
    const state = url.pathname === '/-/ready' ? 'Ready' : 'Healthy';
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.end(`Prometheus Server is ${state}.\n`);
    return;
  }
  try {
    const parameters = await parametersOf(request, url);
    const data = answer(
      engine,
      clock.now().getTime(),
      url.pathname,
      parameters,
    );
    send(response, 200, { status: 'success', data });
  } catch (error) {
    const known =
      error instanceof PrometheusApiError
        ? error
        : new PrometheusApiError('execution', String(error));
    send(response, known.statusCode, {
      status: 'error',
      errorType: known.errorType,
      error: known.message,
    });
  }
}

/** Parameters of the address and, of a POST, of its form. */
async function parametersOf(
  request: IncomingMessage,
  url: URL,
): Promise<URLSearchParams> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    return url.searchParams;
  }
  if (request.method !== 'POST') {
    throw badData(`method ${request.method} is not served: use GET or POST`);
  }
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > MAX_BODY) throw badData('request body is too large');
  }
  const parameters = new URLSearchParams(body);
  url.searchParams.forEach((value, key) => parameters.append(key, value));
  return parameters;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
