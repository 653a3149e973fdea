import { DeviceClassOffer } from '../api/deviceClasses';

/**
 * Says why a node selector made of a flavor's labels does not keep a Job on its
 * device class, or undefined when it does.
 *
 * Kueue 0.16 to 0.19 looks, flavor by flavor, only at selector keys that flavor
 * defines (`flavorSelector` in pkg/scheduler/flavorassigner). So another flavor that
 * offers the same resource is shut out only by a key both define with other values.
 *
 * @param offers - what the cluster offers, the flavor's own offer included.
 * @public
 */
export function unpinnable(
  flavor: string,
  deviceClass: string,
  resourceName: string,
  nodeLabels: Record<string, string>,
  offers: DeviceClassOffer[],
): string | undefined {
  if (Object.keys(nodeLabels).length === 0) {
    return `flavor ${flavor} has no nodeLabels, so nothing can pin ${deviceClass} to it`;
  }
  const confused = offers.find(
    other =>
      other.flavor !== flavor &&
      other.deviceClass.id !== deviceClass &&
      other.deviceClass.resourceName === resourceName &&
      !Object.entries(other.nodeLabels).some(
        ([key, value]) =>
          Object.hasOwn(nodeLabels, key) && nodeLabels[key] !== value,
      ),
  );
  return (
    confused &&
    `flavor ${flavor} has no label that tells it from flavor ${confused.flavor}, whose ${resourceName} is ${confused.deviceClass.id}; give both a nodeLabels key with different values`
  );
}
