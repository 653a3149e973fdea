import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { fileDigest } from '@gpuaas/backstage-plugin-gpu-common';
// eslint-disable-next-line @backstage/no-forbidden-package-imports -- a fixture of this repository
import { GitHubServer } from '@gpuaas/backstage-plugin-gpu-node/src/forge/contract/GitHubServer';
import { fakeGpu } from '../__testUtils__/fakeGpu';
import { createPullRequestAction } from './pullRequestCreate';

const path = 'clusters/spoke-a/team-07/x.yaml';
const content = 'kind: Job\n';

describe('gitops:pullRequest:create', () => {
  let server: GitHubServer;
  let settings: object;

  beforeEach(async () => {
    server = new GitHubServer();
    const apiBaseUrl = await server.start();
    settings = {
      integrations: {
        github: [{ host: 'git.test', apiBaseUrl, token: GitHubServer.token }],
      },
    };
  });
  afterEach(() => server.stop());

  const input = {
    repoUrl: 'git.test?owner=platform&repo=gpu-fleet',
    branch: 'gpu/spoke-a/team-07/x',
    title: 'GPU request x',
    body: 'Please',
    files: [{ path, content }],
  };
  const request = {
    name: 'x',
    file: {
      repoUrl: input.repoUrl,
      branch: 'main',
      path,
      digest: fileDigest(content),
    },
  };

  async function run(
    changes: object = {},
    options: {
      fake?: ReturnType<typeof fakeGpu>;
      context?: object;
      config?: object;
      workspace?: Record<string, string>;
    } = {},
  ) {
    const config = new ConfigReader({ ...settings, ...options.config });
    const ctx: any = createMockActionContext({
      input: { ...input, ...changes },
      task: { id: 'task-1' },
    } as any);
    for (const [file, text] of Object.entries(options.workspace ?? {})) {
      await mkdir(join(ctx.workspacePath, file, '..'), { recursive: true });
      await writeFile(join(ctx.workspacePath, file), text);
    }
    const { gpu, client } = options.fake ?? fakeGpu();
    await createPullRequestAction({
      gpu,
      config,
      integrations: ScmIntegrations.fromConfig(config),
    }).handler({ ...ctx, ...options.context });
    return {
      output: Object.fromEntries(ctx.output.mock.calls) as any,
      put: client.putRequest.mock.calls as unknown[][],
    };
  }

  it('opens a pull request and registers the GPU request with it', async () => {
    const { output, put } = await run({ request });
    expect(output).toEqual({
      url: 'https://github.example.com/platform/gpu-fleet/pull/1',
      number: 1,
      branch: input.branch,
      commit: server.refs.get(input.branch),
      state: 'created',
      provider: 'github',
    });
    expect(server.pulls[0]).toMatchObject({
      title: input.title,
      body: 'Please',
    });
    expect(put).toEqual([
      [
        'task-1',
        {
          ...request,
          pullRequest: {
            url: output.url,
            number: 1,
            provider: 'github',
          },
        },
        { token: expect.any(String), signal: expect.anything() },
      ],
    ]);
  });

  it('finds its pull request when the task is run again', async () => {
    const first = await run({ request });
    const again = await run({ request });
    expect(again.output).toEqual({ ...first.output, state: 'unchanged' });
    expect(again.put).toHaveLength(1);
    const other = await run({ files: [{ path, content: 'kind: Pod\n' }] });
    expect(other.output).toMatchObject({ state: 'updated', number: 1 });
    expect(other.put).toEqual([]);
    expect(server.pulls).toHaveLength(1);
  });

  it('repairs a run that died before it could register', async () => {
    const dying = fakeGpu({
      putRequest: jest.fn(async () => {
        throw new TypeError('fetch failed');
      }),
    });
    await expect(run({ request }, { fake: dying })).rejects.toThrow(
      /gpu backend gave no answer/,
    );
    const { output, put } = await run({ request });
    expect(output.number).toBe(1);
    expect(put).toHaveLength(1);
  });

  it('keeps its effect in a checkpoint that content is part of', async () => {
    const keys: string[] = [];
    const checkpoint = async ({ key, fn }: any) => {
      keys.push(key);
      return fn();
    };
    await run({}, { context: { checkpoint } });
    await run({}, { context: { checkpoint } });
    await run(
      { files: [{ path, content: 'other' }] },
      { context: { checkpoint } },
    );
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('looks, logs the difference and writes nothing in a dry run', async () => {
    const lines: string[] = [];
    const { output, put } = await run(
      { request },
      {
        context: {
          isDryRun: true,
          logger: { info: (line: string) => lines.push(line) },
        },
      },
    );
    expect(output).toEqual({
      branch: input.branch,
      commit: server.refs.get('main'),
      state: 'created',
      provider: 'github',
    });
    expect(lines.join('\n')).toContain(`+++ b/${path}`);
    expect(lines.join('\n')).toContain('+kind: Job');
    expect(put).toEqual([]);
    expect(server.pulls).toEqual([]);
    expect([...server.refs.keys()]).toEqual(['main']);
  });

  it('takes a file or a folder of the workspace, and removes files', async () => {
    server.commitTo('main', 'old.yaml', 'x');
    const workspace = { 'out/a.yaml': 'a', 'out/sub/b.yaml': 'b', c: 'c' };
    await run(
      {
        files: undefined,
        sourcePath: 'out',
        targetPath: 'clusters',
        delete: ['old.yaml'],
      },
      { workspace },
    );
    const { output } = await run(
      { files: undefined, sourcePath: 'out/a.yaml', branch: 'other' },
      { workspace },
    );
    expect(output.state).toBe('created');
    expect(server.pulls).toHaveLength(2);
  });

  it('needs a person’s token where the Scaffolder is told so', async () => {
    const config = { scaffolder: { requireScmUserCredentials: true } };
    await expect(run({}, { config })).rejects.toThrow(
      /token is absent.*git\.test.*requireScmUserCredentials/,
    );
    const { output } = await run({ token: GitHubServer.token }, { config });
    expect(output.state).toBe('created');
  });

  it('uses the token it is given, not the integration’s', async () => {
    await expect(run({ token: 'wrong' })).rejects.toThrow(
      /does not accept the token; check the token given to this step/,
    );
  });

  it.each([
    [{ repoUrl: 'git.test' }, /repoUrl is "git.test"/],
    [{ repoUrl: 'else.test?owner=a&repo=b' }, /else\.test.*gitea, github/],
    [{ branch: '../x' }, /branch is/],
    [{ branch: 'a..b' }, /branch is/],
    [{ branch: 'x'.repeat(101) }, /branch is.*at most 100/],
    [{ title: '' }, /title is ""/],
    [{ files: [] }, /0 files would change/],
    [{ files: [{ path: '../x', content: '' }] }, /path is "\.\.\/x"/],
    [{ files: [{ path: '.git/config', content: '' }] }, /path is "\.git/],
    [{ files: [{ path: '/x', content: '' }] }, /path is "\/x"/],
    [
      {
        files: [
          { path: 'x', content: '' },
          { path: 'x', content: 'y' },
        ],
      },
      /path is "x" twice/,
    ],
    [{ sourcePath: 'nowhere' }, /sourcePath is "nowhere"/],
    [{ sourcePath: '../../etc' }, /Relative path is not allowed/],
    [{ targetBranch: 'nowhere' }, /Branch nowhere/],
    [
      {
        request: { ...request, file: { ...request.file, digest: 'sha256:0' } },
      },
      /request\.file is/,
    ],
  ])('refuses %j and leaves the forge alone', async (changes, message) => {
    await expect(run(changes)).rejects.toThrow(message);
    expect(server.pulls).toEqual([]);
    expect([...server.refs.keys()]).toEqual(['main']);
  });
});
