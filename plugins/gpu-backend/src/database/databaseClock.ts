import { Knex } from 'knex';

/**
 * SQL for the database's own present, so that replicas with clocks minutes
 * apart agree: milliseconds since the epoch, at the moment of the statement
 * (PostgreSQL's now() would be the start of the transaction).
 */
export function sqlNowMillis(knex: Knex): string {
  return isSqlite(knex)
    ? "cast(unixepoch('subsec') * 1000 as integer)"
    : 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';
}

/** SQL for the database's present as RFC 3339 in UTC with milliseconds. */
export function sqlNowStamp(knex: Knex): string {
  return isSqlite(knex)
    ? "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
    : `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The database's present: RFC 3339 in UTC with milliseconds. */
export async function databaseNow(knex: Knex): Promise<string> {
  const row = await knex
    .select({ now: knex.raw(sqlNowStamp(knex)) })
    .first<{ now: string }>();
  return row.now;
}

function isSqlite(knex: Knex): boolean {
  return knex.client.config.client !== 'pg';
}
