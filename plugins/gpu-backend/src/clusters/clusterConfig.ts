import { existsSync } from 'node:fs';
import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { onlyKeys, refuse } from '../config/refuse';

/** How to reach a cluster's API server: from `kubernetes.clusterLocatorMethods`. */
export interface ClusterConnection {
  url: string;
  /** Absent: the pod's own service account token is read from its file, anew for each call. */
  serviceAccountToken?: string;
  skipTlsVerify: boolean;
  /** Base64 PEM. */
  caData?: string;
  caFile?: string;
}

export interface GitOpsConfig {
  /** The Scaffolder's form: `<host>?owner=<owner>&repo=<repo>`. */
  repoUrl: string;
  branch: string;
  /** Folder of this cluster in the repository, no leading or trailing slash. */
  path: string;
  /** Cluster and namespace in which Argo CD or Flux keeps its objects for this cluster. */
  application?: { cluster: string; namespace: string };
}

export interface PrometheusConfig {
  url: string;
  bearerToken?: string;
}

/** One cluster the portal follows. */
export interface ClusterConfig {
  name: string;
  title: string;
  role: 'hub' | 'spoke';
  connection: ClusterConnection;
  gitops?: GitOpsConfig;
  prometheus?: PrometheusConfig;
}

const IN_CLUSTER_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Reads `gpu.clusters` and, for the clusters named there, how to reach them
 * from `kubernetes.clusterLocatorMethods` (so that an operator writes
 * credentials once). Clusters that `gpu.clusters` does not name are ignored,
 * whatever is wrong with them.
 *
 * @throws InputError naming the key, the value and what is accepted.
 */
export function readClusterConfigs(config: Config): ClusterConfig[] {
  const clusters = config.getOptionalConfig('gpu.clusters');
  const names = clusters?.keys() ?? [];
  if (!clusters || names.length === 0) {
    throw new InputError(
      'gpu.clusters is missing or empty; name at least one cluster, for example gpu.clusters.spoke-a: { role: spoke }',
    );
  }
  const located = locateClusters(config);
  const read = names.map(name =>
    readCluster(name, entryOf(clusters, name), located),
  );
  const urls = new Map<string, string>();
  for (const { name, gitops, connection } of read) {
    const twin = urls.get(connection.url);
    if (twin) {
      refuse(
        `gpu.clusters.${name}`,
        connection.url,
        `a cluster followed once; ${twin} has this address already`,
      );
    }
    urls.set(connection.url, name);
    const host = gitops?.application?.cluster;
    if (host && !names.includes(host)) {
      refuse(
        `gpu.clusters.${name}.gitops.application.cluster`,
        host,
        `one of gpu.clusters: ${names.join(', ')}`,
      );
    }
  }
  return read;
}

function readCluster(
  name: string,
  entry: Config,
  located: Map<string, LocatedCluster>,
): ClusterConfig {
  const key = `gpu.clusters.${name}`;
  onlyKeys(entry, key, ['role', 'title', 'gitops', 'prometheus']);
  const role = entry.getOptionalString('role');
  if (role !== 'hub' && role !== 'spoke') {
    return refuse(`${key}.role`, role, '"hub" or "spoke"');
  }
  const cluster = located.get(name);
  if (!cluster) {
    const known = [...located.keys()].join(', ') || 'none';
    return refuse(
      key,
      name,
      `the name of a cluster under kubernetes.clusterLocatorMethods of type "config" (found: ${known})`,
    );
  }
  return {
    name,
    title:
      entry.getOptionalString('title') ??
      cluster.entry.getOptionalString('title') ??
      name,
    role,
    connection: readConnection(cluster),
    gitops: readGitOps(name, entry),
    prometheus: readPrometheus(name, entry),
  };
}

interface LocatedCluster {
  key: string;
  entry: Config;
}

function locateClusters(config: Config): Map<string, LocatedCluster> {
  const found = new Map<string, LocatedCluster>();
  const methods =
    config.getOptionalConfigArray('kubernetes.clusterLocatorMethods') ?? [];
  methods.forEach((method, m) => {
    if (method.getOptionalString('type') !== 'config') {
      return;
    }
    (method.getOptionalConfigArray('clusters') ?? []).forEach((entry, c) => {
      const key = `kubernetes.clusterLocatorMethods[${m}].clusters[${c}]`;
      const name = entry.getOptionalString('name');
      if (!name) {
        return;
      }
      const twin = found.get(name);
      if (twin) {
        refuse(
          `${key}.name`,
          name,
          `a name used once; ${twin.key} has it already`,
        );
      }
      found.set(name, { key, entry });
    });
  });
  return found;
}

