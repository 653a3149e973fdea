import { Queue } from '@gpuaas/backstage-plugin-gpu-common';

/** The classes every one of the queues may use, in the first one's order: highest value first. */
export function commonPriorityClasses(
  queues: Queue[],
): Queue['priorityClasses'] {
  const [first, ...others] = queues;
  return (first?.priorityClasses ?? []).filter(({ name }) =>
    others.every(queue =>
      queue.priorityClasses.some(each => each.name === name),
    ),
  );
}
