import { makeFieldSchema } from '@backstage/plugin-scaffolder-react';

const related = {
  queueField: 'Parameter that holds the queue; `queue` when absent.',
  countField: 'Parameter that holds the units per pod; `count` when absent.',
  podsField: 'Parameter that holds the number of pods; `pods` when absent.',
  priorityField: 'Parameter that holds the priority; `priority` when absent.',
  clusterField: 'Parameter that holds the cluster; `cluster` when absent.',
};

/** Value and options of the GpuQueuePicker. */
export const queueSchema = makeFieldSchema({
  output: z => z.object({ namespace: z.string(), queue: z.string() }),
});

/** Value and options of the GpuDevicePicker. */
export const deviceSchema = makeFieldSchema({
  output: z =>
    z.union([
      z.object({ deviceClass: z.string() }),
      z.object({
        fraction: z.object({
          corePercent: z.number().int().min(1).max(100),
          vramMiB: z.number().int().min(1),
        }),
      }),
    ]),
  uiOptions: z =>
    z.object({
      queueField: z.string().optional().describe(related.queueField),
      countField: z.string().optional().describe(related.countField),
      podsField: z.string().optional().describe(related.podsField),
      priorityField: z.string().optional().describe(related.priorityField),
      clusterField: z.string().optional().describe(related.clusterField),
    }),
});

/** Value and options of the GpuPriorityPicker. */
export const prioritySchema = makeFieldSchema({
  output: z => z.string(),
  uiOptions: z =>
    z.object({
      queueField: z.string().optional().describe(related.queueField),
      clusterField: z.string().optional().describe(related.clusterField),
    }),
});

/** Value and options of the GpuClusterPicker. */
export const clusterSchema = makeFieldSchema({
  output: z => z.string(),
  uiOptions: z =>
    z.object({
      queueField: z.string().optional().describe(related.queueField),
    }),
});

/** Value of the GpuDurationPicker. */
export const durationSchema = makeFieldSchema({
  output: z => {
    const part = z.number().int().min(0).optional();
    return z.object({
      days: part,
      hours: part,
      minutes: part,
      seconds: part,
    });
  },
});
