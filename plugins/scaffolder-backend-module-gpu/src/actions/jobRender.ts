import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { resolveSafeChildPath } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { durationToMilliseconds } from '@backstage/types';
import {
  checkRequest,
  FitAnswer,
  GpuApi,
  manifestPath,
  pullRequestBody,
  pullRequestTitle,
  Queue,
  renderJob,
  requestBranch,
  RequestSpec,
} from '@gpuaas/backstage-plugin-gpu-common';
import { z as zod } from 'zod/v3';
import { gitopsTarget } from '../gitopsTarget';
import { GpuBackend } from '../gpuBackend';
import { parseInput } from '../parseInput';
import { validateJob } from '../validation/validateJob';
import { examples } from './jobRender.examples';
import {
  chosen,
  countField,
  podsField,
  priorityField,
  queueField,
} from './requestFields';

const input = (z: typeof zod) =>
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

const output = (z: typeof zod) =>
  z.object({
    name: z.string().describe('Name of the Job'),
    path: z
      .string()
      .describe('Of the file, in the workspace and in the repository'),
    digest: z.string().describe('sha256:<hex> of the file'),
    repoUrl: z.string(),
    targetBranch: z.string(),
    branch: z.string().describe('Branch for the pull request'),
    title: z.string().describe('Title for the pull request'),
    body: z.string().describe('Body for the pull request'),
    request: z
      .record(z.any())
      .describe('What gitops:pullRequest:create registers'),
    requestUrl: z.string().describe("Address of the request's page"),
  });

type Input = ReturnType<typeof parseJobInput>;

const parseJobInput = (value: unknown) => parseInput(input, value);

/**
 * `gpu:job:render`: checks every answer again, renders the Kueue Job, validates it and
 * writes it to the workspace. A dry run does the same; nothing leaves the workspace.
 *
 * @public
 */
export function createJobRenderAction(options: {
  gpu: GpuBackend;
  config: Config;
}) {
  const { gpu, config } = options;
  return createTemplateAction({
    id: 'gpu:job:render',
    description:
      'Renders a Kueue Job, valid for Kubernetes and Kueue, and writes it to the workspace',
    examples,
    supportsDryRun: true,
    schema: { input, output },
    async handler(ctx) {
      const answers = parseJobInput(ctx.input);
      const requester = ctx.user?.ref;
      if (!requester) {
        throw new InputError(
          'A GPU is requested by a user, and this task has none',
        );
      }
      const target = gitopsTarget(config, answers.cluster);
      const { queue, offers, fit } = await gpu.ask(ctx, (client, call) =>
        surroundings(client, call, answers),
      );
      const spec = requestSpec(answers, {
        queue,
        fit,
        requester,
        id: ctx.task.id,
        singleUnit: offers.some(
          ({ deviceClass }) =>
            deviceClass.id === answers.deviceClass && deviceClass.singleUnit,
        ),
      });
      const problems = checkRequest(spec, {
        offers,
        priorityClasses: queue.priorityClasses.map(({ name }) => name),
      });
      if (problems.length > 0) {
        throw new InputError(problems.map(({ message }) => message).join('\n'));
      }
      if (fit.verdict === 'never') {
        throw new InputError(fit.sentence);
      }
      const job = renderJob(spec);
      const invalid = validateJob(job.manifest);
      if (invalid.length > 0) {
        throw new Error(`The rendered Job is not valid: ${invalid.join('; ')}`);
      }
      const { cluster, namespace } = spec;
      const path = manifestPath(cluster, namespace, job.name, target.path);
      const file = resolveSafeChildPath(ctx.workspacePath, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, job.yaml);

      const requestUrl = `${config
        .getString('app.baseUrl')
        .replace(/\/+$/, '')}/gpu/requests/${encodeURIComponent(ctx.task.id)}`;
      const branch = requestBranch(cluster, namespace, job.name);
      ctx.output('name', job.name);
      ctx.output('path', path);
      ctx.output('digest', job.digest);
      ctx.output('repoUrl', target.repoUrl);
      ctx.output('targetBranch', target.branch);
      ctx.output('branch', branch);
      ctx.output('title', pullRequestTitle(spec, job.name));
      ctx.output(
        'body',
        pullRequestBody({ spec, job, path, fit, checks: CHECKS, requestUrl }),
      );
      ctx.output('request', registration(spec, job, path, target));
      ctx.output('requestUrl', requestUrl);
    },
  });
}

const CHECKS = [
  'every answer of the form, again on the server',
  'the queue is one the requester may use, and may use this priority',
  'the node selector pins the device class',
  'no secret stands in the manifest',
  'the Job is valid for Kubernetes batch/v1 and Kueue',
];

/** The queue, what its cluster offers, and whether the request fits, in one round. */
async function surroundings(
  client: GpuApi,
  call: { token: string; signal: AbortSignal },
  { cluster, queue, deviceClass, count, pods, priorityClass }: Input,
) {
  const { namespace } = queue;
  const [queues, offers, fit] = await Promise.all([
    client.getQueues({ cluster, namespace, limit: 500 }, call),
    client.getDeviceClasses({ cluster }, call),
    client.getFit(
      {
        cluster,
        namespace,
        queue: queue.queue,
        deviceClass,
        count,
        pods,
        priorityClass: chosen(priorityClass),
      },
      call,
    ),
  ]);
  const found = queues.items.find(({ name }) => name === queue.queue);
  if (!found) {
    const names = queues.items.map(({ name }) => name);
    throw new InputError(
      `queue is ${JSON.stringify(
        queue.queue,
      )}; accepted is a LocalQueue of namespace ${namespace} on ${cluster} that you may see: ${
        names.join(', ') || 'none'
      }`,
    );
  }
  return { queue: found, offers: offers.items, fit };
}

function requestSpec(
  answers: Input,
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
function seconds(duration: NonNullable<Input['maxDuration']>) {
  return durationToMilliseconds(duration) / 1000 || undefined;
}

function registration(
  spec: RequestSpec,
  job: { name: string; digest: string },
  path: string,
  target: { repoUrl: string; branch: string },
) {
  return {
    purpose: spec.purpose,
    entity: spec.entity,
    cluster: spec.cluster,
    namespace: spec.namespace,
    queue: spec.queue,
    kind: spec.kind,
    name: job.name,
    deviceClass: spec.deviceClass,
    flavor: spec.flavor,
    units: spec.count * (spec.pods ?? 1),
    priorityClass: spec.priorityClass,
    maxDurationSeconds: spec.maxDurationSeconds,
    file: {
      repoUrl: target.repoUrl,
      branch: target.branch,
      path,
      digest: job.digest,
    },
  };
}