function readConnection({ key, entry }: LocatedCluster): ClusterConnection {
  const authProvider =
    entry.getOptionalString('authProvider') ??
    entry.getOptionalString('authMetadata.kubernetes.io/auth-provider');
  if (authProvider !== 'serviceAccount') {
    refuse(`${key}.authProvider`, authProvider, '"serviceAccount"');
  }
  const serviceAccountToken = entry.getOptionalString('serviceAccountToken');
  if (!serviceAccountToken && !existsSync(IN_CLUSTER_TOKEN)) {
    refuse(
      `${key}.serviceAccountToken`,
      serviceAccountToken,
      `a service account's token; it may be left out only where ${IN_CLUSTER_TOKEN} exists`,
    );
  }
  return {
    url: readHttpUrl(entry, key, 'url'),
    serviceAccountToken,
    skipTlsVerify: entry.getOptionalBoolean('skipTLSVerify') ?? false,
    caData: entry.getOptionalString('caData'),
    caFile: entry.getOptionalString('caFile'),
  };
}

function readGitOps(name: string, cluster: Config): GitOpsConfig | undefined {
  const key = `gpu.clusters.${name}.gitops`;
  const entry = cluster.getOptionalConfig('gitops');
  if (!entry) {
    return undefined;
  }
  onlyKeys(entry, key, ['repoUrl', 'branch', 'path', 'application']);
  const repoUrl = entry.getOptionalString('repoUrl');
  if (!repoUrl || !isRepoUrl(repoUrl)) {
    return refuse(
      `${key}.repoUrl`,
      repoUrl,
      '"<host>?owner=<owner>&repo=<repository>"',
    );
  }
  const path = entry.getOptionalString('path') ?? `clusters/${name}`;
  if (
    !path
      .split('/')
      .every(part => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  ) {
    refuse(
      `${key}.path`,
      path,
      'a folder of the repository such as "clusters/spoke-a": no leading or trailing slash, no ".."',
    );
  }
  const branch = entry.getOptionalString('branch') ?? 'main';
  if (
    !/^[\w./-]+$/.test(branch) ||
    branch.includes('..') ||
    branch.startsWith('-')
  ) {
    refuse(`${key}.branch`, branch, 'the name of a branch such as "main"');
  }
  const application = entry.getOptionalConfig('application');
  if (application) {
    onlyKeys(application, `${key}.application`, ['cluster', 'namespace']);
  }
  return {
    repoUrl,
    branch,
    path,
    application: application && {
      cluster: required(application, `${key}.application`, 'cluster'),
      namespace: required(application, `${key}.application`, 'namespace'),
    },
  };
}

function readPrometheus(
  name: string,
  cluster: Config,
): PrometheusConfig | undefined {
  const key = `gpu.clusters.${name}.prometheus`;
  const entry = cluster.getOptionalConfig('prometheus');
  if (!entry) {
    return undefined;
  }
  onlyKeys(entry, key, ['url', 'bearerToken']);
  return {
    url: readHttpUrl(entry, key, 'url'),
    bearerToken: entry.getOptionalString('bearerToken'),
  };
}

function entryOf(clusters: Config, name: string): Config {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
    refuse(
      `gpu.clusters.${name}`,
      name,
      'a name of 1 to 63 lower-case letters, digits and dashes that starts and ends with a letter or digit',
    );
  }
  const entry = clusters.getOptional(name);
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) {
    refuse(
      `gpu.clusters.${name}`,
      entry,
      'an object with at least "role": "hub" or "spoke"',
    );
  }
  return clusters.getConfig(name);
}

function readHttpUrl(entry: Config, key: string, field: string): string {
  const value = entry.getOptionalString(field);
  const url = value && URL.canParse(value) ? new URL(value) : undefined;
  if (
    !value ||
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username ||
    url.search
  ) {
    return refuse(
      `${key}.${field}`,
      url?.username ? `${url.protocol}//…@${url.host}` : value,
      'an http:// or https:// URL without credentials or query',
    );
  }
  return value.replace(/\/+$/, '');
}

function isRepoUrl(value: string): boolean {
  if (value.includes('://') || !URL.canParse(`https://${value}`)) {
    return false;
  }
  const { searchParams } = new URL(`https://${value}`);
  return Boolean(searchParams.get('owner') && searchParams.get('repo'));
}

function required(entry: Config, key: string, field: string): string {
  const value = entry.getOptionalString(field);
  return value || refuse(`${key}.${field}`, value, 'a name');
}
