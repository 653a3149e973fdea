import {
  DeviceClass,
  DeviceClassOffer,
} from '@gpuaas/backstage-plugin-gpu-common';

/** What one cluster offers of a device class, over its flavors. */
export interface ClusterOffers {
  cluster: string;
  total: number;
  free: number;
  /** Absent when the offers were asked for without a queue. */
  freeForQueue?: number;
  potentialForQueue?: number;
}

/** Every offer of one device class, over flavors and clusters. */
export interface ClassOffers {
  deviceClass: DeviceClass;
  /** Physical shares of one unit that occur, nano-GPU, the largest first. */
  shares: number[];
  clusters: ClusterOffers[];
  total: number;
  free: number;
  /** Absent when the offers were asked for without a queue. */
  freeForQueue?: number;
  potentialForQueue?: number;
}

function sum(values: Array<number | undefined>): number | undefined {
  const known = values.filter(value => value !== undefined);
  return known.length > 0
    ? known.reduce((total, value) => total! + value!, 0)
    : undefined;
}

function added(offers: DeviceClassOffer[]): Omit<ClusterOffers, 'cluster'> {
  return {
    total: sum(offers.map(offer => offer.total))!,
    free: sum(offers.map(offer => offer.free))!,
    freeForQueue: sum(offers.map(offer => offer.freeForQueue)),
    potentialForQueue: sum(offers.map(offer => offer.potentialForQueue)),
  };
}

function grouped(
  offers: DeviceClassOffer[],
  keyOf: (offer: DeviceClassOffer) => string,
): Map<string, DeviceClassOffer[]> {
  const groups = new Map<string, DeviceClassOffer[]>();
  for (const offer of offers) {
    const key = keyOf(offer);
    groups.set(key, [...(groups.get(key) ?? []), offer]);
  }
  return groups;
}

/** Groups offers by device class, the largest share of a GPU first, then by title. */
export function byClass(offers: DeviceClassOffer[]): ClassOffers[] {
  return [...grouped(offers, offer => offer.deviceClass.id).values()]
    .map(group => ({
      deviceClass: group[0].deviceClass,
      shares: [
        ...new Set(group.map(offer => offer.deviceClass.shareNano)),
      ].sort((a, b) => b - a),
      clusters: [...grouped(group, offer => offer.cluster)].map(
        ([cluster, own]) => ({ cluster, ...added(own) }),
      ),
      ...added(group),
    }))
    .sort(
      (a, b) =>
        b.deviceClass.shareNano - a.deviceClass.shareNano ||
        a.deviceClass.title.localeCompare(b.deviceClass.title),
    );
}
