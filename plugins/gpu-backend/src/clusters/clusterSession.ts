import { LoggerService } from '@backstage/backend-plugin-api';
import { Knex } from 'knex';
import { writeClusterState } from '../database/clusterRows';
import { databaseNow } from '../database/databaseClock';
import { Lease, Leases } from '../database/leases';
import { BackOff, orAborted, pause } from './backOff';
import { BatchWriter } from './batchWriter';
import { ClusterApi } from './clusterApi';
import { clusterHealth } from './clusterHealth';
import { ClusterObserver } from './clusterObserver';
import { ClusterPicture } from './clusterPicture';
import { Discovered, discover } from './discovery';
import {
  FOLLOWED_RESOURCES,
  FollowedResource,
  RESOURCE_RULES,
  resourcePath,
} from './followedResources';
import { ReadModel } from './readModel';
import { FollowerTimings } from './followerTimings';
import { Reflector } from './reflector';
import { StreamSink } from './streamSink';
import { afterFailure, StreamState } from './streamState';

export interface ClusterSessionOptions {
  cluster: string;
  api: ClusterApi;
  knex: Knex;
  leases: Leases;
  lease: Lease;
  observers: ClusterObserver[];
  logger: LoggerService;
  timings: FollowerTimings;
}

/**
 * Follows one cluster for as long as its lease is held: finds out what is
 * served, keeps a reflector per resource, and writes what they bring. Trouble
 * with the cluster is a state; trouble with the database or the lease ends the
 * session, and the next one goes on from the last commit.
 */
export class ClusterSession {
  private readonly streams = new Map<FollowedResource, StreamState>();
  private readonly writer: BatchWriter;
  private readonly readModel: ReadModel;
  private discovered?: Discovered;
  private contactError?: string;
  private published = '';
  private logged = '';
  private round = new AbortController();
  private publishing = false;

  static async open(options: ClusterSessionOptions): Promise<ClusterSession> {
    const picture = await ClusterPicture.load(options.knex, options.cluster);
    return new ClusterSession(options, picture);
  }

  private constructor(
    private readonly options: ClusterSessionOptions,
    private readonly picture: ClusterPicture,
  ) {
    const { knex, leases, lease, observers, timings } = options;
    this.writer = new BatchWriter({
      knex,
      leases,
      lease,
      picture,
      observers,
      windowMillis: timings.batchWindow,
      maxChanges: 500,
      retentionMillis: timings.retention,
      onCommitted: changed => this.readModel.touched(changed),
    });
    this.readModel = new ReadModel(
      picture,
      this.writer,
      timings.readModel,
      options.logger,
    );
  }

