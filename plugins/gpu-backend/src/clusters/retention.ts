import { LoggerService } from '@backstage/backend-plugin-api';
import { Knex } from 'knex';
import { databaseNow } from '../database/databaseClock';
import { pause } from './backOff';

const EVERY_MILLIS = 3_600_000;
const CHUNK = 500;

/** Deletes Workloads that ended long ago, piece by piece. Every replica may: deleting twice does no harm. */
export class Retention {
  constructor(
    private readonly knex: Knex,
    private readonly keepMillis: number,
    private readonly logger: LoggerService,
  ) {}

  /** Runs until `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const count = await this.sweep(signal);
        if (count > 0) {
          this.logger.info(`Deleted ${count} Workloads that ended long ago`);
        }
      } catch (error) {
        this.logger.warn('Old Workloads could not be deleted', error as Error);
      }
      // Not all replicas at the same moment.
      await pause(EVERY_MILLIS * (0.9 + Math.random() * 0.2), signal);
    }
  }

  /** Returns how many rows went. */
  async sweep(signal?: AbortSignal): Promise<number> {
    const now = Date.parse(await databaseNow(this.knex));
    const before = new Date(now - this.keepMillis).toISOString();
    let total = 0;
    while (!signal?.aborted) {
      const uids: string[] = await this.knex('workloads')
        .where('finished_at', '<', before)
        .orWhere('deleted_at', '<', before)
        .limit(CHUNK)
        .pluck('uid');
      if (uids.length === 0) {
        break;
      }
      total += await this.knex('workloads').whereIn('uid', uids).delete();
    }
    return total;
  }
}
