import { useApi } from '@backstage/core-plugin-api';
import { useMemo } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { useLive } from '../live/useLive';

/** Physical share of one unit, nano-GPU, of a class as a flavor of a cluster cuts it; undefined while it is not known. */
export type ShareOf = (
  cluster: string,
  flavor: string,
  deviceClass: string,
) => number | undefined;

/** Shares of every offer. */
export function useDeviceShares(): ShareOf {
  const api = useApi(gpuApiRef);
  const { value } = useLive(() => api.getDeviceClasses(), [api], 60_000);
  return useMemo(() => {
    const shares = new Map(
      value?.items.map(({ cluster, flavor, deviceClass }) => [
        [cluster, flavor, deviceClass.id].join('/'),
        deviceClass.shareNano,
      ]),
    );
    return (...names) => shares.get(names.join('/'));
  }, [value]);
}
