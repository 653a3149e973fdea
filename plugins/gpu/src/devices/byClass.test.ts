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

  it('is empty for nothing', () => {
    expect(byClass([])).toEqual([]);
  });
});
