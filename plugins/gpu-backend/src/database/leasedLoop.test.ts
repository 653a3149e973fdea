import { TestDatabases } from '@backstage/backend-test-utils';
import { until } from '../clusters/__testUtils__/until';
import { leasedLoop } from './leasedLoop';
import { Leases } from './leases';
import { migrate } from './migrate';

const databases = TestDatabases.create({
  ids: ['SQLITE_3'],
  disableDocker: true,
});

describe('leasedLoop', () => {
  it('runs on one replica, survives errors, and moves on at once when it ends', async () => {
    const knex = await databases.init('SQLITE_3');
    await migrate(knex);
    const rounds: string[] = [];
    const errors: string[] = [];
    const start = (replica: string) => {
      const end = new AbortController();
      const running = leasedLoop({
        leases: new Leases(knex, replica, 60_000),
        lease: 'work',
        everyMillis: 1,
        signal: end.signal,
        round: async () => {
          rounds.push(replica);
          if (rounds.length === 2) {
            throw new Error('once');
          }
        },
        onError: ({ message }) => errors.push(message),
      });
      return async () => {
        end.abort();
        await running;
      };
    };
    const stopA = start('a');
    await until(() => rounds.length > 0);
    const stopB = start('b');
    await until(() => rounds.length > 10 && errors.length === 1);
    expect(errors).toEqual(['once']);
    const holder = rounds.at(-1)!;
    const [stop, stopOther] = holder === 'a' ? [stopA, stopB] : [stopB, stopA];
    await stop();
    const count = rounds.length;
    await until(() => rounds.length > count + 3);
    expect(new Set(rounds.slice(count))).toEqual(
      new Set([holder === 'a' ? 'b' : 'a']),
    );
    await stopOther();
  });
});
