import { z as zod } from 'zod/v3';

type Z = typeof zod;

/** Fields that the form, the quota check and the rendering share. */

export const queueField = (z: Z) =>
  z
    .object({
      namespace: z.string().min(1),
      queue: z.string().min(1),
      team: z.string().optional(),
    })
    .describe("The team's LocalQueue: its namespace and name");

export const deviceField = (z: Z) =>
  z
    .object({
      deviceClass: z.string().min(1).optional(),
      fraction: z
        .object({
          corePercent: z.number().int().min(1).max(100),
          vramMiB: z.number().int().min(1),
        })
        .optional(),
    })
    .describe(
      'A device class by its id, or a fraction of a GPU (per cent of its cores, MiB of its memory) that is matched to a class',
    );

export const countField = (z: Z) =>
  z
    .number()
    .int('a whole number')
    .min(1, 'a whole number from 1 up')
    .describe('Units of the device class for each pod');

export const podsField = (z: Z) =>
  z
    .number()
    .int('a whole number')
    .min(1, 'a whole number from 1 up')
    .default(1)
    .describe('Pods that run side by side');

export const priorityField = (z: Z) =>
  z
    .string()
    .optional()
    .describe('WorkloadPriorityClass; one the queue may use');

/** Text a form leaves empty means that nothing was chosen. */
export function chosen(text: string | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}
