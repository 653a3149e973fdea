import { ClusterApi, ClusterApiError, WatchCallback } from '../clusterApi';
import { KubernetesObject } from '../kubernetesObject';

interface Watcher {
  path: string;
  onEvent: WatchCallback;
  done(error?: unknown): void;
}

interface LoggedEvent {
  path: string;
  version: number;
  type: string;
  object: KubernetesObject;
}

const GROUPS: Record<string, string[]> = {
  'kueue.x-k8s.io/v1beta2': [
    'workloads',
    'localqueues',
    'clusterqueues',
    'cohorts',
    'resourceflavors',
    'workloadpriorityclasses',
  ],
  'batch/v1': ['jobs'],
  'argoproj.io/v1alpha1': ['applications'],
};

const CORE = ['namespaces', 'nodes', 'pods'];

/**
 * An API server in memory, as far as a follower can tell: discovery, paged
 * lists of one version, watches from a version on, 410 for what is forgotten.
 * Faults are switched on by its fields.
 */
export class FakeCluster implements ClusterApi {
  version = 100;
  groups: Record<string, string[]> = { ...GROUPS };
  /** Every call fails with it while set. */
  down?: ClusterApiError;
  /** Answered instead, by path. */
  readonly lies = new Map<string, unknown>();
  /** Versions up to here are forgotten. */
  forgotten = 0;
  /** Watches that were opened, in order: the version each began from. */
  readonly opened: Array<{ path: string; resourceVersion: number }> = [];
  /** Lists that were begun. */
  readonly listed: string[] = [];
  private readonly objects = new Map<string, Map<string, KubernetesObject>>();
  private readonly log: LoggedEvent[] = [];
  private readonly watchers = new Set<Watcher>();

  /** Creates or replaces; tells the watchers. */
  put(resource: string, object: KubernetesObject): KubernetesObject {
    const path = this.pathOf(resource);
    const known = this.collection(path);
    const { uid } = object.metadata;
    const type = known.has(uid) ? 'MODIFIED' : 'ADDED';
    const stored = this.next(object);
    known.set(uid, stored);
    this.tell(path, type, stored);
    return stored;
  }

  remove(resource: string, uid: string): void {
    const path = this.pathOf(resource);
    const object = this.collection(path).get(uid);
    if (object) {
      this.collection(path).delete(uid);
      this.tell(path, 'DELETED', this.next(object));
    }
  }

  bookmark(resource: string): void {
    const path = this.pathOf(resource);
    for (const watcher of this.watchersOf(path)) {
      watcher.onEvent('BOOKMARK', {
        metadata: { resourceVersion: String(this.version) },
      } as KubernetesObject);
    }
  }

  /** Ends every connection, as a restart of the server or of a proxy does. */
  cut(error?: unknown): void {
    for (const watcher of [...this.watchers]) {
      this.watchers.delete(watcher);
      watcher.done(error);
    }
  }

  /** Forgets history: older versions get 410. */
  forget(): void {
    this.forgotten = this.version;
  }

  watchersOf(path: string): Watcher[] {
    return [...this.watchers].filter(watcher => watcher.path === path);
  }

  /** Sends something raw to the watchers of a resource. */
  send(resource: string, type: string, object: unknown): void {
    for (const watcher of this.watchersOf(this.pathOf(resource))) {
      watcher.onEvent(type, object as KubernetesObject);
    }
  }

  pathOf(resource: string): string {
    if (CORE.includes(resource)) {
      return `/api/v1/${resource}`;
    }
    const [group] =
      Object.entries(this.groups).find(([, all]) => all.includes(resource)) ??
      Object.entries(GROUPS).find(([, all]) => all.includes(resource))!;
    return `/apis/${group}/${resource}`;
  }

  async get<T>(
    path: string,
    options: {
      query?: Record<string, string | number | undefined>;
      signal?: AbortSignal;
    } = {},
  ): Promise<T> {
    if (options.signal?.aborted) {
      throw new ClusterApiError('aborted');
    }
    if (this.down) {
      throw this.down;
    }
    return JSON.parse(
      JSON.stringify(
        this.lies.has(path)
          ? this.lies.get(path)
          : this.answer(path, options.query ?? {}),
      ),
    ) as T;
  }

  async watch(
    path: string,
    query: Record<string, string | number | boolean | undefined>,
    onEvent: WatchCallback,
    done: (error?: unknown) => void,
  ): Promise<{ abort(): void }> {
    if (this.down) {
      done(
        Object.assign(new Error(this.down.message), {
          statusCode: this.down.statusCode,
        }),
      );
      return { abort: () => {} };
    }
    const from = Number(query.resourceVersion);
    this.opened.push({ path, resourceVersion: from });
    const watcher: Watcher = { path, onEvent, done };
    const abort = () => {
      if (this.watchers.delete(watcher)) {
        done(Object.assign(new Error('aborted'), { name: 'AbortError' }));
      }
    };
    if (from < this.forgotten) {
      queueMicrotask(() => {
        onEvent('ERROR', {
          code: 410,
          message: `too old resource version: ${from}`,
        } as unknown as KubernetesObject);
        done();
      });
      return { abort: () => {} };
    }
    this.watchers.add(watcher);
    queueMicrotask(() => {
      for (const event of this.log) {
        if (event.path === path && event.version > from) {
          onEvent(event.type, structuredClone(event.object));
        }
      }
    });
    return { abort };
  }

  private answer(
    path: string,
    query: Record<string, string | number | undefined>,
  ): unknown {
    if (path === '/version') {
      return { gitVersion: 'v1.36.3' };
    }
    if (path === '/apis') {
      return {
        groups: Object.keys(this.groups).map(key => {
          const [name, version] = key.split('/');
          return { name, versions: [{ version }] };
        }),
      };
    }
    if (path === '/api/v1') {
      return { resources: CORE.map(name => ({ name })) };
    }
    const group = this.groups[path.replace('/apis/', '')];
    if (group) {
      return { resources: group.map(name => ({ name })) };
    }
    const served = [
      ...CORE.map(resource => `/api/v1/${resource}`),
      ...Object.entries(this.groups).flatMap(([key, all]) =>
        all.map(resource => `/apis/${key}/${resource}`),
      ),
    ];
    if (!served.includes(path)) {
      throw new ClusterApiError(`404 not found (GET ${path})`, 404);
    }
    return this.listPage(path, query);
  }

  private listPage(
    path: string,
    query: Record<string, string | number | undefined>,
  ) {
    const start = Number(query.continue ?? 0);
    if (start === 0) {
      this.listed.push(path);
    }
    const all = [...this.collection(path).values()];
    const end = start + Number(query.limit);
    return {
      metadata: {
        resourceVersion: String(this.version),
        continue: end < all.length ? String(end) : '',
      },
      items: all.slice(start, end),
    };
  }

  private collection(path: string): Map<string, KubernetesObject> {
    const known = this.objects.get(path) ?? new Map();
    this.objects.set(path, known);
    return known;
  }

  private next(object: KubernetesObject): KubernetesObject {
    this.version += 1;
    return {
      ...structuredClone(object),
      metadata: { ...object.metadata, resourceVersion: String(this.version) },
    };
  }

  private tell(path: string, type: string, object: KubernetesObject): void {
    this.log.push({ path, version: this.version, type, object });
    for (const watcher of this.watchersOf(path)) {
      watcher.onEvent(type, structuredClone(object));
    }
  }
}
