/* eslint-disable @typescript-eslint/no-explicit-any */
import { badRequest, invalid } from './apiStatus';
import { groupVersion } from './discovery';
import { mediaType, readBody, sendJson } from './httpExchange';
import { listPage } from './listing';
import type {
  DeleteOptions,
  KubernetesObject,
  WriteOptions,
} from './objectStore';
import { isBuiltIn, patched, patchTypes } from './patch/applyPatch';
import { serverSideApply } from './patch/serverSideApply';
import { protobufType } from './protobuf';
import {
  existing,
  listItem,
  type ResourceRequest,
  selectorOf,
  sendObject,
  wholeNumber,
} from './resourceContext';

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

/** POST. */
export async function create(context: ResourceRequest): Promise<void> {
  const object = await readObject(context);
  delete object.metadata.resourceVersion;
  sendObject(context, 201, context.store.create(object, writeOptions(context)));
}

/** PUT: full replacement. */
export async function update(context: ResourceRequest): Promise<void> {
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

/** PATCH of every kind, apply included. */
export async function patch(context: ResourceRequest): Promise<void> {
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

/** DELETE of one object. */
export async function remove(context: ResourceRequest): Promise<void> {
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

/** DELETE of a collection. */
export async function removeAll(context: ResourceRequest): Promise<void> {
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
export async function evict(context: ResourceRequest): Promise<void> {
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
