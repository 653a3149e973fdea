import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { FitAnswer } from '@gpuaas/backstage-plugin-gpu-common';
import { z as zod } from 'zod/v3';
import { contentHash } from '../contentHash';
import { GpuBackend } from '../gpuBackend';
import { parseInput } from '../parseInput';
import { examples } from './quotaCheck.examples';
import {
  chosen,
  countField,
  deviceField,
  podsField,
  priorityField,
  queueField,
} from './requestFields';

const input = (z: typeof zod) =>
  z.object({
    cluster: z
      .string()
      .optional()
      .describe(
        'Cluster; best-fit, or nothing, for the one that can start it first',
      ),
    queue: queueField(z),
    device: deviceField(z),
    count: countField(z),
    pods: podsField(z),
    priorityClass: priorityField(z),
    requireNow: z
      .boolean()
      .default(false)
      .describe('Fail also when the request would have to wait'),
  });

const output = (z: typeof zod) =>
  z.object({
    verdict: z
      .enum(['now', 'later', 'never'])
      .describe('Whether it would be admitted now, later or never'),
    sentence: z.string().describe('Why, in one sentence'),
    cluster: z.string().describe('Cluster the answer is for'),
    deviceClass: z.string().describe('Device class, also for a fraction'),
    flavor: z.string().describe('ResourceFlavor that offers the class'),
    units: z.number().describe('Units asked for, over all pods'),
    poolShare: z
      .number()
      .optional()
      .describe("Share of the pool's GPUs, from 0 to 1"),
    borrows: z.number().describe('Units borrowed from the cohort'),
  });

/**
 * `gpu:quota:check`: asks whether a request will fit, and stops the template when it
 * never can. Reads only, so a dry run does the same.
 *
 * @public
 */
export function createQuotaCheckAction(options: { gpu: GpuBackend }) {
  return createTemplateAction({
    id: 'gpu:quota:check',
    description:
      'Checks whether a GPU request fits the quota of a queue: now, later or never',
    examples,
    supportsDryRun: true,
    schema: { input, output },
    async handler(ctx) {
      const { cluster, queue, device, requireNow, ...rest } = parseInput(
        input,
        ctx.input,
      );
      if (Boolean(device.deviceClass) === Boolean(device.fraction)) {
        throw new InputError(
          `device is ${JSON.stringify(
            device,
          )}; accepted is either deviceClass or fraction`,
        );
      }
      const query = {
        ...rest,
        ...device,
        cluster: cluster === 'best-fit' ? undefined : chosen(cluster),
        namespace: queue.namespace,
        queue: queue.queue,
        priorityClass: chosen(rest.priorityClass),
      };
      // Kept, because a repeated task must not choose another cluster: that would be a second pull request.
      const answer = await ctx.checkpoint({
        key: `fit.${contentHash({ query, requireNow })}`,
        fn: async () => {
          const found = await options.gpu.ask(ctx, (gpu, call) =>
            gpu.getFit(query, call),
          );
          return accepted(found, requireNow);
        },
      });
      ctx.logger.info(`${answer.verdict}: ${answer.sentence}`);
      ctx.output('verdict', answer.verdict);
      ctx.output('sentence', answer.sentence);
      ctx.output('cluster', answer.cluster);
      ctx.output('deviceClass', answer.deviceClass);
      ctx.output('flavor', answer.flavor);
      ctx.output('units', answer.units);
      ctx.output('poolShare', answer.poolShare);
      ctx.output('borrows', answer.borrows);
    },
  });
}

/**
 * The parts of an answer that the next steps need.
 *
 * @throws InputError when the request never fits, or not as required.
 */
function accepted(fit: FitAnswer, requireNow: boolean) {
  if (fit.verdict === 'never' || (requireNow && fit.verdict === 'later')) {
    throw new InputError(fit.sentence);
  }
  const { verdict, sentence, cluster, deviceClass, flavor } = fit;
  if (!cluster || !deviceClass || !flavor) {
    throw new InputError(
      `The gpu backend named no cluster, device class and flavor: ${sentence}`,
    );
  }
  const { units, poolShare, borrows } = fit;
  return {
    verdict,
    sentence,
    cluster,
    deviceClass,
    flavor,
    units,
    borrows,
    ...(poolShare !== undefined && { poolShare }),
  };
}
