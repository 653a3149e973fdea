import { Knex } from 'knex';
import { sqlNowMillis } from './databaseClock';

/** Thrown by `guard` when somebody else has taken the lease. */
export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`The lease "${name}" was taken over by another replica`);
    this.name = 'LeaseLostError';
  }
}

/** A lease that is held; `token` grows with each change of holder and fences late writers. */
export interface Lease {
  name: string;
  token: number;
}

/**
 * Leases in the table `gpu_leases`: who may do the one thing `name` stands
 * for. Time is the database's, so that skewed clocks of replicas do no harm.
 */
export class Leases {
  constructor(
    private readonly knex: Knex,
    private readonly holder: string,
    /** Milliseconds a lease lasts unless renewed. */
    private readonly durationMillis: number,
  ) {}

  /**
   * Takes the lease when nobody else holds it, or its holder let it run out;
   * undefined otherwise.
   */
  async acquire(name: string): Promise<Lease | undefined> {
    const now = sqlNowMillis(this.knex);
    // One statement, so that of two replicas only one can win.
    const result = await this.knex.raw(
      `insert into gpu_leases (name, holder, token, expires_at)
       values (?, ?, 1, ${now} + ?)
       on conflict (name) do update set
         holder = excluded.holder,
         token = gpu_leases.token + 1,
         expires_at = excluded.expires_at
       where gpu_leases.expires_at <= ${now}
          or gpu_leases.holder = excluded.holder
       returning token`,
      [name, this.holder, this.durationMillis],
    );
    const rows: Array<{ token: number | string }> = result.rows ?? result;
    return rows.length === 1
      ? { name, token: Number(rows[0].token) }
      : undefined;
  }

  /**
   * Renews the lease, and in a transaction makes sure that it still is ours
   * when the transaction commits: the row stays locked until then, so that
   * nobody can take the lease between check and commit.
   *
   * @throws LeaseLostError when somebody else holds it.
   */
  async guard(lease: Lease, trx: Knex = this.knex): Promise<void> {
    const renewed = await trx('gpu_leases')
      .where({ name: lease.name, token: lease.token, holder: this.holder })
      .update({
        expires_at: trx.raw(`${sqlNowMillis(trx)} + ?`, [this.durationMillis]),
      });
    if (renewed !== 1) {
      throw new LeaseLostError(lease.name);
    }
  }

  /** Gives the lease up at once; no harm when it is no longer ours. */
  async release(lease: Lease): Promise<void> {
    await this.knex('gpu_leases')
      .where({ name: lease.name, token: lease.token, holder: this.holder })
      .update({ expires_at: 0 });
  }
}
