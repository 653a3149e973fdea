import { useApi } from '@backstage/core-plugin-api';
import { useMemo } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { useLive } from '../live/useLive';

/** What is offered, for pages that name device classes and weigh them. */
export interface Devices {
  /** A device class id as people call it; an id nobody offers any more stays an id. */
  titleOf: (deviceClass: string) => string;
  /** Physical share of one unit, nano-GPU, as a flavor of a cluster cuts it; undefined while it is not known. */
  shareOf: (
    cluster: string,
    flavor: string,
    deviceClass: string,
  ) => number | undefined;
}

/** Asks once a minute; a list asks once and hands it to its rows. */
export function useDevices(): Devices {
  const api = useApi(gpuApiRef);
  const { value } = useLive(() => api.getDeviceClasses(), [api], 60_000);
  return useMemo(() => {
    const offers = value?.items ?? [];
    const titles = new Map(
      offers.map(({ deviceClass }) => [deviceClass.id, deviceClass.title]),
    );
    const shares = new Map(
      offers.map(({ cluster, flavor, deviceClass }) => [
        [cluster, flavor, deviceClass.id].join('/'),
        deviceClass.shareNano,
      ]),
    );
    return {
      titleOf: id => titles.get(id) ?? id,
      shareOf: (...names) => shares.get(names.join('/')),
    };
  }, [value]);
}
