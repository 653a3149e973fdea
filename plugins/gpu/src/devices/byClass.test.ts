import { offersAt } from '../../dev/fixtures';
import { byClass } from './byClass';

const offers = offersAt(new Date('2026-03-01T10:30:00Z'));

describe('byClass', () => {
  it('adds the clusters of a class up, whole GPUs first', () => {
    expect(
      byClass(offers).map(group => [
        group.deviceClass.title,
        group.free,
        group.total,
        group.freeForQueue,
        group.potentialForQueue,
      ]),
    ).toEqual([
      ['NVIDIA H100 80 GB', 22, 128, 6, 70],
      ['NVIDIA A100 80 GB, MIG 3g.40gb', 0, 64, 0, 34],
      ['NVIDIA L40S, shared by 4', 203, 512, 64, 264],
      ['NVIDIA A100 80 GB, MIG 1g.10gb', 159, 672, 137, 356],
    ]);
  });

  it('does not make up what no queue was asked for', () => {
    const { freeForQueue, potentialForQueue, ...offer } = offers[0];
    expect(byClass([offer])[0].freeForQueue).toBeUndefined();
    expect(byClass([offer])[0].potentialForQueue).toBeUndefined();
  });

  it('adds the flavors of a cluster up, with every share they have', () => {
    const offer = { ...offers[0], free: 4, total: 9, freeForQueue: 3 };
    const cut = {
      ...offer,
      flavor: 'balanced',
      deviceClass: { ...offer.deviceClass, shareNano: 466_666_667 },
      free: 2,
      total: 5,
      freeForQueue: undefined,
    };
    const [group] = byClass([cut, offer, { ...offer, cluster: 'spoke-z' }]);
    expect(group.shares).toEqual([1_000_000_000, 466_666_667]);
    expect(
      group.clusters.map(({ cluster, free, total, freeForQueue }) => [
        cluster,
        free,
        total,
        freeForQueue,
      ]),
    ).toEqual([
      [offer.cluster, 6, 14, 3],
      ['spoke-z', 4, 9, 3],
    ]);
  });

  it('is empty for nothing', () => {
    expect(byClass([])).toEqual([]);
  });
});
