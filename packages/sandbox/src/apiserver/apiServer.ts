import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, wallClock } from '../clock';
import { accessReviewPath, reviewAccess } from './accessReview';
import { ApiStatusError, badRequest, unknownPath } from './apiStatus';
import {
  authenticate,
  mastersGroup,
  type TokenTable,
  type UserInfo,
} from './authentication';
import {
  aggregatedDiscovery,
  aggregatedType,
  apiGroup,
  apiGroupList,
  coreVersions,
  resourceList,
  versionInfo,
} from './discovery';
import { type FaultRequest, Faults, parseFaultRequest } from './faults';
import {
  mediaType,
  readBody,
  readBytes,
  sendJson,
  sendText,
} from './httpExchange';
import type { MemoryStore } from './memoryStore';
import {
  openApiDocument,
  openApiProtobuf,
  openApiProtobufType,
} from './openApi';
import { protobufType } from './protobuf';
import { authorize } from './rbac';
import { resourcePath } from './requestInfo';
import { handleResource, verbOf } from './resourceRequests';
import type { SkewableClock } from './skewableClock';
import type { WatchStream } from './watchStream';

export interface ApiServerOptions {
  store: MemoryStore;
  tokens: TokenTable;
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  /** Give a SkewableClock, also to the store, for the clock fault. */
  clock?: Clock;
}

/** A running API server of one cluster. */
export interface ApiServer {
  url: string;
  port: number;
  /** Lasting faults, as `POST /sandbox/faults` sets them. */
  faults: Faults;
  /** Faults that happen once, and lasting ones. */
  inject(request: FaultRequest): void;
  /** Ends watches and stops listening. */
  close(): Promise<void>;
}

const faultPath = '/sandbox/faults';

/** Starts the Kubernetes API of a cluster on plain HTTP. Rejects when the port is taken. */
export async function createApiServer(
  options: ApiServerOptions,
): Promise<ApiServer> {
  const { store, tokens, port = 0, host = '127.0.0.1' } = options;
  const clock = options.clock ?? wallClock;
  const faults = new Faults();
  const streams = new Set<WatchStream>();

  const inject = (request: FaultRequest) => {
    const { cutWatches, compact, skewSeconds, ...lasting } = request;
    if (skewSeconds !== undefined) {
      if (!('skewMilliseconds' in clock)) {
        throw badRequest('faults.skewSeconds: the clock cannot be set');
      }
      (clock as SkewableClock).skewMilliseconds = skewSeconds * 1000;
    }
    if (compact) {
      store.compact();
    }
    if (cutWatches || lasting.refuse) {
      streams.forEach(stream => stream.cut());
    }
    if (Object.keys(lasting).length > 0) {
      faults.set(lasting);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://cluster');
    const isFaultSwitch = url.pathname === faultPath;
    if (!isFaultSwitch && (await faults.strike(request, response))) {
      return;
    }
    const user = authenticate(tokens, request.headers.authorization);
    if (isFaultSwitch) {
      await switchFaults(request, response, user, { faults, inject });
      return;
    }
    if (url.pathname === accessReviewPath && request.method === 'POST') {
      authorize(store, user, {
        verb: 'create',
        group: 'authorization.k8s.io',
        resource: 'selfsubjectaccessreviews',
      });
      const review =
        mediaType(request) === protobufType
          ? await readBytes(request)
          : ((await readBody(request)) as object);
      sendJson(response, 201, reviewAccess(store, user, review));
      return;
    }
    const path = resourcePath(store.types, url.pathname);
    if (!path) {
      describeServer(store, request, response, user, url.pathname);
      return;
    }
    const verb = verbOf(request.method ?? 'GET', path, url.searchParams);
    authorize(store, user, {
      verb,
      group: path.type.group,
      resource: path.type.resource,
      subresource: path.subresource,
      // The rights on a Namespace can be given inside it.
      namespace:
        path.namespace ??
        (path.type.kind === 'Namespace' ? path.name : undefined),
      name: path.name,
    });
    await handleResource({
      store,
      clock,
      user,
      verb,
      path,
      query: url.searchParams,
      request,
      response,
      keep: stream => {
        streams.add(stream);
        response.on('close', () => streams.delete(stream));
      },
    });
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(error => refuse(response, error));
  });
  // Longer than clients keep idle connections, so that none is closed under a request.
  server.keepAliveTimeout = 90_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    faults,
    inject,
    async close() {
      faults.clear();
      streams.forEach(stream => stream.end());
      const closed = new Promise(resolve => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known =
    error instanceof ApiStatusError
      ? error
      : new ApiStatusError({
          code: 500,
          reason: 'InternalError',
          message: `Internal error occurred: ${error}`,
        });
  if (known !== error) {
    // eslint-disable-next-line no-console
    console.error('API server:', error);
  }
  sendJson(response, known.code, known.toStatus());
}

async function switchFaults(
  request: IncomingMessage,
  response: ServerResponse,
  user: UserInfo,
  server: Pick<ApiServer, 'faults' | 'inject'>,
): Promise<void> {
  if (!user.groups.includes(mastersGroup)) {
    throw new ApiStatusError({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: User "${user.name}" cannot post path "${faultPath}"`,
    });
  }
  if (request.method === 'POST') {
    server.inject(parseFaultRequest(await readBody(request)));
  } else if (request.method === 'DELETE') {
    server.faults.clear();
  }
  sendJson(response, 200, server.faults.current);
}

/** Paths that name no resource: health, version, discovery, OpenAPI. */
function describeServer(
  store: MemoryStore,
  request: IncomingMessage,
  response: ServerResponse,
  user: UserInfo,
  pathname: string,
): void {
  authorize(store, user, {
    verb: (request.method ?? 'GET').toLowerCase(),
    path: pathname,
  });
  const { types } = store;
  const path = pathname.replace(/(.)\/$/, '$1');
  const accept = request.headers.accept ?? '';
  if (['/healthz', '/readyz', '/livez'].includes(path)) {
    sendText(response, 200, 'ok');
    return;
  }
  if (path === '/openapi/v2' && accept.includes('protobuf')) {
    response.writeHead(200, { 'Content-Type': openApiProtobufType });
    response.end(openApiProtobuf());
    return;
  }
  const wantsAggregated =
    accept.includes('as=APIGroupDiscoveryList') && /\bv=v2(;|,|$)/.test(accept);
  if (wantsAggregated && (path === '/api' || path === '/apis')) {
    const document = aggregatedDiscovery(types, path === '/api');
    sendJson(response, 200, document, aggregatedType);
    return;
  }
  const document = serverDocument(store, path);
  if (!document) {
    throw unknownPath();
  }
  sendJson(response, 200, document);
}

function serverDocument(store: MemoryStore, path: string): object | undefined {
  const { types } = store;
  switch (path) {
    case '/':
      return {
        paths: ['/api', '/apis', '/healthz', '/livez', '/readyz', '/version'],
      };
    case '/version':
      return versionInfo;
    case '/api':
      return coreVersions;
    case '/apis':
      return apiGroupList(types);
    case '/openapi/v2':
      return openApiDocument(types);
    default: {
      const [root, group, version] = path.split('/').slice(1);
      if (root === 'api') {
        return resourceList(types, '', group);
      }
      if (root !== 'apis' || group === '') {
        return undefined;
      }
      return version
        ? resourceList(types, group, version)
        : apiGroup(types, group);
    }
  }
}
