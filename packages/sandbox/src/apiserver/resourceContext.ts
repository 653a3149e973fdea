import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock';
import { badRequest, notFound } from './apiStatus';
import type { UserInfo } from './authentication';
import { acceptedShape, sendJson, type Shape } from './httpExchange';
import type { MemoryStore } from './memoryStore';
import type { KubernetesObject, ResourceType } from './objectStore';
import { isBuiltIn } from './patch/applyPatch';
import type { ResourcePath } from './requestInfo';
import { fieldSelector, labelSelector, type Selector } from './selectors';
import { partialMetadata, table } from './tableOutput';
import type { WatchStream } from './watchStream';

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

/** What RBAC calls the things one can do to a resource. */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** The object a path names. Throws 404. */
export function existing({ store, path }: ResourceRequest): KubernetesObject {
  const object = store.get(path.type.kind, path.name!, path.namespace);
  if (!object) {
    throw notFound(path.type, path.name!);
  }
  return object;
}

/** An object in the shape that was asked for. */
export function show(
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

/** Answers with one object. */
export function sendObject(
  context: ResourceRequest,
  code: number,
  object: KubernetesObject,
): void {
  const shape = acceptedShape(context.request.headers.accept);
  sendJson(context.response, code, show(context, shape, object));
}

/** What the query and the name in the path select; undefined for everything. Throws 400. */
export function selectorOf(context: ResourceRequest): Selector | undefined {
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

/** A parameter of the query that must be a whole number. Throws 400. */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
): number | undefined {
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
export function listItem(
  type: ResourceType,
  object: KubernetesObject,
): unknown {
  if (!isBuiltIn(type)) {
    return object;
  }
  const { kind, apiVersion, ...rest } = object;
  return rest;
}
