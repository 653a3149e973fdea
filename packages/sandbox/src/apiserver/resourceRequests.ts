/* eslint-disable @typescript-eslint/no-explicit-any */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock';
import {
  ApiStatusError,
  badRequest,
  invalid,
  notFound,
  unknownPath,
} from './apiStatus';
import type { UserInfo } from './authentication';
import { groupVersion } from './discovery';
import {
  acceptedShape,
  mediaType,
  readBody,
  sendJson,
  type Shape,
} from './httpExchange';
import { listPage, parseVersion } from './listing';
import type { MemoryStore } from './memoryStore';
import type {
  DeleteOptions,
  KubernetesObject,
  ResourceType,
  WriteOptions,
} from './objectStore';
import { isBuiltIn, patched, patchTypes } from './patch/applyPatch';
import { serverSideApply } from './patch/serverSideApply';
import { protobufType } from './protobuf';
import type { ResourcePath } from './requestInfo';
import { fieldSelector, labelSelector, type Selector } from './selectors';
import { partialMetadata, table } from './tableOutput';
import { openWatch, sendWatchError, type WatchStream } from './watchStream';

/** A request for a resource whose sender may make it. */
export interface ResourceRequest {
  store: MemoryStore;
  clock: Clock;
  user: UserInfo;
  verb: Verb;
  path: ResourcePath;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
  /** Hands an open watch to the server. */
  keep: (stream: WatchStream) => void;
}

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

const methodVerbs: Readonly<Record<string, { named?: Verb; unnamed?: Verb }>> =
  {
    GET: { named: 'get', unnamed: 'list' },
    POST: { unnamed: 'create' },
    PUT: { named: 'update' },
    PATCH: { named: 'patch' },
    DELETE: { named: 'delete', unnamed: 'deletecollection' },
  };

/** The verb of a request, as RBAC calls it. Throws 405 for a method that does not fit the path. */
export function verbOf(
  method: string,
  path: ResourcePath,
  query: URLSearchParams,
): Verb {
  if (path.subresource === 'eviction' && method === 'POST') {
    return 'create';
  }
  const verb = methodVerbs[method]?.[path.name ? 'named' : 'unnamed'];
  const onWhole = path.type.namespaced && !path.namespace && !path.name;
  if (!verb || (onWhole && verb === 'create')) {
    throw new ApiStatusError({
      code: 405,
      reason: 'MethodNotAllowed',
      message:
        'the server does not allow this method on the requested resource',
      details: {},
    });
  }
  const watches = ['true', '1'].includes(query.get('watch') ?? '');
  return method === 'GET' && watches ? 'watch' : verb;
}

function existing({ store, path }: ResourceRequest): KubernetesObject {
  const object = store.get(path.type.kind, path.name!, path.namespace);
  if (!object) {
    throw notFound(path.type, path.name!);
  }
  return object;
}

function show(
  context: ResourceRequest,
  shape: Shape,
  object: KubernetesObject,
  withoutColumns = false,
): unknown {
  if (shape === 'metadata') {
    return partialMetadata(object);
  }
  if (shape === 'table') {
    return table(context.path.type, [object], {
      metadata: { resourceVersion: object.metadata.resourceVersion },
      includeObject: context.query.get('includeObject') ?? undefined,
      now: context.clock.now(),
      withoutColumns,
    });
  }
  return object;
}

function sendObject(
  context: ResourceRequest,
  code: number,
  object: KubernetesObject,
): void {
  const shape = acceptedShape(context.request.headers.accept);
  sendJson(context.response, code, show(context, shape, object));
}

function selectorOf(context: ResourceRequest): Selector | undefined {
  const { path, query } = context;
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const selectors = [
    ...(labels ? [labelSelector(labels)] : []),
    ...(fields ? [fieldSelector(path.type, fields)] : []),
    ...(path.name
      ? [(object: KubernetesObject) => object.metadata.name === path.name]
      : []),
  ];
  return selectors.length > 0
    ? object => selectors.every(selects => selects(object))
    : undefined;
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') {
    return undefined;
  }
  if (!/^\d+$/.test(text)) {
    throw badRequest(`${name}: ${JSON.stringify(text)} is no whole number`);
  }
  return Number(text);
}

/** Items of lists of built-in kinds carry no kind of their own, those of custom resources do. */
function listItem(type: ResourceType, object: KubernetesObject): unknown {
  if (!isBuiltIn(type)) {
    return object;
  }
  const { kind, apiVersion, ...rest } = object;
  return rest;
}

