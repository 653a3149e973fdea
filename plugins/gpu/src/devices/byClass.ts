import {
  DeviceClass,
  DeviceClassOffer,
} from '@gpuaas/backstage-plugin-gpu-common';

/** Every offer of one device class, over flavors and clusters. */
export interface ClassOffers {
  deviceClass: DeviceClass;
  offers: DeviceClassOffer[];
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

/** Groups offers by device class, the largest share of a GPU first, then by title. */
export function byClass(offers: DeviceClassOffer[]): ClassOffers[] {
  const groups = new Map<string, DeviceClassOffer[]>();
  for (const offer of offers) {
    const { id } = offer.deviceClass;
    groups.set(id, [...(groups.get(id) ?? []), offer]);
  }
  return [...groups.values()]
    .map(group => ({
      deviceClass: group[0].deviceClass,
      offers: group,
      total: sum(group.map(offer => offer.total))!,
      free: sum(group.map(offer => offer.free))!,
      freeForQueue: sum(group.map(offer => offer.freeForQueue)),
      potentialForQueue: sum(group.map(offer => offer.potentialForQueue)),
    }))
    .sort(
      (a, b) =>
        b.deviceClass.shareNano - a.deviceClass.shareNano ||
        a.deviceClass.title.localeCompare(b.deviceClass.title),
    );
}
