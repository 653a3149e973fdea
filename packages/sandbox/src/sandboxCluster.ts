import { resolve } from 'node:path';
import {
  ApiServer,
  applyManifestFile,
  createApiServer,
  createStore,
  keepSaved,
  kubeconfig,
  KubernetesObject,
  loadSnapshot,
  MemoryStore,
  skewable,
} from './apiserver';
import { Clock, stamp } from './clock';
import { startCoreControllers } from './core';
import { ClusterName, clusterObjects } from './fleet/fleet';
import { startKueue } from './kueue/startKueue';
import { listening } from './ports';
import { clusterTokenTable } from './sandboxAccounts';

/** What the portal is given on every cluster: the manifests that operators apply. */
// eslint-disable-next-line no-restricted-syntax -- runs from its sources, is never built
const portalRights = resolve(__dirname, '../../../deploy/rbac/portal.yaml');

export interface SandboxCluster {
  name: ClusterName;
  url: string;
  store: MemoryStore;
  server: ApiServer;
  /** A kubeconfig for this cluster alone. */
  kubeconfig(token: string): string;
  close(): Promise<void>;
}

export interface ClusterOptions {
  name: ClusterName;
  host: string;
  port: number;
  clock: Clock;
  /** Where its objects are kept; absent: gone when it closes. */
  file?: string;
  /** How many seconds of work pass in one second of wall time. */
  timeScale: number;
}

function createMissing(store: MemoryStore, object: KubernetesObject): void {
  const { name, namespace } = object.metadata;
  if (!store.get(object.kind, name, namespace)) {
    store.create(object);
  }
}

/** Starts one cluster: its objects, the controllers that move them, and its API. */
export async function startCluster(
  options: ClusterOptions,
): Promise<SandboxCluster> {
  const { name, host, port, file, timeScale } = options;
  const clock = skewable(options.clock);
  const store = createStore({
    clock,
    snapshot: file ? loadSnapshot(file) : undefined,
  });
  const stops: Array<() => void> = [];
  const warn = (what: string, error: unknown) =>
    process.emitWarning(`${name}: ${what}: ${error}`, 'Sandbox');
  try {
    // Kueue first: its webhooks must see everything that is written.
    stops.push(startKueue(store, clock, { onError: warn }).stop);
    stops.push(startCoreControllers(store, clock, { timeScale }).stop);
    for (const object of clusterObjects(name, stamp(clock.now()))) {
      createMissing(store, object);
    }
    applyManifestFile(store, portalRights);
    const server = await listening(name, port, () =>
      createApiServer({
        store,
        tokens: clusterTokenTable(),
        host,
        port,
        clock,
      }),
    );
    if (file) {
      stops.unshift(keepSaved(store, file, options.clock).stop);
    }
    return {
      name,
      url: server.url,
      store,
      server,
      kubeconfig: token => kubeconfig([{ name, url: server.url, token }]),
      async close() {
        await server.close();
        stops.forEach(stop => stop());
      },
    };
  } catch (error) {
    stops.forEach(stop => stop());
    throw error;
  }
}
