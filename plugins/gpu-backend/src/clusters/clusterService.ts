import { LoggerService } from '@backstage/backend-plugin-api';
import { randomUUID } from 'node:crypto';
import { Knex } from 'knex';
import { Leases } from '../database/leases';
import { ClusterApi, KubeConfigClusterApi } from './clusterApi';
import { ClusterConfig } from './clusterConfig';
import { ClusterFollower } from './clusterFollower';
import { ClusterObserver } from './clusterObserver';

import { ClusterStore } from './clusterStore';
import { DatabaseClusterStore } from './databaseClusterStore';
import { DEFAULT_TIMINGS, FollowerTimings } from './followerTimings';
import { kubeConfigOf } from './kubeConfig';
import { Retention } from './retention';

export interface ClusterServiceOptions {
  /** The plugin's database, tables up to date (see database/migrate.ts). */
  knex: Knex;
  clusters: ClusterConfig[];
  logger: LoggerService;
  observers?: ClusterObserver[];
  timings?: Partial<FollowerTimings>;
  /** For tests: how a cluster is reached. */
  apiOf?: (cluster: ClusterConfig) => ClusterApi;
}

/** Follows the configured clusters together with the other replicas, and answers from what is stored. */
export class ClusterService {
  readonly store: ClusterStore;
  private readonly end = new AbortController();
  private running: Promise<void>[] = [];

  constructor(private readonly options: ClusterServiceOptions) {
    this.store = new DatabaseClusterStore(options.knex, options.clusters);
  }

  /** Begins to follow. Returns at once: a cluster that cannot be reached is a state. */
  start(): void {
    const { knex, clusters, logger, observers = [] } = this.options;
    const timings = { ...DEFAULT_TIMINGS, ...this.options.timings };
    const apiOf =
      this.options.apiOf ??
      (cluster => new KubeConfigClusterApi(kubeConfigOf(cluster)));
    const leases = new Leases(knex, randomUUID(), timings.lease);
    this.running = [
      ...clusters.map(cluster =>
        new ClusterFollower({
          cluster: cluster.name,
          api: apiOf(cluster),
          knex,
          leases,
          observers,
          logger,
          timings,
        }).run(this.end.signal),
      ),
      new Retention(knex, timings.retention, logger).run(this.end.signal),
    ];
  }

  /** Gives the leases up and resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.running);
  }
}
