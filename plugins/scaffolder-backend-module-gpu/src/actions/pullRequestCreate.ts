import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  fileDigest,
  RequestRegistration,
} from '@gpuaas/backstage-plugin-gpu-common';
import {
  ChangeProposal,
  createForge,
  FileChange,
  GitForge,
  parseRepoUrl,
  planChange,
  proposeChange,
} from '@gpuaas/backstage-plugin-gpu-node';
import { createTwoFilesPatch } from 'diff';
import { z as zod } from 'zod/v3';
import { contentHash } from '../contentHash';
import { GpuBackend } from '../gpuBackend';
import { parseInput } from '../parseInput';
import { proposedFiles } from './proposedFiles';
import { examples } from './pullRequestCreate.examples';

const input = (z: typeof zod) =>
  z.object({
    repoUrl: z
      .string()
      .describe('<host>?owner=<owner>&repo=<repository>; Gitea or GitHub'),
    targetBranch: z.string().min(1).default('main'),
    branch: z
      .string()
      .min(1)
      .max(100, 'at most 100 characters')
      .regex(
        /^(?!.*(\.\.|\/\/|@\{|\.lock(\/|$)))[A-Za-z0-9][A-Za-z0-9._/-]*[A-Za-z0-9]$/,
        'a name that git takes for a branch',
      )
      .describe(
        'Branch of the change. The same branch is the same pull request',
      ),
    title: z.string().min(1).max(255, 'at most 255 characters'),
    body: z.string().max(60_000, 'at most 60000 characters').default(''),
    files: z
      .array(z.object({ path: z.string(), content: z.string() }))
      .optional()
      .describe('Files with their content'),
    sourcePath: z
      .string()
      .optional()
      .describe('A file or folder of the workspace'),
    targetPath: z
      .string()
      .optional()
      .describe(
        'Where sourcePath goes in the repository; the same path when absent',
      ),
    delete: z.array(z.string()).optional().describe('Files to remove'),
    onClosed: z
      .enum(['refuse', 'reopen'])
      .default('refuse')
      .describe(
        'When the pull request of this branch was closed without a merge',
      ),
    token: z
      .string()
      .optional()
      .describe("A person's token; the integration's when absent"),
    request: z
      .record(z.any())
      .optional()
      .describe('GPU request to register, as gpu:job:render gives it'),
  });

const output = (z: typeof zod) =>
  z.object({
    url: z.string().optional().describe('Address of the pull request'),
    number: z.number().optional(),
    branch: z.string(),
    commit: z.string().describe('Head of the branch'),
    state: z.enum(['created', 'updated', 'unchanged']),
    provider: z.string().describe('gitea or github'),
  });

/**
 * `gitops:pullRequest:create`: one branch, one commit on top, one pull request, on
 * Gitea or GitHub, found again when the task is repeated; never forced. A dry run
 * reads, logs the difference and writes nothing.
 *
 * @public
 */
export function createPullRequestAction(options: {
  gpu: GpuBackend;
  config: Config;
  integrations: ScmIntegrationRegistry;
}) {
  const { gpu, config, integrations } = options;
  return createTemplateAction({
    id: 'gitops:pullRequest:create',
    description:
      'Opens a pull request, or updates the one this task opened before, without ever forcing',
    examples,
    supportsDryRun: true,
    schema: { input, output },
    async handler(ctx) {
      const { repoUrl, token, request, ...rest } = parseInput(input, ctx.input);
      const { host } = parseRepoUrl(repoUrl);
      if (
        !token &&
        config.getOptionalBoolean('scaffolder.requireScmUserCredentials')
      ) {
        throw new InputError(
          `token is absent; accepted is a token of yours for ${host}, because scaffolder.requireScmUserCredentials is on`,
        );
      }
      const changes = await proposedFiles(ctx.workspacePath, rest);
      const registration = request as RequestRegistration | undefined;
      if (registration) {
        checkDigest(registration, changes);
      }
      const forge = createForge({
        integrations,
        repoUrl,
        token,
        signal: ctx.signal,
      });
      const proposal: ChangeProposal = {
        target: rest.targetBranch,
        branch: rest.branch,
        changes,
        title: rest.title,
        body: rest.body,
        onClosed: rest.onClosed,
      };
      if (ctx.isDryRun) {
        const found = await describePlan(forge, proposal, line =>
          ctx.logger.info(line),
        );
        Object.entries(found).forEach(([name, value]) =>
          ctx.output(name as 'url', value as string),
        );
        return;
      }
      const done = await ctx.checkpoint({
        // The content is part of the key: a step in a loop, or a changed file, is another effect.
        key: `pull-request.${contentHash({ repoUrl, proposal })}`,
        fn: async () => ({ ...(await proposeChange(forge, proposal)) }),
      });
      ctx.logger.info(
        `Pull request ${done.number ?? ''} of ${forge.repository} ${
          done.state
        }`,
      );
      if (registration) {
        await gpu.ask(ctx, (client, call) =>
          client.putRequest(
            ctx.task.id,
            {
              ...registration,
              ...(done.url !== undefined &&
                done.number !== undefined && {
                  pullRequest: {
                    url: done.url,
                    number: done.number,
                    provider: done.provider,
                  },
                }),
            },
            call,
          ),
        );
      }
      ctx.output('url', done.url);
      ctx.output('number', done.number);
      ctx.output('branch', done.branch);
      ctx.output('commit', done.commit);
      ctx.output('state', done.state);
      ctx.output('provider', done.provider);
    },
  });
}

/** Registering one file and proposing another would make its owner unprovable. */
function checkDigest({ file }: RequestRegistration, changes: FileChange[]) {
  const content = changes.find(({ path }) => path === file?.path)?.content;
  if (content === undefined || fileDigest(content) !== file.digest) {
    throw new InputError(
      `request.file is ${JSON.stringify(
        file,
      )}; accepted is the path and digest of a file this step proposes`,
    );
  }
}

/** Reads what would be done, logs it as a unified diff, and gives what is known already. */
async function describePlan(
  forge: GitForge,
  proposal: ChangeProposal,
  log: (line: string) => void,
) {
  const plan = await planChange(forge, proposal);
  const request = plan.existing ?? plan.ended;
  const states = {
    create: 'created',
    update: 'updated',
    unchanged: 'unchanged',
  };
  log(
    `Would be ${states[plan.action]}: branch ${proposal.branch} into ${
      proposal.target
    } of ${forge.repository}`,
  );
  for (const { path, before, after } of plan.differences) {
    log(
      createTwoFilesPatch(
        before === undefined ? '/dev/null' : `a/${path}`,
        after === undefined ? '/dev/null' : `b/${path}`,
        before ?? '',
        after ?? '',
      ),
    );
  }
  return {
    ...(request && { url: request.url, number: request.number }),
    branch: proposal.branch,
    commit: plan.branchHead ?? plan.targetHead,
    state: states[plan.action],
    provider: forge.provider,
  };
}
