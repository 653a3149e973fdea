import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { resolveSafeChildPath } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  checkRequest,
  GpuApi,
  manifestPath,
  pullRequestBody,
  pullRequestTitle,
  renderJob,
  requestBranch,
  RequestSpec,
} from '@gpuaas/backstage-plugin-gpu-common';
import { z as zod } from 'zod/v3';
import { gitopsTarget } from '../gitopsTarget';
import { GpuBackend } from '../gpuBackend';
import { validateJob } from '../validation/validateJob';
import { examples } from './jobRender.examples';
import {
  JobAnswers,
  jobAnswers,
  parseJobAnswers,
  requestSpec,
} from './jobAnswers';
import { chosen } from './requestFields';

const output = (z: typeof zod) =>
  z.object({
    name: z.string().describe('Name of the Job'),
    path: z
      .string()
      .describe('Of the file, in the workspace and in the repository'),
    digest: z.string().describe('sha256:<hex> of the file'),
    files: z
      .array(z.object({ path: z.string(), content: z.string() }))
      .describe(
        'The file with its content, for a step that runs after the workspace is gone',
      ),
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

const CHECKS = [
  'every answer of the form, again on the server',
  'the queue is one the requester may use, and may use this priority',
  'the node selector pins the device class',
  'no secret stands in the manifest',
  'the Job is valid for Kubernetes batch/v1 and Kueue',
];

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
    schema: { input: jobAnswers, output },
    async handler(ctx) {
      const answers = parseJobAnswers(ctx.input);
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
      // A task that is recovered or retried skips this step and finds an empty workspace.
      ctx.output('files', [{ path, content: job.yaml }]);
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

/** The queue, what its cluster offers, and whether the request fits, in one round. */
async function surroundings(
  client: GpuApi,
  call: { token: string; signal: AbortSignal },
  { cluster, queue, deviceClass, count, pods, priorityClass }: JobAnswers,
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
