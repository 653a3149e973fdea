import { ApiStatusError, invalid } from './apiStatus';
import { groupVersion } from './discovery';
import { acceptedShape, sendJson } from './httpExchange';
import { listPage, parseVersion } from './listing';
import {
  listItem,
  type ResourceRequest,
  selectorOf,
  show,
  wholeNumber,
} from './resourceContext';
import { partialMetadata, table } from './tableOutput';
import { openWatch, sendWatchError } from './watchStream';

/** Answers a list, whole or a page. */
export function list(context: ResourceRequest): void {
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

/** Opens a watch. */
export function watch(context: ResourceRequest): void {
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