function list(context: ResourceRequest): void {
  const { store, path, query, response } = context;
  const { type } = path;
  const shape = acceptedShape(context.request.headers.accept);
  const page = listPage(store, {
    kind: type.kind,
    namespace: path.namespace,
    selects: selectorOf(context),
    limit: wholeNumber(query, 'limit'),
    continueToken: query.get('continue') ?? undefined,
    resourceVersion: query.get('resourceVersion') || undefined,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? undefined,
  });
  const metadata = {
    resourceVersion: page.resourceVersion,
    ...(page.continueToken && { continue: page.continueToken }),
    ...(page.remainingItemCount && {
      remainingItemCount: page.remainingItemCount,
    }),
  };
  if (shape === 'table') {
    const includeObject = query.get('includeObject') ?? undefined;
    sendJson(
      response,
      200,
      table(type, page.items, {
        metadata,
        includeObject,
        now: context.clock.now(),
      }),
    );
    return;
  }
  const isMetadata = shape === 'metadata';
  sendJson(response, 200, {
    kind: isMetadata ? 'PartialObjectMetadataList' : `${type.kind}List`,
    apiVersion: isMetadata ? 'meta.k8s.io/v1' : groupVersion(type),
    metadata,
    items: page.items.map(object =>
      isMetadata ? partialMetadata(object) : listItem(type, object),
    ),
  });
}

function watch(context: ResourceRequest): void {
  const { store, clock, path, query, response } = context;
  const shape = acceptedShape(context.request.headers.accept);
  const bookmarks = query.get('allowWatchBookmarks') === 'true';
  const sendInitialEvents = query.get('sendInitialEvents') === 'true';
  const match = query.get('resourceVersionMatch');
  if (sendInitialEvents && match !== 'NotOlderThan') {
    throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
      {
        reason: 'FieldValueForbidden',
        field: 'resourceVersionMatch',
        message:
          'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      },
    ]);
  }
  const version = query.get('resourceVersion') || '0';
  const after = parseVersion(version);
  // Thirty to sixty minutes, so that watches do not all end at once.
  const timeoutSeconds =
    wholeNumber(query, 'timeoutSeconds') || 1800 * (1 + Math.random());
  try {
    const stream = openWatch(store, response, clock, {
      type: path.type,
      namespace: path.namespace,
      selects: selectorOf(context),
      after: after === 0 ? undefined : after,
      sendInitialEvents,
      bookmarks,
      timeoutSeconds,
      show: (object, isFirst) => show(context, shape, object, !isFirst),
    });
    context.keep(stream);
  } catch (error) {
    if (error instanceof ApiStatusError && error.code === 410) {
      sendWatchError(response, error);
      return;
    }
    throw error;
  }
}

function writeOptions(context: ResourceRequest): WriteOptions {
  const { query, path, user } = context;
  const dryRun = query.getAll('dryRun');
  if (dryRun.some(value => value !== 'All' && value !== '')) {
    throw badRequest(
      `dryRun: Unsupported value: ${JSON.stringify(
        dryRun[0],
      )}: supported values: "All"`,
    );
  }
  return {
    user: user.name,
    dryRun: dryRun.includes('All'),
    fieldManager: query.get('fieldManager') ?? undefined,
    ...(path.subresource === 'status' && { subresource: 'status' as const }),
  };
}

