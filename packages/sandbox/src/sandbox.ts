import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from './apiserver';
import { claimFolder } from './claimFolder';
import { Clock, wallClock } from './clock';
import {
  ClusterName,
  clusterNames,
  people,
  Person,
  quietTeam,
  SpokeName,
  spokeNames,
  teams,
} from './fleet/fleet';
import { HostedRepository } from './forge/hostedRepository';
import { Forge, startForge } from './forge/startForge';
import { GitOps, startGitOps } from './gitops/startGitOps';
import { RunningLoad, startLoad } from './load';
import { defaultPortBase, listening, Ports, portsFrom } from './ports';
import { RunningPrometheus, startPrometheus } from './prometheus';
import { clusterTokens, forgeAccounts, forgeTokens } from './sandboxAccounts';
import { SandboxCluster, startCluster } from './sandboxCluster';
import { gitOpsRepository } from './seedRepository';

export interface SandboxOptions {
  /** Folder that keeps everything; absent: a temporary one, removed at the end. */
  dataDir?: string;
  ports?: Ports;
  host?: string;
  /** One seed is one history of background load. */
  seed?: number;
  backgroundLoad?: boolean;
  /** How many seconds of work pass in one second of wall time. */
  timeScale?: number;
  clock?: Clock;
}

export interface Sandbox {
  clusters: Record<ClusterName, SandboxCluster>;
  forge: Forge;
  repository: HostedRepository;
  gitops: GitOps;
  prometheus: Record<SpokeName, RunningPrometheus>;
  /** What keeps the other teams busy; undefined without background load. */
  load?: RunningLoad;
  people: readonly Person[];
  /** A file for kubectl with every cluster in it. */
  kubeconfigFile: string;
  close(): Promise<void>;
}

/** Starts the whole sandbox: clusters, forge, GitOps, metrics and background load. */
export async function startSandbox(
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const {
    ports = portsFrom(defaultPortBase),
    host = '127.0.0.1',
    seed = 1,
    timeScale = 1,
    clock = wallClock,
  } = options;
  const dataDir =
    options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gpu-sandbox-')));
  const stops: Array<() => Promise<void>> = [];
  if (options.dataDir === undefined) {
    stops.push(() => rm(dataDir, { recursive: true, force: true }));
  } else {
    const release = claimFolder(dataDir);
    stops.push(async () => release());
  }
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) {
      await stop();
    }
  };

  try {
    const clusters = {} as Record<ClusterName, SandboxCluster>;
    for (const name of clusterNames) {
      clusters[name] = await startCluster({
        name,
        host,
        port: ports[name],
        clock,
        file:
          options.dataDir && join(options.dataDir, 'clusters', `${name}.json`),
        timeScale,
      });
      stops.push(clusters[name].close);
    }

    const forge = await listening('forge', ports.forge, () =>
      startForge({
        dataDir: join(dataDir, 'forge'),
        port: ports.forge,
        host,
        clock,
        people: forgeAccounts,
        tokens: forgeTokens,
      }),
    );
    stops.push(forge.close);
    const repository = await forge.repository(gitOpsRepository);

    const prometheus = {} as Record<SpokeName, RunningPrometheus>;
    for (const name of spokeNames) {
      const listener = `prometheus-${name}` as const;
      prometheus[name] = await listening(listener, ports[listener], () =>
        startPrometheus({
          store: clusters[name].store,
          port: ports[listener],
          host,
          clock,
          seed,
        }),
      );
      stops.push(prometheus[name].close);
    }

    const token = clusterTokens.argocd;
    const gitops = await startGitOps({
      dataDir: join(dataDir, 'gitops'),
      clock,
      repository: {
        url: `${forge.url}/${repository.owner}/${repository.name}.git`,
        branch: repository.defaultBranch,
        token: 'sandbox-argocd',
      },
      hub: { url: clusters.hub.url, token },
      spokes: Object.fromEntries(
        spokeNames.map(name => [name, { url: clusters[name].url, token }]),
      ),
      namespaces: teams.map(({ name }) => name),
    });
    stops.push(gitops.close);
    forge.onPush(gitops.refresh);

    let load: RunningLoad | undefined;
    if (options.backgroundLoad ?? true) {
      load = startLoad({
        clusters: spokeNames.map(name => ({
          name,
          store: clusters[name].store,
        })),
        seed,
        clock,
        timeScale,
        quiet: [quietTeam],
      });
      stops.push(async () => load?.close());
    }

    const kubeconfigFile = join(dataDir, 'kubeconfig.yaml');
    await writeFile(
      kubeconfigFile,
      kubeconfig(
        clusterNames.map(name => ({
          name,
          url: clusters[name].url,
          token: clusterTokens.admin,
        })),
      ),
      { mode: 0o600 },
    );

    return {
      clusters,
      forge,
      repository,
      gitops,
      prometheus,
      load,
      people,
      kubeconfigFile,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
