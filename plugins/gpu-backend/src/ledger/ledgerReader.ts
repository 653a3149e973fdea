import { NotImplementedError } from '@backstage/errors';
import {
  addGpuTime,
  gpuTime,
  Page,
  PageQuery,
  UsageInterval,
} from '@gpuaas/backstage-plugin-gpu-common';
import { Knex } from 'knex';
import { RowRestriction } from '../clusters/clusterStore';
import { decodeCursor, encodeCursor } from '../requests/pageCursor';
import { IntervalRecord, toUsageInterval } from './intervalRows';

export interface IntervalFilter {
  cluster?: string;
  /** Workload uid. */
  workload?: string;
  requestId?: string;
  entity?: string;
  team?: string;
}

const COLUMNS: Record<keyof IntervalFilter, string> = {
  cluster: 'cluster',
  workload: 'workload_uid',
  requestId: 'request_id',
  entity: 'entity',
  team: 'team',
};
const KEY = [
  'opened_at',
  'cluster',
  'workload_uid',
  'pod_set',
  'resource',
  'flavor',
  'kind',
] as const;

/** Reads of the ledger. Without a meter there is nothing to read, which is not the same as zero. */
export class LedgerReader {
  constructor(
    private readonly knex: Knex,
    private readonly installed: boolean,
    private readonly nowSeconds: () => number = () =>
      Math.floor(Date.now() / 1000),
  ) {}

  /** Newest first. @throws NotImplementedError without a meter, InputError for a bad cursor. */
  async list(
    filter: IntervalFilter,
    page: PageQuery,
    restrict?: RowRestriction,
  ): Promise<Page<UsageInterval>> {
    if (!this.installed) {
      throw new NotImplementedError(
        'Metering is not installed: the ledger has no usage meter',
      );
    }
    const limit = page.limit ?? 50;
    const [{ count }] = await this.matching(filter, restrict).count({
      count: '*',
    });
    const rows: IntervalRecord[] = await this.matching(filter, restrict)
      .modify(query => {
        if (page.cursor) {
          query.whereRaw(
            `(${KEY.join(', ')}) < (${KEY.map(() => '?').join(', ')})`,
            decodeCursor(
              page.cursor,
              KEY.map(column => (column === 'opened_at' ? 'integer' : 'text')),
            ),
          );
        }
      })
      .orderBy(KEY.map(column => ({ column, order: 'desc' as const })))
      .limit(limit + 1)
      .select('*');
    const shown = rows.slice(0, limit);
    const last = shown[shown.length - 1];
    const now = this.nowSeconds();
    return {
      items: shown.map(row => toUsageInterval(row, now)),
      totalItems: Number(count),
      nextCursor:
        rows.length > limit && last
          ? encodeCursor(
              KEY.map(column =>
                column === 'opened_at' ? Number(last.opened_at) : last[column],
              ),
            )
          : undefined,
    };
  }

  /**
   * Allocated GPU time of closed and open intervals, and what is held now.
   * Undefined without a meter.
   *
   * @throws RangeError beyond int64.
   */
  async totals(
    filter: IntervalFilter,
    restrict?: RowRestriction,
  ): Promise<{ gpuNanoSeconds: string; nowNano: number } | undefined> {
    if (!this.installed) {
      return undefined;
    }
    const allocated = () =>
      this.matching(filter, restrict).where('kind', 'allocated');
    const [{ sum }] = await allocated()
      .whereNotNull('closed_at')
      .select({
        // As text: JavaScript's numbers end at 2^53.
        sum: this.knex.raw('cast(sum(gpu_nano_seconds) as text)'),
      });
    const open: IntervalRecord[] = await allocated()
      .whereNull('closed_at')
      .whereNotNull('share_nano')
      .select('*');
    const now = this.nowSeconds();
    const times = open.map(row =>
      gpuTime(
        BigInt(row.share_nano!),
        Math.max(0, now - Number(row.opened_at)),
      ),
    );
    return {
      gpuNanoSeconds: addGpuTime(BigInt(sum ?? 0), ...times).toString(),
      nowNano: open.reduce((total, row) => total + Number(row.share_nano), 0),
    };
  }

  private matching(
    filter: IntervalFilter,
    restrict?: RowRestriction,
  ): Knex.QueryBuilder {
    return this.knex('ledger_intervals').modify(query => {
      if (filter.requestId !== undefined) {
        // Claimed by anybody, but verified together with its requester.
        query.whereNotNull('requester');
      }
      for (const [field, value] of Object.entries(filter)) {
        if (value !== undefined) {
          query.where(COLUMNS[field as keyof IntervalFilter], value);
        }
      }
      if (restrict) {
        query.andWhere(inner => restrict(inner));
      }
    });
  }
}
