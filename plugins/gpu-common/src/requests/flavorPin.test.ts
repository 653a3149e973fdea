import { DeviceClassOffer } from '../api/deviceClasses';
import { unpinnable } from './flavorPin';

function offer(
  flavor: string,
  id: string,
  resourceName: string,
  nodeLabels: Record<string, string>,
): DeviceClassOffer {
  return {
    cluster: 'spoke-a',
    flavor,
    nodeLabels,
    deviceClass: {
      id,
      title: id,
      vendor: 'nvidia',
      model: id,
      form: {},
      resourceName,
      shareNano: 1_000_000_000,
      vramMiB: 81920,
      isolation: 'hardware',
      singleUnit: false,
      goodFor: [],
    },
    nodes: 1,
    total: 8,
    free: 8,
    freshAt: '2026-01-01T00:00:00Z',
  };
}

const GPU = 'nvidia.com/gpu';
const h100 = (labels: Record<string, string>) =>
  offer('train', 'h100', GPU, labels);
const why = (mine: DeviceClassOffer, ...others: DeviceClassOffer[]) =>
  unpinnable(
    mine.flavor,
    mine.deviceClass.id,
    mine.deviceClass.resourceName,
    mine.nodeLabels,
    [mine, ...others],
  );

describe('unpinnable', () => {
  it('is satisfied by one key that both flavors define with other values', () => {
    const mine = h100({ product: 'h100', zone: 'a' });
    const other = offer('dev', 'l40s', GPU, { product: 'l40s', zone: 'a' });
    expect(why(mine, other)).toBeUndefined();
  });

  it('names a flavor without labels', () => {
    expect(why(h100({}))).toMatch(/^flavor train has no nodeLabels/);
  });

  it.each([
    ['has no labels', {}],
    ['has the same labels', { product: 'h100' }],
    ['has only other keys, which Kueue does not compare', { pool: 'dev' }],
  ])('names the other flavor when it %s', (_, labels) => {
    const other = offer('dev', 'l40s', GPU, labels);
    expect(why(h100({ product: 'h100' }), other)).toMatch(
      /flavor train has no label that tells it from flavor dev, whose nvidia\.com\/gpu is l40s/,
    );
  });

  it.each([
    ['another resource', offer('mig', 'a100', 'nvidia.com/mig-1g.10gb', {})],
    ['the same class', offer('train-2', 'h100', GPU, {})],
    ['the same flavor', offer('train', 'h100-shared', GPU, { a: 'b' })],
  ])('does not mind a flavor with %s', (_, other) => {
    expect(why(h100({ product: 'h100' }), other)).toBeUndefined();
  });
});
