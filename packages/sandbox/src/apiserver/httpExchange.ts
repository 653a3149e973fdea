import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { ApiStatusError, badRequest, unsupportedMediaType } from './apiStatus';
import { encodeJson } from './encodeJson';

/** Largest body taken, in bytes, as on a real API server. */
const bodyLimit = 3 * 1024 * 1024;

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  contentType = 'application/json',
): void {
  const text = encodeJson(body);
  response.writeHead(code, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-cache, private',
  });
  response.end(text);
}

/** Answers with plain text. */
export function sendText(
  response: ServerResponse,
  code: number,
  text: string,
): void {
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(text);
}

/** The media type of the body, without parameters. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? 'application/json')
    .split(';')[0]
    .trim()
    .toLowerCase();
}

/** The whole body as it came. Throws 413. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyLimit) {
      throw new ApiStatusError({
        code: 413,
        reason: 'RequestEntityTooLarge',
        message: `Request entity too large: limit is ${bodyLimit}`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The whole body, read as JSON or YAML; undefined when there is none. Throws 415, 413 and 400. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const type = mediaType(request);
  if (!/[/+](json|yaml)$/.test(type)) {
    throw unsupportedMediaType(['application/json', 'application/yaml']);
  }
  const text = (await readBytes(request)).toString('utf8');
  if (text === '') {
    return undefined;
  }
  try {
    return type.endsWith('yaml') ? parseYaml(text) : JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: ${
        (error as Error).message
      }`,
    );
  }
}

/** In what shape objects are to be sent. */
export type Shape = 'object' | 'table' | 'metadata';

/** The first shape of the Accept header that can be served; 406 when there is none. */
export function acceptedShape(accept: string | undefined): Shape {
  if (!accept) {
    return 'object';
  }
  for (const clause of accept.split(',')) {
    const [type, ...parameters] = clause
      .trim()
      .split(';')
      .map(part => part.trim());
    const as = parameters.find(part => part.startsWith('as='))?.slice(3);
    const version = parameters.find(part => part.startsWith('v='))?.slice(2);
    const isJson = ['application/json', 'application/*', '*/*'].includes(type);
    if (isJson && !as) {
      return 'object';
    }
    if (isJson && as === 'Table' && version === 'v1') {
      return 'table';
    }
    if (isJson && as?.startsWith('PartialObjectMetadata') && version === 'v1') {
      return 'metadata';
    }
  }
  throw new ApiStatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json',
  });
}
