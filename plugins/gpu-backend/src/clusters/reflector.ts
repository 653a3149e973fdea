import { BackOff } from './backOff';
import { ClusterApi, ClusterApiError } from './clusterApi';
import { KubernetesObject } from './kubernetesObject';

export interface ReflectedEvent {
  type: 'added' | 'modified' | 'deleted';
  object: KubernetesObject;
}

/** Takes what a reflector reads. A rejected promise ends the reflector with that error. */
export interface ReflectorSink {
  /** A full list begins: what it does not name is gone when it ends. */
  listStarted(): Promise<void>;
  /** Resolves once the page is taken. */
  listPage(objects: KubernetesObject[]): Promise<void>;
  listEnded(resourceVersion: string): Promise<void>;
  /** In order; never throws. */
  event(event: ReflectedEvent, resourceVersion: string): void;
  /** Nothing happened up to this resourceVersion; never throws. */
  bookmark(resourceVersion: string): void;
  /** Resolves when events may come again: holds up a watch that outruns the database. */
  ready(): Promise<void>;
  /** True while too much is waiting to be stored. */
  full(): boolean;
  /** The watch is open: what comes is live. */
  live(): void;
  /** Not live, and why. */
  down(error: ClusterApiError): void;
}

export interface ReflectorOptions {
  api: ClusterApi;
  /** For example `/apis/kueue.x-k8s.io/v1beta2/workloads`. */
  path: string;
  labelSelector?: string;
  sink: ReflectorSink;
  /** Where an earlier run stopped; absent: list first. */
  resourceVersion?: string;
  /** Objects per page of a list. */
  pageSize?: number;
  /** Seconds after which the server ends a watch that has nothing wrong. */
  watchSeconds?: number;
  /** Milliseconds without any event or bookmark after which a connection counts as dead. */
  idleMillis?: number;
  /** Milliseconds a watch may take to be accepted. */
  openMillis?: number;
  /** Between attempts at a watch. */
  backOff?: BackOff;
  /** Between full lists, which cost the server most. */
  relistBackOff?: BackOff;
}

/** A watch that lived this long, in milliseconds, ends the memory of earlier failures. */
const STEADY_MILLIS = 60_000;

/**
 * Keeps a sink in step with one resource type: lists page by page, watches
 * from there with bookmarks, and starts over from the last resourceVersion
 * when the connection ends, or with a new list when that version is gone
 * (410). Runs until `signal` aborts or the sink fails; errors of the cluster
 * never end it.
 */
export class Reflector {
  private readonly api: ClusterApi;
  private readonly path: string;
  private readonly labelSelector?: string;
  private readonly sink: ReflectorSink;
  private readonly pageSize: number;
  private readonly watchSeconds: number;
  private readonly idleMillis: number;
  private readonly openMillis: number;
  private readonly backOff: BackOff;
  private readonly relistBackOff: BackOff;
  private resourceVersion?: string;
  private running = false;

  constructor(options: ReflectorOptions) {
    this.api = options.api;
    this.path = options.path;
    this.labelSelector = options.labelSelector;
    this.sink = options.sink;
    this.resourceVersion = options.resourceVersion;
    this.pageSize = options.pageSize ?? 500;
    this.watchSeconds = options.watchSeconds ?? 290;
    this.idleMillis = options.idleMillis ?? (this.watchSeconds + 30) * 1000;
    this.openMillis = options.openMillis ?? 30_000;
    this.backOff = options.backOff ?? new BackOff(250, 30_000);
    this.relistBackOff = options.relistBackOff ?? new BackOff(1_000, 60_000);
  }

  /** @throws what the sink threw. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.running) {
      throw new Error(`The reflector of ${this.path} is running already`);
    }
    this.running = true;
    try {
      while (!signal.aborted) {
        try {
          if (this.resourceVersion === undefined) {
            this.resourceVersion = await this.list(signal);
          }
          await this.sink.ready();
          if (signal.aborted) {
            return;
          }
          await this.watch(signal);
        } catch (error) {
          if (!(error instanceof ClusterApiError)) {
            throw error;
          }
          if (signal.aborted) {
            return;
          }
          this.sink.down(error);
          if (error.statusCode === 410) {
            this.resourceVersion = undefined;
            await this.relistBackOff.wait(signal);
          } else {
            await this.backOff.wait(signal);
          }
        }
      }
    } finally {
      this.running = false;
    }
  }

  /** Hands every object to the sink; returns the version of the list. */
  private async list(signal: AbortSignal): Promise<string> {
    await this.sink.listStarted();
    let token: string | undefined;
    let resourceVersion: string | undefined;
    do {
      const page = await this.api.get<{
        metadata?: { resourceVersion?: string; continue?: string };
        items?: KubernetesObject[];
      }>(this.path, {
        query: {
          limit: this.pageSize,
          continue: token,
          labelSelector: this.labelSelector,
        },
        signal,
      });
      // Every page of one list has the version of the first.
      resourceVersion ??= page.metadata?.resourceVersion;
      if (!resourceVersion || !Array.isArray(page.items)) {
        throw new ClusterApiError(
          `The answer to GET ${this.path} is not a Kubernetes list`,
        );
      }
      if (!page.items.every(isIdentified)) {
        throw new ClusterApiError(
          `The list of ${this.path} has an object without uid or name`,
        );
      }
      await this.sink.listPage(page.items);
      token = page.metadata?.continue || undefined;
    } while (token);
    await this.sink.listEnded(resourceVersion);
    return resourceVersion;
  }

