import { useApi } from '@backstage/core-plugin-api';
import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { useMemo } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { Live, useLive } from '../live/useLive';

/** A LocalQueue by name: the same on every cluster that has it. */
export interface QueueName {
  namespace: string;
  queue: string;
  clusters: string[];
}

/** Queues by namespace and name, with the clusters they are on. */
export function queueNames(queues: Queue[]): QueueName[] {
  const names = new Map<string, QueueName>();
  for (const { namespace, name, cluster } of queues) {
    const key = `${namespace}/${name}`;
    const known = names.get(key);
    names.set(key, {
      namespace,
      queue: name,
      clusters: [...(known?.clusters ?? []), cluster],
    });
  }
  return [...names.values()].sort((a, b) =>
    `${a.namespace}/${a.queue}`.localeCompare(`${b.namespace}/${b.queue}`),
  );
}

/** The queues the reader's groups own. */
export function useMyQueues(everyMs: number = 10_000): Live<Queue[]> & {
  names: QueueName[];
} {
  const api = useApi(gpuApiRef);
  const live = useLive(
    async () => (await api.getQueues({ mine: true, limit: 500 })).items,
    [api],
    everyMs,
  );
  const names = useMemo(() => queueNames(live.value ?? []), [live.value]);
  return { ...live, names };
}
