import { InputError } from '@backstage/errors';
import {
  Cluster,
  DeviceClassOffer,
  Page,
  PageQuery,
  Queue,
  Workload,
} from '@gpuaas/backstage-plugin-gpu-common';
import { Knex } from 'knex';
import { ClusterRow, clusterOfRow } from '../database/clusterRows';
import { databaseNow } from '../database/databaseClock';
import { PodRow, podOfRow } from '../database/podRows';
import { WorkloadRow, workloadOfRow } from '../database/workloadRows';
import { decodeCursor, encodeCursor } from '../requests/pageCursor';
import { ClusterConfig } from './clusterConfig';
import { Delivery, GpuPod, ObservedWorkload } from './clusterObserver';
import { PICTURED_RESOURCES } from './clusterPicture';
import {
  ClusterStore,
  FitSnapshot,
  QueueFilter,
  RowRestriction,
  WorkloadFilter,
} from './clusterStore';
import { KubernetesObject } from './kubernetesObject';
import { StoredQueue } from './queueFacts';
import { StoredOffer } from './readModel';
import { deliveryOf } from './storeObjects';
import { observed } from './storeWorkloads';
import { ENDED_PHASES } from './workloadFacts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The read model over the database that followers fill. */
export class DatabaseClusterStore implements ClusterStore {
  private readonly names: string[];

  constructor(
    private readonly knex: Knex,
    private readonly configs: ClusterConfig[],
  ) {
    this.names = configs.map(({ name }) => name);
  }

