import { useApi } from '@backstage/core-plugin-api';
import { useMemo } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { useLive } from '../live/useLive';

/** Device class ids as people call them; an id nobody offers any more stays an id. */
export function useDeviceTitles(): (id: string) => string {
  const api = useApi(gpuApiRef);
  const { value } = useLive(() => api.getDeviceClasses(), [api], 60_000);
  return useMemo(() => {
    const titles = new Map(
      value?.items.map(({ deviceClass }) => [
        deviceClass.id,
        deviceClass.title,
      ]),
    );
    return id => titles.get(id) ?? id;
  }, [value]);
}
