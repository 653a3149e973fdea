import { LoggerService } from '@backstage/backend-plugin-api';
import { Knex } from 'knex';
import { Leases, LeaseLostError } from '../database/leases';
import { BackOff, pause } from './backOff';
import { ClusterApi } from './clusterApi';
import { ClusterObserver } from './clusterObserver';
import { ClusterSession } from './clusterSession';
import { FollowerTimings } from './followerTimings';

export interface ClusterFollowerOptions {
  cluster: string;
  api: ClusterApi;
  knex: Knex;
  leases: Leases;
  observers: ClusterObserver[];
  logger: LoggerService;
  timings: FollowerTimings;
}

/**
 * Competes with the other replicas for a cluster and follows it while this
 * replica holds its lease. Never gives up: whatever ends a session, the next
 * one begins after a back-off, here or on another replica.
 */
export class ClusterFollower {
  constructor(private readonly options: ClusterFollowerOptions) {}

  /** Runs until `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, leases, logger, timings } = this.options;
    const backOff = new BackOff(timings.backOffFirst, timings.backOffMax);
    while (!signal.aborted) {
      try {
        const lease = await leases.acquire(`cluster:${cluster}`);
        if (!lease) {
          await pause(timings.lease * (0.2 + Math.random() * 0.1), signal);
          continue;
        }
        try {
          const session = await ClusterSession.open({ ...this.options, lease });
          await session.run(signal);
        } finally {
          await leases.release(lease).catch(() => undefined);
        }
        backOff.reset();
      } catch (error) {
        if (error instanceof LeaseLostError) {
          logger.info(`${cluster}: ${error.message}`);
        } else if (!signal.aborted) {
          logger.error(`${cluster}: following stopped`, error as Error);
        }
        await backOff.wait(signal);
      }
    }
  }
}
