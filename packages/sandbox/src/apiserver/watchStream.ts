import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock';
import { ApiStatusError } from './apiStatus';
import { groupVersion } from './discovery';
import { encodeJson } from './encodeJson';
import type { Commit } from './eventHistory';
import type { MemoryStore } from './memoryStore';
import type { KubernetesObject, ResourceType, WatchEvent } from './objectStore';
import type { Selector } from './selectors';

export interface WatchRequest {
  type: ResourceType;
  namespace?: string;
  selects?: Selector;
  /** Go on after this version; undefined: begin with what is there. */
  after?: number;
  /** Also begin with what is there, and say where that ends. */
  sendInitialEvents?: boolean;
  bookmarks: boolean;
  timeoutSeconds: number;
  /** How an object is shown: itself, its metadata, a table. */
  show: (object: KubernetesObject, isFirst: boolean) => unknown;
}

/** An open watch, as the server keeps it to close or break it. */
export interface WatchStream {
  /** Ends it as a server does whose time is up. */
  end(): void;
  /** Breaks the connection half-way through an event. */
  cut(): void;
}

const bookmarkEveryMilliseconds = 60_000;
/** A bookmark is sent this long before the end, so that the next watch starts from there. */
const bookmarkBeforeEndMilliseconds = 2_000;
/** A client that has left so many bytes unread is dropped. */
const unreadLimit = 32 * 1024 * 1024;

/** What a commit is to a watcher that selects: objects come into and go out of its sight. */
function seenAs(
  commit: Commit,
  sees: (object: KubernetesObject) => boolean,
): WatchEvent['type'] | undefined {
  const { type, object, previous } = commit.event;
  const before = previous !== undefined && sees(previous);
  const after = type !== 'DELETED' && sees(object);
  if (before) {
    return after ? 'MODIFIED' : 'DELETED';
  }
  return after ? 'ADDED' : undefined;
}

/** What goes is shown as it was last seen, with the version at which it went (`convertToWatchEvent` of k8s.io/apiserver). */
function lastSeen({ version, event }: Commit): KubernetesObject {
  const { object, previous = object } = event;
  return {
    ...previous,
    metadata: { ...previous.metadata, resourceVersion: String(version) },
  };
}

/**
 * Streams the events of a kind into a response until time is up, the client
 * leaves, or it is ended. Throws 410 when events after `after` are forgotten;
 * the caller sends that as an ERROR event.
 */
export function openWatch(
  store: MemoryStore,
  response: ServerResponse,
  clock: Clock,
  request: WatchRequest,
): WatchStream {
  const { type, namespace, selects } = request;
  const sees = (object: KubernetesObject) =>
    (!namespace || object.metadata.namespace === namespace) &&
    (selects?.(object) ?? true);
  let isFirst = true;
  let sent = request.after ?? Number(store.resourceVersion());

  const write = (line: object) => {
    response.write(`${encodeJson(line)}\n`);
    if (response.writableLength > unreadLimit) {
      response.destroy();
    }
  };
  const event = (what: WatchEvent['type'], object: KubernetesObject) => {
    write({ type: what, object: request.show(object, isFirst) });
    isFirst = false;
  };
  const deliver = (commit: Commit) => {
    if (commit.version <= sent) {
      return;
    }
    sent = commit.version;
    const seen = commit.kind === type.kind ? seenAs(commit, sees) : undefined;
    if (seen) {
      event(seen, seen === 'DELETED' ? lastSeen(commit) : commit.event.object);
    }
  };
  const bookmark = (annotations?: Record<string, string>) =>
    write({
      type: 'BOOKMARK',
      object: {
        kind: type.kind,
        apiVersion: groupVersion(type),
        metadata: {
          resourceVersion: String(sent),
          creationTimestamp: null,
          ...(annotations && { annotations }),
        },
      },
    });

  const missed =
    request.after === undefined ? [] : store.commitsSince(request.after);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  if (request.after === undefined || request.sendInitialEvents) {
    sent = Number(store.resourceVersion());
    for (const object of store.list(type.kind, { namespace })) {
      if (sees(object)) {
        event('ADDED', object);
      }
    }
    if (request.sendInitialEvents && request.bookmarks) {
      bookmark({ 'k8s.io/initial-events-end': 'true' });
    }
  } else {
    missed.forEach(deliver);
  }

  const cancel: Array<() => void> = [store.observe(deliver)];
  const stop = () => cancel.splice(0).forEach(one => one());
  const end = () => {
    stop();
    response.end();
  };
  const duration = request.timeoutSeconds * 1000;
  cancel.push(clock.after(duration, end));
  if (request.bookmarks) {
    let left = duration - bookmarkBeforeEndMilliseconds;
    const schedule = () => {
      const wait = Math.min(bookmarkEveryMilliseconds, Math.max(left, 0));
      left -= wait;
      cancel.push(
        clock.after(wait, () => {
          bookmark();
          if (left > 0) {
            schedule();
          }
        }),
      );
    };
    schedule();
  }
  response.on('close', stop);
  return {
    end,
    cut() {
      stop();
      const [object] = store.list(type.kind, { namespace });
      const whole = encodeJson({ type: 'MODIFIED', object: object ?? {} });
      response.write(whole.slice(0, Math.ceil(whole.length / 2)), () =>
        response.destroy(),
      );
    },
  };
}

/** Sends a refusal the way a watch does: as an ERROR event of a stream that ends. */
export function sendWatchError(
  response: ServerResponse,
  error: ApiStatusError,
): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(`${encodeJson({ type: 'ERROR', object: error.toStatus() })}\n`);
}
