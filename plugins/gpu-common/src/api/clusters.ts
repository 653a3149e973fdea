/**
 * What the portal knows of one cluster, and since when.
 *
 * - `connected`: every watch is live.
 * - `connecting`: first contact, or a relist is under way.
 * - `unreachable`: the last good picture is shown, with its age.
 * - `no-kueue`: the API server answers, Kueue is not installed.
 *
 * @public
 */
export type ClusterState =
  | 'connected'
  | 'connecting'
  | 'unreachable'
  | 'no-kueue';

/** @public */
export interface Cluster {
  name: string;
  title: string;
  /** `hub`: portal, GitOps, MultiKueue manager. `spoke`: a managed GPU cluster. */
  role: 'hub' | 'spoke';
  state: ClusterState;
  /** RFC 3339: when `state` last changed. */
  since: string;
  /** RFC 3339: the last moment everything read from the cluster was current; absent before the first. */
  freshAt?: string;
  /** Why it is not connected, in the words of whoever refused. */
  message?: string;
  kubernetesVersion?: string;
  /** Served version of kueue.x-k8s.io, for example `v1beta2`. */
  kueueApiVersion?: string;
  gpus: {
    /** Physical GPUs on nodes that are alive. */
    physical: number;
    /** Physical GPUs (fractions included) held by pods, in nano-GPU. */
    usedNano: number;
  };
}
