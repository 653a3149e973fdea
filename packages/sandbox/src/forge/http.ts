import { IncomingMessage, ServerResponse } from 'node:http';
import { Account } from './accounts';
import { ForgeError, unprocessable } from './forgeError';

/** One request on its way through the forge. */
export interface Call {
  request: IncomingMessage;
  url: URL;
  /** Named parts of the path, decoded. */
  params: Record<string, string>;
  /** Who asks; undefined when nobody said. */
  account?: Account;
  /** The body as JSON object; {} when empty. */
  body: Record<string, any>;
}

export interface Answer {
  status: number;
  json?: unknown;
  text?: string | Buffer;
  headers?: Record<string, string>;
}

export interface Route {
  method: string;
  path: RegExp;
  handle: (call: Call) => Promise<Answer> | Answer;
}

/**
 * A route from a pattern: `:name` is one segment, `:name#` a number, `*` the
 * rest of the path (as `params.rest`).
 */
export function route(
  method: string,
  pattern: string,
  handle: Route['handle'],
): Route {
  const source = pattern
    .replaceAll('.', '\\.')
    .replace(/:(\w+)#/g, '(?<$1>\\d+)')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace('*', '(?<rest>.*)');
  return { method, path: new RegExp(`^${source}/?$`), handle };
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/**
 * The route of a request; undefined when the path is unknown.
 *
 * @throws ForgeError 405 when the path is known with other methods
 */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): Match | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  let otherMethod = false;
  for (const candidate of routes) {
    const match = candidate.path.exec(path);
    if (match && candidate.method === wanted) {
      const params: Record<string, string> = {};
      for (const [name, value] of Object.entries(match.groups ?? {})) {
        params[name] = decodePath(value);
      }
      return { route: candidate, params };
    }
    otherMethod ||= match !== null;
  }
  if (otherMethod) {
    throw new ForgeError(405, 'Method Not Allowed');
  }
  return undefined;
}

function decodePath(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ForgeError(400, `invalid URL escape in "${value}"`);
  }
}

const largestBody = 32 * 1024 * 1024;

/** The whole body, at most 32 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > largestBody) {
      throw new ForgeError(413, `the body is larger than ${largestBody} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as a JSON object; Gitea answers 422 to anything else. */
export function parseJsonBody(body: Buffer): Record<string, unknown> {
  if (body.length === 0) {
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch (error) {
    throw unprocessable(`[]: Deserialization: ${(error as Error).message}`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw unprocessable('[]: Deserialization: an object is expected');
  }
  return value as Record<string, unknown>;
}

export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  withBody = true,
): void {
  const content =
    answer.json === undefined
      ? Buffer.from(answer.text ?? '')
      : Buffer.from(JSON.stringify(answer.json));
  const type =
    answer.json === undefined
      ? 'text/plain; charset=utf-8'
      : 'application/json;charset=utf-8';
  response.writeHead(answer.status, {
    ...(answer.status === 204 ? {} : { 'Content-Type': type }),
    'Content-Length': String(content.length),
    'Cache-Control': 'max-age=0, private, must-revalidate, no-transform',
    'X-Content-Type-Options': 'nosniff',
    ...answer.headers,
  });
  response.end(withBody ? content : undefined);
}
