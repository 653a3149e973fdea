import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';
import {
  FitAnswer,
  Queue,
  RequestSpec,
} from '@gpuaas/backstage-plugin-gpu-common';
import { z as zod } from 'zod/v3';
import { parseInput } from '../parseInput';
import {
  chosen,
  countField,
  podsField,
  priorityField,
  queueField,
} from './requestFields';

/** What `gpu:job:render` is asked with. */
export const jobAnswers = (z: typeof zod) =>
  z.object({
    name: z
      .string()
      .describe('Short name; the Job gets it and a short hash of the task'),
    purpose: z.string().optional().describe('For the reviewer'),
    entity: z.string().describe('Entity the GPU time is attributed to'),
    kind: z.enum(['batch', 'interactive', 'serving']).default('batch'),
    cluster: z.string().describe('Cluster, as the quota check chose it'),
    queue: queueField(z),
    deviceClass: z
      .string()
      .describe('Device class, as the quota check chose it'),
    count: countField(z),
    pods: podsField(z),
    priorityClass: priorityField(z),
    maxDuration: z
      .object({
        days: z.number().int().min(0).optional(),
        hours: z.number().int().min(0).optional(),
        minutes: z.number().int().min(0).optional(),
        seconds: z.number().int().min(0).optional(),
      })
      .optional()
      .describe('Longest run time, for example { hours: 4 }'),
    image: z.string(),
    command: z.array(z.string()).optional(),
    args: z.array(z.string()).optional(),
    env: z
      .array(
        z.object({
          name: z.string(),
          value: z.string().optional(),
          secretKeyRef: z
            .object({ name: z.string(), key: z.string() })
            .optional(),
        }),
      )
      .optional()
      .describe('Plain values, or name and key of a Secret in the namespace'),
    claim: z
      .object({
        name: z.string().optional(),
        mountPath: z.string().optional(),
        readOnly: z.boolean().optional(),
      })
      .optional()
      .describe('An existing PersistentVolumeClaim to mount'),
    cpu: z.string().optional().describe('Of each pod, for example "4"'),
    memory: z.string().optional().describe('Of each pod, for example "16Gi"'),
  });

/** Those answers, checked and with defaults. */
export type JobAnswers = ReturnType<typeof parseJobAnswers>;

/** @throws InputError */
export const parseJobAnswers = (value: unknown) =>
  parseInput(jobAnswers, value);

/**
 * The request that the answers and the gpu backend's own facts make together.
 *
 * @throws InputError when the backend offers nothing for this class.
 */
export function requestSpec(
  answers: JobAnswers,
  known: {
    queue: Queue;
    fit: FitAnswer;
    requester: string;
    id: string;
    singleUnit: boolean;
  },
): RequestSpec {
  const { queue, fit, requester, id, singleUnit } = known;
  if (!fit.flavor || !fit.nodeLabels || !fit.resourceName) {
    throw new InputError(
      `deviceClass is ${JSON.stringify(answers.deviceClass)}; ${fit.sentence}`,
    );
  }
  const { claim, maxDuration } = answers;
  return {
    requestId: id,
    slug: answers.name,
    purpose: chosen(answers.purpose),
    requester,
    entity: answers.entity,
    team: queue.owner,
    cluster: answers.cluster,
    namespace: queue.namespace,
    queue: queue.name,
    kind: answers.kind,
    deviceClass: answers.deviceClass,
    flavor: fit.flavor,
    nodeLabels: fit.nodeLabels,
    resourceName: fit.resourceName,
    count: answers.count,
    singleUnit,
    pods: answers.pods,
    priorityClass: chosen(answers.priorityClass),
    maxDurationSeconds: maxDuration && seconds(maxDuration),
    image: answers.image,
    command: answers.command,
    args: answers.args,
    env: answers.env as RequestSpec['env'],
    // An empty form field is "no claim"; a half-filled one is for checkRequest to refuse.
    claim:
      chosen(claim?.name) || chosen(claim?.mountPath)
        ? (claim as RequestSpec['claim'])
        : undefined,
    cpu: chosen(answers.cpu),
    memory: chosen(answers.memory),
    coveredResources: fit.coveredResources,
  };
}

/** Undefined for an empty duration: the person set no limit. */
function seconds(duration: NonNullable<JobAnswers['maxDuration']>) {
  return durationToMilliseconds(duration) / 1000 || undefined;
}
