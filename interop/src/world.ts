import type { KubeConfig } from '@kubernetes/client-node';
import { sandboxWorld } from './sandboxWorld';

/** One cluster of a world, as clients reach it. */
export interface WorldCluster {
  name: string;
  /** May do everything. */
  admin: KubeConfig;
  /** May do what deploy/rbac/portal.yaml gives the portal, no more. */
  portal: KubeConfig;
  /** Content of a kubeconfig file for kubectl, with every right. */
  kubectlConfig: string;
  /** Makes the API server forget old resourceVersions, as etcd's compaction does; absent where that cannot be asked for. */
  compact?: () => Promise<void>;
}

/** A running set of parts that the product can be pointed at. */
export interface RunningWorld {
  clusters: readonly [WorldCluster, ...WorldCluster[]];
  close(): Promise<void>;
}

/** Parts of one make: the sandbox, or real ones. */
export interface World {
  /** Shown as the name of the suite. */
  name: string;
  start(): Promise<RunningWorld>;
}

/**
 * The worlds that the contract is checked against: cases are written once and
 * run by `describe.each(worlds())('$name', …)`.
 */
export function worlds(): World[] {
  return [sandboxWorld];
}
