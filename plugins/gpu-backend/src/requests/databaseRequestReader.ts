import {
  ENDED_REQUEST_STATES,
  GpuRequest,
  Page,
  PageQuery,
  RequestState,
} from '@gpuaas/backstage-plugin-gpu-common';
import { Knex } from 'knex';
import { RowRestriction } from '../clusters/clusterStore';
import { decodeCursor, encodeCursor } from './pageCursor';
import { chunks, readRecords } from './requestRecords';
import { RequestRecord, toGpuRequest, toRequestRow } from './requestRows';
import { RequestFilter, RequestRow } from './requestStore';

const UNDELIVERED: RequestState[] = ['in-review', 'merged', 'refused'];
const DEFAULT_LIMIT = 50;
/** Files one tidy-up looks at. */
const TIDY_LIMIT = 500;

/** Everything that is read of requests. */
export class DatabaseRequestReader {
  constructor(protected readonly knex: Knex) {}

  async get(id: string): Promise<GpuRequest | undefined> {
    const records = await readRecords(this.knex, [id]);
    return records.length > 0 ? toGpuRequest(records[0]) : undefined;
  }

  async row(id: string): Promise<RequestRow | undefined> {
    const record = await this.knex<RequestRecord>('requests')
      .where({ id })
      .first();
    return record && toRequestRow(record);
  }

  async list(
    filter: RequestFilter = {},
    page: PageQuery = {},
    restrict?: RowRestriction,
  ): Promise<Page<GpuRequest>> {
    const limit = page.limit ?? DEFAULT_LIMIT;
    const matching = () =>
      this.knex<RequestRecord>('requests').modify(query => {
        applyFilter(query, filter);
        if (restrict) {
          query.andWhere(inner => restrict(inner));
        }
      });
    const [{ count }] = await matching().count({ count: '*' });
    const ids = await matching()
      .modify(query => {
        if (page.cursor) {
          const [createdAt, id] = decodeCursor(page.cursor, ['text', 'text']);
          query.andWhere(inner =>
            inner
              .where('created_at', '<', createdAt)
              .orWhere(same =>
                same.where({ created_at: createdAt }).where('id', '<', id),
              ),
          );
        }
      })
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit + 1)
      .select('id', 'created_at');
    const shown = ids.slice(0, limit);
    const records = await readRecords(
      this.knex,
      shown.map(({ id }: { id: string }) => id),
    );
    const last = shown[shown.length - 1];
    return {
      items: records.map(toGpuRequest),
      totalItems: Number(count),
      nextCursor:
        ids.length > limit && last
          ? encodeCursor([last.created_at, last.id])
          : undefined,
    };
  }

  async countStates(
    entity: string,
    restrict?: RowRestriction,
  ): Promise<Map<RequestState, number>> {
    const rows = await this.knex<RequestRecord>('requests')
      .where({ entity })
      .modify(query => {
        if (restrict) {
          query.andWhere(inner => restrict(inner));
        }
      })
      .groupBy('state')
      .select('state')
      .count({ count: '*' });
    return new Map(
      rows.map((row: any) => [row.state as RequestState, Number(row.count)]),
    );
  }

  async listUndecided(): Promise<RequestRow[]> {
    const records = await this.knex<RequestRecord>('requests')
      .whereNotNull('pr_number')
      .andWhere(query =>
        query
          .whereNull('pr_state')
          .orWhere('pr_state', 'open')
          .orWhere(merged =>
            merged.where('pr_state', 'merged').whereNull('file_check'),
          ),
      )
      .orderBy('created_at');
    return records.map(toRequestRow);
  }

  async findByJobs(
    jobs: Array<{ cluster: string; namespace: string; name: string }>,
    trx: Knex = this.knex,
  ): Promise<RequestRow[]> {
    const found: RequestRow[] = [];
    for (const some of chunks(jobs)) {
      const records = await trx<RequestRecord>('requests')
        .whereIn(
          ['cluster', 'namespace', 'name'],
          some.map(job => [job.cluster, job.namespace, job.name]),
        )
        // One order for every transaction, so that two never wait for each other.
        .orderBy('id');
      found.push(...records.map(toRequestRow));
    }
    return found;
  }

  async listLiving(limit: number, after = ''): Promise<RequestRow[]> {
    const records = await this.knex<RequestRecord>('requests')
      .whereIn('pr_state', ['open', 'merged'])
      .whereNotIn('state', ENDED_REQUEST_STATES)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit);
    return records.map(toRequestRow);
  }

  async listUndelivered(trx: Knex = this.knex): Promise<RequestRow[]> {
    const records = await trx<RequestRecord>('requests')
      .whereIn('state', UNDELIVERED)
      .orWhere(recent =>
        recent
          .whereNotIn('state', ENDED_REQUEST_STATES)
          .where(said =>
            said
              .whereNull('delivery')
              .orWhereNot('delivery', 'like', '{"state":"delivered"%'),
          ),
      )
      .orderBy('id');
    return records.map(toRequestRow);
  }

  async listTidiable(endedBefore: string): Promise<RequestRow[]> {
    const records = await this.knex<RequestRecord>('requests')
      .where('pr_state', 'merged')
      .whereNull('file_gone_at')
      .whereIn('state', ['succeeded', 'failed', 'deleted'])
      .whereNotExists(
        this.knex('request_runs')
          .whereRaw('request_runs.request_id = requests.id')
          .andWhere((run: Knex.QueryBuilder) =>
            run
              .whereNull('released_at')
              .orWhere('released_at', '>=', endedBefore),
          ),
      )
      .orderBy('created_at')
      .limit(TIDY_LIMIT);
    return records.map(toRequestRow);
  }
}

function applyFilter(query: Knex.QueryBuilder, filter: RequestFilter): void {
  const { requester, team, entity, states } = filter;
  for (const [column, value] of Object.entries({ requester, team, entity })) {
    if (value !== undefined) {
      query.where(column, value);
    }
  }
  if (states && states.length > 0) {
    query.whereIn('state', states);
  }
}
