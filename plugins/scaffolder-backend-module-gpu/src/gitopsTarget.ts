import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';

/** Where manifests for a cluster are written. */
export interface GitopsTarget {
  /** `<host>?owner=<owner>&repo=<repository>` */
  repoUrl: string;
  branch: string;
  /** Folder of the cluster in the repository. */
  path: string;
}

/**
 * Reads `gpu.clusters.<cluster>.gitops`.
 *
 * @throws InputError when nothing can be requested on this cluster.
 */
export function gitopsTarget(config: Config, cluster: string): GitopsTarget {
  const clusters = config.getOptionalConfig('gpu.clusters');
  const known = clusters?.keys() ?? [];
  if (!known.includes(cluster)) {
    throw new InputError(
      `cluster is ${JSON.stringify(
        cluster,
      )}; accepted is one of gpu.clusters: ${known.join(', ') || 'none'}`,
    );
  }
  const gitops = clusters!.getConfig(cluster).getOptionalConfig('gitops');
  if (!gitops) {
    throw new InputError(
      `cluster is ${JSON.stringify(
        cluster,
      )}, which has no gpu.clusters.${cluster}.gitops; accepted is a cluster that has`,
    );
  }
  return {
    repoUrl: gitops.getString('repoUrl'),
    branch: gitops.getOptionalString('branch') ?? 'main',
    path: gitops.getOptionalString('path') ?? `clusters/${cluster}`,
  };
}
