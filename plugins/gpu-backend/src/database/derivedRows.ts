import { Knex } from 'knex';

const CHUNK = 100;

/** A row that is derived from others and written only when it came out different. */
export type DerivedRow = Record<string, string | null>;

/**
 * Keeps the rows of one cluster in a table of derived rows. It remembers what
 * it wrote, so that a pass over a thousand queues writes the three that changed.
 */
export class DerivedRows {
  private written?: Map<string, string>;

  constructor(
    private readonly table: string,
    private readonly keys: string[],
    private readonly cluster: string,
  ) {}

  /** Makes the cluster's rows be exactly `rows`. Forget this object when the transaction fails. */
  async replace(trx: Knex.Transaction, rows: DerivedRow[]): Promise<void> {
    const written = this.written ?? (await this.stored(trx));
    const next = new Map(rows.map(row => [this.keyOf(row), row]));
    const changed = [...next]
      .filter(([key, row]) => written.get(key) !== JSON.stringify(row))
      .map(([, row]) => row);
    for (let i = 0; i < changed.length; i += CHUNK) {
      await trx(this.table)
        .insert(changed.slice(i, i + CHUNK))
        .onConflict(this.keys)
        .merge();
    }
    for (const key of written.keys()) {
      if (!next.has(key)) {
        const values: string[] = JSON.parse(key);
        await trx(this.table)
          .where(Object.fromEntries(this.keys.map((k, i) => [k, values[i]])))
          .delete();
      }
    }
    this.written = new Map(
      [...next].map(([key, row]) => [key, JSON.stringify(row)]),
    );
  }

  private async stored(trx: Knex.Transaction): Promise<Map<string, string>> {
    const rows: DerivedRow[] = await trx(this.table)
      .where({ cluster: this.cluster })
      .select();
    // Column order differs: everything is written once, which does no harm.
    return new Map(rows.map(row => [this.keyOf(row), '']));
  }

  private keyOf(row: DerivedRow): string {
    return JSON.stringify(this.keys.map(key => row[key]));
  }
}
