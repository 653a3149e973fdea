import { ClusterApiError } from './clusterApi';

/** How one watch of a cluster is. */
export interface StreamState {
  live: boolean;
  error?: string;
  /** Failures since it was last live. */
  failures?: number;
}

/**
 * A connection that breaks is opened again at once and is no state; only when
 * that fails too is the stream down. A version that is gone (410) is answered
 * by a list: nothing is wrong.
 */
export function afterFailure(
  before: StreamState | undefined,
  error: ClusterApiError,
): StreamState {
  const failures = (before?.failures ?? 0) + 1;
  if (before?.live && failures === 1 && error.statusCode === undefined) {
    return { live: true, failures };
  }
  return {
    live: false,
    failures,
    error: error.statusCode === 410 ? undefined : error.message,
  };
}