  async listClusters(): Promise<Cluster[]> {
    const now = await databaseNow(this.knex);
    const rows: ClusterRow[] = await this.knex('clusters')
      .whereIn('name', this.names)
      .select();
    const byName = new Map(rows.map(row => [row.name, row]));
    return this.configs
      .map(config => clusterOfRow(config, byName.get(config.name), now))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  async listOffers(
    query: { cluster?: string; namespace?: string; queue?: string } = {},
    restrict?: RowRestriction,
  ): Promise<DeviceClassOffer[]> {
    const fresh = await this.freshness();
    const rows: Array<{ cluster: string; data: string }> = await this.knex(
      'device_offers',
    )
      .whereIn('cluster', this.named(query.cluster))
      .orderBy(['cluster', 'device_class', 'flavor'])
      .select('cluster', 'data');
    const queues = await this.queuesOf(query, restrict);
    return rows.map(({ cluster, data }) => {
      const offer: StoredOffer = JSON.parse(data);
      const quotas = queues.get(cluster)?.quotas ?? [];
      const quota = quotas.find(
        line =>
          line.flavor === offer.flavor &&
          line.resource === offer.deviceClass.resourceName,
      );
      return {
        ...offer,
        // Without a line for the flavor a queue may take none of it; without any line it is not known.
        ...(quotas.length > 0 && {
          freeForQueue: Math.min(quota?.available ?? 0, offer.free),
          potentialForQueue: quota?.potential ?? 0,
        }),
        freshAt: fresh(cluster),
      };
    });
  }

  async listQueues(
    filter: QueueFilter = {},
    page: PageQuery = {},
    restrict?: RowRestriction,
  ): Promise<Page<Queue>> {
    const fresh = await this.freshness();
    return this.page<{ cluster: string; data: string }, Queue>({
      table: 'local_queues',
      order: ['cluster', 'namespace', 'queue'],
      direction: 'asc',
      page,
      where: query => {
        query.whereIn('cluster', this.named(filter.cluster));
        equals(query, { namespace: filter.namespace, queue: filter.name });
        if (filter.owners) {
          query.whereIn('team', filter.owners);
        }
        narrow(query, restrict);
      },
      read: row => ({ ...JSON.parse(row.data), freshAt: fresh(row.cluster) }),
    });
  }

  async getQueue(
    cluster: string,
    namespace: string,
    name: string,
  ): Promise<Queue | undefined> {
    const { items } = await this.listQueues(
      { cluster, namespace, name },
      { limit: 1 },
    );
    return items[0];
  }

  async listWorkloads(
    filter: WorkloadFilter = {},
    page: PageQuery = {},
    restrict?: RowRestriction,
  ): Promise<Page<Workload>> {
    const fresh = await this.freshness();
    const gone = await this.knex('clusters')
      .whereNotIn('name', this.names)
      .pluck('name');
    return this.page<WorkloadRow, Workload>({
      table: 'workloads',
      order: ['created_at', 'uid'],
      direction: 'desc',
      page,
      where: query => {
        if (filter.cluster) {
          query.whereIn('cluster', this.named(filter.cluster));
        } else {
          // Not "in": that would win over the index the order needs.
          query.whereNotIn('cluster', gone);
        }
        equals(query, {
          namespace: filter.namespace,
          queue: filter.queue,
          team: filter.team,
          entity: filter.entity,
          request_id: filter.requestId,
          job_uid: filter.jobUid,
        });
        if (filter.phases) {
          query.whereIn('phase', filter.phases);
        }
        narrow(query, restrict);
      },
      read: row => workloadOfRow(row, fresh(row.cluster)),
    });
  }

  async getWorkload(uid: string): Promise<ObservedWorkload | undefined> {
    const row: WorkloadRow | undefined = await this.knex('workloads')
      .where({ uid })
      .whereIn('cluster', this.names)
      .first();
    return row && observed(row, (await this.freshness())(row.cluster));
  }

  async listPods(filter: {
    cluster: string;
    namespace?: string;
    workload?: string;
    node?: string;
  }): Promise<GpuPod[]> {
    const rows: PodRow[] = await this.knex('gpu_pods')
      .where(query => equals(query, filter))
      .orderBy(['created_at', 'uid'])
      .select();
    return rows.map(podOfRow);
  }

  async listDeliveries(
    filter: { cluster?: string; namespace?: string } = {},
  ): Promise<Delivery[]> {
    const rows: Array<{
      cluster: string;
      resource: 'applications' | 'kustomizations';
      object: string;
    }> = await this.knex('cluster_objects')
      .whereIn('cluster', this.named(filter.cluster))
      .whereIn('resource', ['applications', 'kustomizations'])
      .where(query => equals(query, { namespace: filter.namespace }))
      .orderBy(['cluster', 'resource', 'namespace', 'name'])
      .select('cluster', 'resource', 'object');
    return rows.map(row =>
      deliveryOf(row.cluster, row.resource, JSON.parse(row.object)),
    );
  }

  async snapshotForFit(cluster: string): Promise<FitSnapshot | undefined> {
    const state = (await this.listClusters()).find(
      ({ name }) => name === cluster,
    );
    if (!state?.freshAt) {
      return undefined;
    }
    const objects: Array<{ resource: string; object: string }> =
      await this.knex('cluster_objects')
        .where({ cluster })
        .whereIn(
          'resource',
          PICTURED_RESOURCES.filter(resource => resource !== 'nodes'),
        )
        .orderBy(['namespace', 'name'])
        .select('resource', 'object');
    const of = (wanted: string): KubernetesObject[] =>
      objects
        .filter(({ resource }) => resource === wanted)
        .map(({ object }) => JSON.parse(object));
    const workloads: Array<{ object: string }> = await this.knex('workloads')
      .where({ cluster })
      .whereNotIn('phase', ENDED_PHASES)
      .orderBy(['created_at', 'uid'])
      .select('object');
    return {
      cluster: state,
      freshAt: state.freshAt,
      resourceFlavors: of('resourceflavors'),
      clusterQueues: of('clusterqueues'),
      cohorts: of('cohorts'),
      localQueues: of('localqueues'),
      workloadPriorityClasses: of('workloadpriorityclasses'),
      namespaces: of('namespaces'),
      workloads: workloads.map(({ object }) => JSON.parse(object)),
      offers: await this.listOffers({ cluster }),
    };
  }

  /** The asked-for queue, by cluster. */
  private async queuesOf(
    query: { cluster?: string; namespace?: string; queue?: string },
    restrict?: RowRestriction,
  ): Promise<Map<string, StoredQueue>> {
    if (!query.namespace || !query.queue) {
      return new Map();
    }
    const rows: Array<{ cluster: string; data: string }> = await this.knex(
      'local_queues',
    )
      .whereIn('cluster', this.named(query.cluster))
      .where({ namespace: query.namespace, queue: query.queue })
      .where(inner => narrow(inner, restrict))
      .select('cluster', 'data');
    return new Map(rows.map(row => [row.cluster, JSON.parse(row.data)]));
  }

  /** Rows of clusters that are configured no more are kept, and not shown. */
  private named(cluster: string | undefined): string[] {
    return cluster === undefined
      ? this.names
      : this.names.filter(name => name === cluster);
  }

  private async freshness(): Promise<(cluster: string) => string> {
    const rows: Array<Pick<ClusterRow, 'name' | 'fresh_at' | 'since'>> =
      await this.knex('clusters').select('name', 'fresh_at', 'since');
    const byName = new Map(
      rows.map(row => [row.name, row.fresh_at ?? row.since]),
    );
    // What is stored was read, so its cluster has a row.
    return cluster => byName.get(cluster) ?? '';
  }

  private async page<Row extends {}, Item>(options: {
    table: string;
    order: string[];
    direction: 'asc' | 'desc';
    page: PageQuery;
    where(query: Knex.QueryBuilder): void;
    read(row: Row): Item;
  }): Promise<Page<Item>> {
    const { table, order, direction, page } = options;
    const limit = page.limit ?? DEFAULT_LIMIT;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new InputError(
        `limit is ${page.limit}; accepted is a whole number from 1 to ${MAX_LIMIT}`,
      );
    }
    const matching = () => this.knex(table).where(q => options.where(q));
    const query = matching()
      .orderBy(order.map(column => ({ column, order: direction })))
      .limit(limit + 1)
      .select();
    if (page.cursor !== undefined) {
      const key = decodeCursor(
        page.cursor,
        order.map(() => 'text'),
      );
      const columns = order.map(() => '??').join(', ');
      const values = order.map(() => '?').join(', ');
      query.whereRaw(
        `(${columns}) ${direction === 'asc' ? '>' : '<'} (${values})`,
        [...order, ...key],
      );
    }
    const rows: Row[] = await query;
    const [{ count }] = await matching().count({ count: '*' });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1) as Record<string, string> | undefined;
    return {
      items: shown.map(options.read),
      totalItems: Number(count),
      ...(rows.length > limit &&
        last && { nextCursor: encodeCursor(order.map(c => last[c])) }),
    };
  }
}

/** In brackets of its own, so that an `or` in it widens nothing. */
function narrow(query: Knex.QueryBuilder, restrict?: RowRestriction): void {
  if (restrict) {
    query.where(inner => restrict(inner));
  }
}

function equals(
  query: Knex.QueryBuilder,
  values: Record<string, string | undefined>,
): void {
  for (const [column, value] of Object.entries(values)) {
    if (value !== undefined) {
      query.where(column, value);
    }
  }
}