/** The object in the body, which must be of the path's kind, namespace and name. */
async function readObject(context: ResourceRequest): Promise<KubernetesObject> {
  const { path, request } = context;
  const { type } = path;
  const body: any = await readBody(request);
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind; json parse error: unexpected end of JSON input`,
    );
  }
  body.kind ??= type.kind;
  body.apiVersion ??= groupVersion(type);
  if (body.kind !== type.kind || body.apiVersion !== groupVersion(type)) {
    throw badRequest(
      `${body.kind} in version ${JSON.stringify(
        body.apiVersion,
      )} cannot be handled as a ${type.kind}: no kind ${JSON.stringify(
        body.kind,
      )} is registered for version ${JSON.stringify(
        groupVersion(type),
      )} in scheme`,
    );
  }
  checkIdentity(context, body);
  return body;
}

function checkIdentity(context: ResourceRequest, object: any): void {
  const { path } = context;
  object.metadata ??= {};
  const { metadata } = object;
  if (path.namespace) {
    metadata.namespace ??= path.namespace;
    if (metadata.namespace !== path.namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
  }
  if (path.name) {
    metadata.name ??= path.name;
    if (metadata.name !== path.name) {
      throw badRequest(
        `the name of the object (${metadata.name}) does not match the name on the URL (${path.name})`,
      );
    }
  }
}

async function create(context: ResourceRequest): Promise<void> {
  const object = await readObject(context);
  delete object.metadata.resourceVersion;
  sendObject(context, 201, context.store.create(object, writeOptions(context)));
}

async function update(context: ResourceRequest): Promise<void> {
  const object = await readObject(context);
  const { type } = context.path;
  existing(context);
  if (!object.metadata.resourceVersion && !isBuiltIn(type)) {
    throw invalid(type, object.metadata.name, [
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
  sendObject(context, 200, context.store.update(object, writeOptions(context)));
}

async function patch(context: ResourceRequest): Promise<void> {
  const { store, path, query, request } = context;
  const type = mediaType(request);
  const body: any = await readBody(request);
  if (type === patchTypes.apply) {
    await apply(context, body);
    return;
  }
  const old = existing(context);
  const next = patched(path.type, old, type, body);
  checkIdentity(context, next);
  next.kind = old.kind;
  if (query.get('force')) {
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
      {
        reason: 'FieldValueForbidden',
        field: 'force',
        message: 'Forbidden: may not be specified for non-apply patch',
      },
    ]);
  }
  sendObject(context, 200, store.update(next, writeOptions(context)));
}

async function apply(context: ResourceRequest, body: any): Promise<void> {
  const { store, path, query } = context;
  if (!query.get('fieldManager')) {
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
      {
        reason: 'FieldValueRequired',
        field: 'fieldManager',
        message: 'Required value: is required for apply patch',
      },
    ]);
  }
  checkIdentity(context, body);
  const old = store.get(path.type.kind, path.name!, path.namespace);
  if (old) {
    const next = serverSideApply(old, body);
    sendObject(context, 200, store.update(next, writeOptions(context)));
  } else {
    sendObject(context, 201, store.create(body, writeOptions(context)));
  }
}

async function deleteOptions(context: ResourceRequest): Promise<DeleteOptions> {
  const { query, request, user } = context;
  const body: any = (await readBody(request)) ?? {};
  const dryRun = [...query.getAll('dryRun'), ...(body.dryRun ?? [])];
  const policy = body.propagationPolicy ?? query.get('propagationPolicy');
  if (policy && !['Background', 'Foreground', 'Orphan'].includes(policy)) {
    throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
      {
        reason: 'FieldValueNotSupported',
        field: 'propagationPolicy',
        message: `Unsupported value: ${JSON.stringify(
          policy,
        )}: supported values: "Foreground", "Background", "Orphan", "nil"`,
      },
    ]);
  }
  return {
    user: user.name,
    dryRun: dryRun.includes('All'),
    propagationPolicy: policy ?? undefined,
    gracePeriodSeconds:
      body.gracePeriodSeconds ?? wholeNumber(query, 'gracePeriodSeconds'),
    preconditions: body.preconditions,
  };
}

async function remove(context: ResourceRequest): Promise<void> {
  const { store, path, response } = context;
  const options = await deleteOptions(context);
  const old = existing(context);
  store.delete(path.type.kind, path.name!, path.namespace, options);
  const left = store.get(path.type.kind, path.name!, path.namespace);
  if (left && left.metadata.uid === old.metadata.uid) {
    sendObject(context, 200, left);
    return;
  }
  sendJson(response, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: path.name,
      ...(path.type.group && { group: path.type.group }),
      kind: path.type.resource,
      uid: old.metadata.uid,
    },
  });
}

async function removeAll(context: ResourceRequest): Promise<void> {
  const { store, path } = context;
  const options = await deleteOptions(context);
  const { items } = listPage(store, {
    kind: path.type.kind,
    namespace: path.namespace,
    selects: selectorOf(context),
  });
  for (const { metadata } of items) {
    // An earlier deletion may have taken this one along.
    if (store.get(path.type.kind, metadata.name, metadata.namespace)) {
      store.delete(path.type.kind, metadata.name, metadata.namespace, options);
    }
  }
  sendJson(context.response, 200, {
    kind: `${path.type.kind}List`,
    apiVersion: groupVersion(path.type),
    metadata: { resourceVersion: store.resourceVersion() },
    items: items.map(object => listItem(path.type, object)),
  });
}

/**
 * `kubectl drain` evicts; there are no disruption budgets to hold it up. What
 * it sends as protobuf says nothing that is not in the path.
 */
async function evict(context: ResourceRequest): Promise<void> {
  const { store, path, request, response, user } = context;
  const body: any =
    mediaType(request) === protobufType ? {} : (await readBody(request)) ?? {};
  existing(context);
  store.delete('Pod', path.name!, path.namespace, {
    user: user.name,
    gracePeriodSeconds: body.deleteOptions?.gracePeriodSeconds,
    dryRun: body.deleteOptions?.dryRun?.includes('All'),
  });
  sendJson(response, 201, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code: 201,
  });
}

const handlers: Record<
  Verb,
  (context: ResourceRequest) => void | Promise<void>
> = {
  get: context => sendObject(context, 200, existing(context)),
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeAll,
};

/** Does what a request asks and answers it. Throws ApiStatusError for the server to send. */
export async function handleResource(context: ResourceRequest): Promise<void> {
  const { path, verb } = context;
  if (path.subresource === 'eviction' && path.type.kind === 'Pod') {
    await evict(context);
    return;
  }
  const isStatus = path.subresource === 'status' && path.type.hasStatus;
  if (path.subresource && !isStatus) {
    throw unknownPath();
  }
  await handlers[verb](context);
}
