import { setTimeout as delay } from 'node:timers/promises';
import { KubernetesObject } from '../apiserver/objectStore';
import { ClusterClient } from './clusterClient';

const pause = 200;
const pauseAfterFailure = 1000;

/**
 * Calls back for every object of a kind and for each change of one, until
 * `signal` aborts: list, watch, and list again after a gap.
 */
export async function followObjects(
  client: ClusterClient,
  apiVersion: string,
  kind: string,
  signal: AbortSignal,
  onObject: (object: KubernetesObject) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { items, resourceVersion } = await client.list(apiVersion, kind);
      items.forEach(onObject);
      await client.watch(apiVersion, kind, resourceVersion, onObject, signal);
      await delay(pause, undefined, { signal });
    } catch {
      // Away, expired (410) or broken off: the next list repairs all of them.
      await delay(pauseAfterFailure, undefined, { signal }).catch(() => {});
    }
  }
}
