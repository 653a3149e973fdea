import { DeviceClass } from '../devices';

/**
 * One device class as one flavor of one cluster offers it, live.
 * Counts are units of the class's resource (GPUs, MIG slices, replicas).
 *
 * @public
 */
export interface DeviceClassOffer {
  deviceClass: DeviceClass;
  cluster: string;
  /** ResourceFlavor that carries it. */
  flavor: string;
  /** Node labels of the flavor: what a Job's nodeSelector must pin (rule 11). */
  nodeLabels: Record<string, string>;
  nodes: number;
  /** Units on nodes that are alive. */
  total: number;
  /** Units no pod holds: physically free. */
  free: number;
  /** Units the asked-for queue may take now without waiting; only when the query names a queue. */
  freeForQueue?: number;
  /** Units the asked-for queue could ever hold (nominal + borrowing); only when the query names a queue. */
  potentialForQueue?: number;
  /** RFC 3339 of the picture this was computed from. */
  freshAt: string;
}

/** @public */
export interface DeviceClassQuery {
  cluster?: string;
  /** With `queue`: counts for that LocalQueue as well. */
  namespace?: string;
  queue?: string;
}
