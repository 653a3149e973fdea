import { ApiStatusError, badRequest, expired } from './apiStatus';
import { keyOf, objectKey } from './collection';
import type { MemoryStore } from './memoryStore';
import type { KubernetesObject } from './objectStore';
import type { Selector } from './selectors';

export interface ListRequest {
  kind: string;
  namespace?: string;
  selects?: Selector;
  /** Most objects of a page; 0 and undefined mean all. */
  limit?: number;
  continueToken?: string;
  resourceVersion?: string;
  resourceVersionMatch?: string;
}

export interface ListPage {
  items: KubernetesObject[];
  resourceVersion: string;
  continueToken?: string;
  /** How many follow; known only when nothing was selected. */
  remainingItemCount?: number;
}

interface Token {
  rv: number;
  /** Key of the last object handed out. */
  start: string;
}

const tooOldToContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function encodeToken(token: Token): string {
  return Buffer.from(
    JSON.stringify({ v: 'meta.k8s.io/v1', ...token }),
  ).toString('base64url');
}

function decodeToken(text: string): Token {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (
      token.v === 'meta.k8s.io/v1' &&
      Number.isInteger(token.rv) &&
      typeof token.start === 'string'
    ) {
      return token;
    }
  } catch {
    // Refused below: not a token of ours.
  }
  throw badRequest(`continue key is not valid: ${text}`);
}

/** Reads a resourceVersion of a query. Throws 400 when it is no whole number. */
export function parseVersion(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(
        text,
      )}: accepted is a resourceVersion that this server gave out`,
    );
  }
  return Number(text);
}

/**
 * A page of a list as it was at one resourceVersion. Later pages undo what has
 * changed since with the help of the event history, so that no copy is kept;
 * when the history does not reach back, 410 Expired with a token to go on
 * inconsistently.
 */
export function listPage(store: MemoryStore, request: ListRequest): ListPage {
  const current = Number(store.resourceVersion());
  let version = current;
  let after: string | undefined;
  if (request.continueToken) {
    const token = decodeToken(request.continueToken);
    after = token.start;
    // A version of 0 is that of a token for going on inconsistently.
    version = token.rv === 0 ? current : token.rv;
    if (!store.remembers(version)) {
      throw expired(tooOldToContinue, encodeToken({ rv: 0, start: after }));
    }
  } else if (request.resourceVersion) {
    version = wantedVersion(request, current);
    if (!store.remembers(version)) {
      throw expired(
        `The resourceVersion for the provided list is too old: ${version}`,
      );
    }
  }
  const { keys, objectAt } = stateAt(store, request.kind, version);
  const prefix = request.namespace ? objectKey('', request.namespace) : '';
  const limit = request.limit || Infinity;
  const items: KubernetesObject[] = [];
  let index = firstAfter(keys, after);
  for (; index < keys.length && items.length < limit; index++) {
    const key = keys[index];
    const object = key.startsWith(prefix) ? objectAt(key) : undefined;
    if (object && (request.selects?.(object) ?? true)) {
      items.push(object);
    }
  }
  const rest = keys
    .slice(index)
    .filter(key => key.startsWith(prefix) && objectAt(key)).length;
  return {
    items,
    resourceVersion: String(version),
    ...(rest > 0 && {
      continueToken: encodeToken({
        rv: version,
        start: items.length > 0 ? keyOf(items[items.length - 1]) : '',
      }),
      ...(!request.selects && { remainingItemCount: rest }),
    }),
  };
}

function wantedVersion(request: ListRequest, current: number): number {
  const asked = parseVersion(request.resourceVersion!);
  if (asked > current) {
    throw new ApiStatusError({
      code: 504,
      reason: 'Timeout',
      message: `Too large resource version: ${asked}, current: ${current}`,
      details: {
        causes: [
          {
            reason: 'ResourceVersionTooLarge',
            message: 'Too large resource version',
          },
        ],
        retryAfterSeconds: 1,
      },
    });
  }
  return request.resourceVersionMatch === 'Exact' ? asked : current;
}

function firstAfter(keys: readonly string[], after?: string): number {
  if (after === undefined) {
    return 0;
  }
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (keys[middle] <= after) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Keys and objects of a kind as they were at a version: what came later is undone. */
function stateAt(
  store: MemoryStore,
  kind: string,
  version: number,
): {
  keys: readonly string[];
  objectAt: (key: string) => KubernetesObject | undefined;
} {
  const before = new Map<string, KubernetesObject | undefined>();
  for (const commit of store.commitsSince(version)) {
    if (commit.kind === kind) {
      const key = keyOf(commit.event.object);
      if (!before.has(key)) {
        before.set(key, commit.event.previous);
      }
    }
  }
  const present = store.sortedKeys(kind);
  const gone = [...before].some(
    ([key, object]) => object && !store.byKey(kind, key),
  );
  return {
    keys: gone ? [...new Set([...present, ...before.keys()])].sort() : present,
    objectAt: key =>
      before.has(key) ? before.get(key) : store.byKey(kind, key),
  };
}
