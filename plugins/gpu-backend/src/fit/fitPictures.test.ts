import { FitSnapshot } from '../clusters/clusterStore';
import { until } from '../clusters/__testUtils__/until';
import { FitPictures } from './fitPictures';

describe('FitPictures', () => {
  function setUp() {
    let made = 0;
    let now = 0;
    const pictures = new FitPictures(
      {
        snapshotForFit: async cluster => {
          if (cluster === 'down') {
            throw new Error('database is gone');
          }
          made += 1;
          return cluster === 'new'
            ? undefined
            : ({ freshAt: String(made) } as FitSnapshot);
        },
      },
      () => now,
    );
    const ask = (cluster: string, millis = 0) =>
      pictures.use(cluster, ({ freshAt }) => {
        now += millis;
        return freshAt;
      });
    return { ask, pictures };
  }

  it('is read once for questions asked together', async () => {
    const { ask } = setUp();
    expect(await Promise.all([ask('a'), ask('a'), ask('a')])).toEqual([
      '1',
      '1',
      '1',
    ]);
  });

  it('is used again for as long as it took, and then read anew', async () => {
    const { ask } = setUp();
    await ask('a', 50);
    expect(await ask('a')).toBe('1');
    expect(await until(async () => (await ask('a')) === '2')).toBe(true);
  });

  it('says nothing of a cluster never read, and keeps no failure', async () => {
    const { ask } = setUp();
    expect(await ask('new')).toBeUndefined();
    await expect(ask('down')).rejects.toThrow('database is gone');
    await until(async () => {
      await expect(ask('down')).rejects.toThrow('database is gone');
      return (await ask('a')) !== undefined;
    });
  });
});
