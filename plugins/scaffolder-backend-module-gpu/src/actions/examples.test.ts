import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import {
  TemplateAction,
  TemplateExample,
} from '@backstage/plugin-scaffolder-node';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { fileDigest } from '@gpuaas/backstage-plugin-gpu-common';
// eslint-disable-next-line @backstage/no-forbidden-package-imports -- a fixture of this repository
import { GitHubServer } from '@gpuaas/backstage-plugin-gpu-node/src/forge/contract/GitHubServer';
import { parse } from 'yaml';
import { fakeGpu } from '../__testUtils__/fakeGpu';
import { createJobRenderAction } from './jobRender';
import { examples as jobRender } from './jobRender.examples';
import { createPullRequestAction } from './pullRequestCreate';
import { examples as pullRequestCreate } from './pullRequestCreate.examples';
import { createQuotaCheckAction } from './quotaCheck';
import { examples as quotaCheck } from './quotaCheck.examples';

const path = 'clusters/spoke-a/team-07/finetune-1a2b3c4d.yaml';
const content = 'kind: Job\n';

/** What an earlier step gave, for the expressions of an example. */
const rendered: Record<string, unknown> = {
  repoUrl: 'github.com?owner=platform&repo=gpu-fleet',
  targetBranch: 'main',
  branch: 'gpu/spoke-a/team-07/finetune-1a2b3c4d',
  files: [{ path, content }],
  title: 'GPU request finetune-1a2b3c4d',
  body: 'For the reviewer',
  request: { file: { path, digest: fileDigest(content) } },
};

describe('examples', () => {
  const forge = new GitHubServer();
  let config: ConfigReader;

  beforeAll(async () => {
    const apiBaseUrl = await forge.start();
    config = new ConfigReader({
      app: { baseUrl: 'https://portal.example.com' },
      integrations: {
        github: [{ host: 'github.com', apiBaseUrl, token: GitHubServer.token }],
      },
      gpu: {
        clusters: {
          'spoke-a': {
            gitops: { repoUrl: 'github.com?owner=platform&repo=gpu-fleet' },
          },
        },
      },
    });
    forge.commitTo('main', 'clusters/spoke-a/old-quota.yaml', 'gpus: 4\n');
  });
  afterAll(() => forge.stop());

  const { gpu } = fakeGpu();
  const all: Array<
    [string, TemplateExample, () => TemplateAction<any, any, any>]
  > = [
    ...quotaCheck.map(example =>
      withAction(example, () => createQuotaCheckAction({ gpu })),
    ),
    ...jobRender.map(example =>
      withAction(example, () => createJobRenderAction({ gpu, config })),
    ),
    ...pullRequestCreate.map(example =>
      withAction(example, () =>
        createPullRequestAction({
          gpu,
          config,
          integrations: ScmIntegrations.fromConfig(config),
        }),
      ),
    ),
  ];

  it.each(all)('%s', async (_, { example }, create) => {
    const [step] = parse(example).steps;
    const action = create();
    expect(step.action).toBe(action.id);
    const input = Object.fromEntries(
      Object.entries(step.input).map(([key, value]) => {
        const output = /^\$\{\{ steps\.render\.output\.(\w+) \}\}$/.exec(
          String(value),
        );
        return [key, output ? rendered[output[1]] : value];
      }),
    );
    const ctx: any = createMockActionContext({
      input,
      user: { ref: 'user:default/mira' },
    } as any);
    await action.handler(ctx);
    expect(ctx.output).toHaveBeenCalled();
  });
});

function withAction(
  example: TemplateExample,
  create: () => TemplateAction<any, any, any>,
): [string, TemplateExample, () => TemplateAction<any, any, any>] {
  return [example.description, example, create];
}
