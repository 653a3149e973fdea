import { Knex } from 'knex';
import {
  PodRecord,
  RequestRecord,
  RequestRecords,
  RunRecord,
} from './requestRows';

/** Keys of one `in (…)`: SQLite takes 32,766 variables a statement. */
const CHUNK = 500;

/** Holds the request against other writers until the transaction ends. */
export async function lockRequest(
  trx: Knex.Transaction,
  id: string,
): Promise<RequestRecord | undefined> {
  return trx<RequestRecord>('requests').where({ id }).forUpdate().first();
}

/** All that is known of these requests, in the order of the ids. */
export async function readRecords(
  knex: Knex,
  ids: string[],
): Promise<RequestRecords[]> {
  const [requests, runs, pods] = [
    await knex<RequestRecord>('requests').whereIn('id', ids),
    await knex<RunRecord>('request_runs')
      .whereIn('request_id', ids)
      .orderBy('created_at'),
    await knex<PodRecord>('request_pods').whereIn('request_id', ids),
  ];
  const byId = new Map(requests.map(request => [request.id, request]));
  return ids.flatMap(id => {
    const request = byId.get(id);
    return request
      ? [
          {
            request,
            runs: runs.filter(run => run.request_id === id),
            pods: pods.filter(pod => pod.request_id === id),
          },
        ]
      : [];
  });
}

/** Parts small enough for one statement. */
export function chunks<T>(items: T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += CHUNK) {
    parts.push(items.slice(at, at + CHUNK));
  }
  return parts;
}
