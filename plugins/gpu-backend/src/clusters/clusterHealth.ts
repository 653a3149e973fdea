import { ClusterState } from '@gpuaas/backstage-plugin-gpu-common';

/** What is known of a cluster's reachability at one moment. */
export interface HealthInputs {
  /** Error of the last contact with the API server; undefined: it answered. */
  contactError?: string;
  /** False until the API server was asked what it serves. */
  discovered: boolean;
  /** Why there is no Kueue; undefined: there is. */
  kueueMissing?: string;
  /** Per followed resource: live, or not yet, or why not. */
  streams: Array<{ resource: string; live: boolean; error?: string }>;
}

export interface Health {
  state: ClusterState;
  message?: string;
  /** True when everything that is followed is current. */
  fresh: boolean;
}

/**
 * State of a cluster. Not being reached comes before everything: what we know
 * is old then. A watch that was refused makes the cluster unreachable too,
 * since a part of its picture has stopped.
 */
export function clusterHealth({
  contactError,
  discovered,
  kueueMissing,
  streams,
}: HealthInputs): Health {
  if (contactError) {
    return { state: 'unreachable', message: contactError, fresh: false };
  }
  if (!discovered) {
    return { state: 'connecting', fresh: false };
  }
  const failed = streams.find(({ live, error }) => !live && error);
  if (failed) {
    return { state: 'unreachable', message: failed.error, fresh: false };
  }
  if (streams.some(({ live }) => !live)) {
    return { state: 'connecting', fresh: false };
  }
  return kueueMissing
    ? { state: 'no-kueue', message: kueueMissing, fresh: true }
    : { state: 'connected', fresh: true };
}