  /**
   * One connection, to its end. Resolves when it ended in order.
   * @throws ClusterApiError when it did not; 410 asks for a new list.
   */
  private async watch(signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    let watchdog: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    let request: { abort(): void } | undefined;
    let heard = false;
    let over = false;
    try {
      await new Promise<void>((resolve, reject) => {
        const end = (error?: unknown) => {
          if (!over) {
            over = true;
            request?.abort();
            if (error) {
              reject(asClusterApiError(error, this.path));
            } else {
              resolve();
            }
          }
        };
        const listenFor = (millis: number) => {
          clearTimeout(watchdog);
          watchdog = setTimeout(
            () =>
              end(
                new ClusterApiError(
                  `The watch of ${this.path} was silent for ${millis / 1000} s`,
                ),
              ),
            millis,
          );
        };
        stop = () => end();
        signal.addEventListener('abort', stop, { once: true });
        listenFor(this.openMillis);
        this.api
          .watch(
            this.path,
            {
              resourceVersion: this.resourceVersion,
              allowWatchBookmarks: true,
              timeoutSeconds: this.watchSeconds,
              labelSelector: this.labelSelector,
            },
            // client-node swallows what this throws: it must not throw.
            (type, object) => {
              if (over) {
                return;
              }
              try {
                this.take(type, object);
                heard = true;
                this.backOff.reset();
                listenFor(this.idleMillis);
                if (this.sink.full()) {
                  end();
                }
              } catch (error) {
                end(error);
              }
            },
            error => end(isAbort(error) ? undefined : error),
          )
          .then(opened => {
            request = opened;
            if (over) {
              opened.abort();
            } else {
              listenFor(this.idleMillis);
              this.sink.live();
            }
          }, end);
      });
    } finally {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', stop!);
      if (performance.now() - startedAt >= STEADY_MILLIS) {
        this.backOff.reset();
        this.relistBackOff.reset();
      }
    }
    if (!heard && !signal.aborted) {
      // A server that accepts watches only to close them is not asked in a tight loop.
      await this.backOff.wait(signal);
    }
  }

  private take(type: string, object: KubernetesObject | undefined): void {
    if (type === 'ERROR') {
      const status = object as unknown as { code?: number; message?: string };
      throw new ClusterApiError(
        `${status?.code ?? ''} ${
          status?.message ?? 'error without a message'
        } (watch ${this.path})`.trim(),
        status?.code,
      );
    }
    const resourceVersion = object?.metadata?.resourceVersion;
    if (!object || !resourceVersion) {
      throw new ClusterApiError(
        `The watch of ${this.path} sent a ${type} event without an object`,
      );
    }
    switch (type) {
      case 'BOOKMARK':
        this.sink.bookmark(resourceVersion);
        break;
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        if (!isIdentified(object)) {
          throw new ClusterApiError(
            `The watch of ${this.path} sent a ${type} event without uid or name`,
          );
        }
        this.sink.event(
          { type: type.toLowerCase() as ReflectedEvent['type'], object },
          resourceVersion,
        );
        break;
      default:
        throw new ClusterApiError(
          `The watch of ${this.path} sent an event of unknown type "${type}"`,
        );
    }
    this.resourceVersion = resourceVersion;
  }
}

function isIdentified(object: KubernetesObject | null): boolean {
  return Boolean(object?.metadata?.uid && object.metadata.name);
}

function isAbort(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'AbortError';
}

function asClusterApiError(error: unknown, path: string): ClusterApiError {
  if (error instanceof ClusterApiError) {
    return error;
  }
  const { message, statusCode } = error as Error & { statusCode?: number };
  return new ClusterApiError(
    `${statusCode ? `${statusCode} ` : ''}${message} (watch ${path})`,
    statusCode,
  );
}