  /** Runs until `signal` aborts. @throws LeaseLostError, and errors of the database. */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const all = AbortSignal.any([signal, end.signal]);
    const parts = [
      this.writer.run(all),
      this.readModel.run(all),
      this.heartbeat(all),
      this.keepContact(all),
      this.follow(all),
    ];
    try {
      await Promise.race(parts);
      if (!signal.aborted) {
        await Promise.all(parts);
      }
    } finally {
      end.abort();
      await Promise.allSettled(parts);
    }
  }

  /** Renews the lease and writes freshness. */
  private async heartbeat(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.publish(true);
      await pause(this.options.timings.heartbeat, signal);
    }
  }

  /**
   * Asks the API server for its version now and then: a connection that is
   * half open says nothing for minutes, and a watch cannot tell silence from
   * absence.
   */
  private async keepContact(signal: AbortSignal): Promise<void> {
    const { api, timings } = this.options;
    let lookedAt = performance.now();
    while (!signal.aborted) {
      await pause(timings.contact, signal);
      if (signal.aborted || !this.discovered) {
        continue;
      }
      const failed = this.contactError !== undefined;
      try {
        if (failed || performance.now() - lookedAt >= timings.discovery) {
          lookedAt = performance.now();
          const now = await discover(api, signal);
          if (
            failed ||
            JSON.stringify(now) !== JSON.stringify(this.discovered)
          ) {
            // Watches may be half dead after an outage: begin anew from the last commit.
            this.round.abort();
          }
        } else {
          await api.get('/version', {
            signal,
            timeoutMillis: timings.contactTimeout,
          });
        }
        this.contact();
      } catch (error) {
        if (!signal.aborted) {
          this.contact(error as Error);
        }
      }
    }
  }

  private contact(error?: Error): void {
    this.contactError = error?.message;
    this.publish();
  }

  /** Round after round: discover, follow everything, until something served changes. */
  private async follow(signal: AbortSignal): Promise<void> {
    const { api, timings } = this.options;
    const backOff = new BackOff(timings.backOffFirst, timings.backOffMax);
    while (!signal.aborted) {
      this.round = new AbortController();
      this.streams.clear();
      this.discovered = undefined;
      try {
        this.discovered = await discover(api, signal);
      } catch (error) {
        // Only the cluster is asked here: whatever went wrong is its answer.
        if (!signal.aborted) {
          this.contact(error as Error);
          await backOff.wait(signal);
        }
        continue;
      }
      backOff.reset();
      await this.followServed(
        this.discovered,
        AbortSignal.any([signal, this.round.signal]),
        signal,
      );
    }
  }

  private async followServed(
    { versions }: Discovered,
    round: AbortSignal,
    signal: AbortSignal,
  ): Promise<void> {
    const served = FOLLOWED_RESOURCES.filter(resource => versions[resource]);
    for (const resource of served) {
      this.streams.set(resource, { live: false });
    }
    this.contact();
    await this.forgetUnserved(versions, signal);
    const running: Promise<void>[] = [];
    for (const stage of [1, 2, 3]) {
      const heard = served
        .filter(resource => RESOURCE_RULES[resource].stage === stage)
        .map(resource =>
          orAborted(round, resolve => {
            const done = this.reflect(
              resource,
              versions[resource]!,
              round,
              resolve,
            );
            running.push(done);
            // The error is thrown below.
            done.catch(resolve);
          }),
        );
      // What the later stages are derived from is there, or known to be missing.
      await Promise.all(heard);
      if (stage === 1 && !round.aborted) {
        // A Workload is to have its device class from the first moment.
        await this.readModel.deriveNow();
      }
    }
    await Promise.all(running);
    // Events still on their way must be stored before the next round reads how far we are.
    await orAborted(signal, resolve =>
      this.writer.add({
        resource: FOLLOWED_RESOURCES[0],
        changes: [],
        committed: resolve,
      }),
    );
  }

  /** Runs the reflector of one resource; `heard` is called when it is live or has failed once. */
  private async reflect(
    resource: FollowedResource,
    apiVersion: string,
    signal: AbortSignal,
    heard: () => void,
  ): Promise<void> {
    const { knex, api, cluster, timings, logger } = this.options;
    const sink = new StreamSink({
      knex,
      writer: this.writer,
      picture: this.picture,
      resource,
      apiVersion,
      signal,
      onLive: () => {
        this.streams.set(resource, { live: true });
        heard();
        this.publish();
      },
      onDown: error => {
        logger.warn(`${cluster}: ${resource}: ${error.message}`);
        this.streams.set(
          resource,
          afterFailure(this.streams.get(resource), error),
        );
        heard();
        this.publish();
        if (error.statusCode === 404) {
          this.round.abort();
        }
      },
    });
    const stream = await knex('cluster_streams')
      .where({ cluster, resource, api_version: apiVersion })
      .first('resource_version');
    await new Reflector({
      api,
      path: resourcePath(resource, apiVersion),
      labelSelector: RESOURCE_RULES[resource].labelSelector,
      sink,
      resourceVersion: stream?.resource_version,
      idleMillis: timings.watchIdle,
      backOff: new BackOff(timings.backOffFirst, timings.backOffMax),
      relistBackOff: new BackOff(
        timings.backOffFirst * 4,
        timings.backOffMax * 2,
      ),
    }).run(signal);
  }

  /** A kind that is served no longer has no objects any more: as after an empty list. */
  private async forgetUnserved(
    versions: Discovered['versions'],
    signal: AbortSignal,
  ): Promise<void> {
    const { knex, cluster } = this.options;
    const followed: Array<{ resource: FollowedResource; api_version: string }> =
      await knex('cluster_streams').where({ cluster });
    for (const { resource, api_version: apiVersion } of followed) {
      if (!versions[resource] && !signal.aborted) {
        const sink = new StreamSink({
          knex,
          writer: this.writer,
          picture: this.picture,
          resource,
          apiVersion,
          signal,
          onLive: () => {},
          onDown: () => {},
        });
        await sink.listStarted();
        await sink.listEnded('0');
        this.picture.complete.delete(resource);
        await this.writer.do(async trx => {
          await trx('cluster_streams').where({ cluster, resource }).delete();
        });
      }
    }
  }

  /**
   * Writes the cluster's state when it has changed, and with a heartbeat in any
   * case. Errors end the session through the writer.
   */
  private publish(heartbeat = false): void {
    const { cluster, logger } = this.options;
    const health = clusterHealth({
      contactError: this.contactError,
      discovered: this.discovered !== undefined,
      kueueMissing: this.discovered?.kueueMessage,
      streams: [...this.streams].map(([resource, stream]) => ({
        resource,
        ...stream,
      })),
    });
    const said = JSON.stringify([health, this.discovered]);
    if (said === this.published && (!heartbeat || this.publishing)) {
      return;
    }
    const words = [cluster, health.state, health.message]
      .filter(Boolean)
      .join(': ');
    if (words !== this.logged) {
      logger.info(words);
      this.logged = words;
    }
    this.published = said;
    this.publishing = true;
    const live = this.contactError
      ? []
      : [...this.streams].filter(([, s]) => s.live).map(([r]) => r);
    this.writer
      .do(async trx => {
        this.publishing = false;
        await writeClusterState(trx, cluster, {
          ...health,
          kubernetesVersion: this.discovered?.kubernetesVersion,
          kueueApiVersion: this.discovered?.kueueApiVersion,
        });
        if (live.length > 0) {
          await trx('cluster_streams')
            .where({ cluster })
            .whereIn('resource', live)
            .update({ current_at: await databaseNow(trx) });
        }
      })
      .catch(() => undefined);
  }
}
