import { GpuApi } from '@gpuaas/backstage-plugin-gpu-common';
import { QueueValue } from './queueValue';

/** The value of a GpuClusterPicker that leaves the choice to the server. */
export const BEST_FIT = 'best-fit';

/** A cluster that has a queue, and how old the picture of it is. */
export interface QueueCluster {
  cluster: string;
  /** RFC 3339. */
  freshAt: string;
  /** Known only to those who may read clusters. */
  unreachable: boolean;
}

/** The clusters that have a queue, by name. */
export async function clustersOf(
  api: GpuApi,
  { namespace, queue }: QueueValue,
): Promise<QueueCluster[]> {
  const [queues, clusters] = await Promise.all([
    api.getQueues({ namespace, limit: 100 }),
    // whether it can be read only adds to what the queue itself says
    api.getClusters().catch(() => undefined),
  ]);
  const states = new Map(
    clusters?.items.map(({ name, state }) => [name, state]),
  );
  return queues.items
    .filter(({ name }) => name === queue)
    .map(({ cluster, freshAt }) => ({
      cluster,
      freshAt,
      unreachable: states.get(cluster) === 'unreachable',
    }))
    .sort((a, b) => a.cluster.localeCompare(b.cluster));
}
