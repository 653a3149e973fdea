import { TestDatabases } from '@backstage/backend-test-utils';
import { Knex } from 'knex';
import { databaseNow } from './databaseClock';
import { migrate } from './migrate';
import { LeaseLostError, Leases } from './leases';

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

const HOUR = 3_600_000;

jest.setTimeout(60_000);

describe.each(databases.eachSupportedId())('Leases, %s', id => {
  let knex: Knex;

  beforeEach(async () => {
    knex = await databases.init(id);
    await migrate(knex);
  });

  afterEach(() => jest.restoreAllMocks());

  /** As if its holder had not been heard of for long. */
  async function expire(name: string) {
    await knex('gpu_leases').where({ name }).update({ expires_at: 1 });
  }

  it('has one holder at a time', async () => {
    const one = new Leases(knex, 'one', HOUR);
    const two = new Leases(knex, 'two', HOUR);
    expect(await one.acquire('a')).toEqual({ name: 'a', token: 1 });
    expect(await two.acquire('a')).toBeUndefined();
    expect(await two.acquire('b')).toEqual({ name: 'b', token: 1 });
  });

  it('lets one of many win', async () => {
    const won = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        new Leases(knex, `replica-${i}`, HOUR).acquire('a'),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it('goes to another when it ran out, with a higher token', async () => {
    const one = new Leases(knex, 'one', HOUR);
    const two = new Leases(knex, 'two', HOUR);
    await one.acquire('a');
    await expire('a');
    expect(await two.acquire('a')).toEqual({ name: 'a', token: 2 });
  });

  it('goes to another as soon as it is released', async () => {
    const one = new Leases(knex, 'one', HOUR);
    await one.release((await one.acquire('a'))!);
    expect(await new Leases(knex, 'two', HOUR).acquire('a')).toEqual({
      name: 'a',
      token: 2,
    });
  });

  it('comes back to its own holder, whose earlier lease is void then', async () => {
    const one = new Leases(knex, 'one', HOUR);
    const first = (await one.acquire('a'))!;
    expect(await one.acquire('a')).toEqual({ name: 'a', token: 2 });
    await expect(one.guard(first)).rejects.toThrow(LeaseLostError);
  });

  it('keeps a late writer from committing', async () => {
    const one = new Leases(knex, 'one', HOUR);
    const late = (await one.acquire('a'))!;
    await expire('a');
    await new Leases(knex, 'two', HOUR).acquire('a');

    await expect(
      knex.transaction(async trx => {
        await trx('clusters').insert({
          name: 'spoke-a',
          state: 'connected',
          since: await databaseNow(trx),
        });
        await one.guard(late, trx);
      }),
    ).rejects.toThrow(LeaseLostError);
    expect(await knex('clusters').select()).toEqual([]);
    await one.release(late);
    expect(await knex('gpu_leases').first('holder')).toEqual({ holder: 'two' });
  });

  it('renews with each guarded write', async () => {
    const one = new Leases(knex, 'one', HOUR);
    const lease = (await one.acquire('a'))!;
    await expire('a');
    await knex.transaction(trx => one.guard(lease, trx));
    expect(await new Leases(knex, 'two', HOUR).acquire('a')).toBeUndefined();
  });

  it('trusts the clock of the database, not of a replica that is hours ahead', async () => {
    const one = new Leases(knex, 'one', HOUR);
    const lease = (await one.acquire('a'))!;
    const real = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(real + 5 * HOUR);
    expect(await new Leases(knex, 'ahead', HOUR).acquire('a')).toBeUndefined();
    await one.guard(lease);
    expect(Math.abs(Date.parse(await databaseNow(knex)) - real)).toBeLessThan(
      HOUR,
    );
  });
});
