import { GpuApi, Queue } from '@gpuaas/backstage-plugin-gpu-common';

/** Every queue the reader may see, page after page. */
export async function everyQueue(
  api: GpuApi,
  query: { mine?: boolean } = {},
): Promise<Queue[]> {
  const queues: Queue[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.getQueues({ ...query, limit: 500, cursor });
    queues.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return queues;
}
