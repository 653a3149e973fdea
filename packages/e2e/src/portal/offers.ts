import { DeviceClassOffer } from '@gpuaas/backstage-plugin-gpu-common';
import { PortalClient } from './portalClient';
import { until } from './until';

/** A device class of whole GPUs that the team's queue may use on a cluster. */
export function offerFor(
  person: PortalClient,
  cluster: string,
  namespace: string,
): Promise<DeviceClassOffer> {
  return until(`${cluster} offers whole GPUs`, async () => {
    const { items } = await person.gpu.getDeviceClasses({
      cluster,
      namespace,
      queue: 'gpu',
    });
    return items.find(
      ({ deviceClass: { form }, total }) =>
        total > 0 && !form.partition && (form.replicas ?? 1) === 1,
    );
  });
}
