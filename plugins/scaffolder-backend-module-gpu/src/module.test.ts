import { readFileSync } from 'node:fs';
import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
  TestBackend,
} from '@backstage/backend-test-utils';
import scaffolderPlugin from '@backstage/plugin-scaffolder-backend';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
// eslint-disable-next-line @backstage/no-forbidden-package-imports -- a fixture of this repository
import { GitHubServer } from '@gpuaas/backstage-plugin-gpu-node/src/forge/contract/GitHubServer';
import { parse } from 'yaml';
import { fits, offer, queue } from './__testUtils__/fakeGpu';
import gpuModule from './index';

const template = parse(
  readFileSync(
    `${__dirname}/../../../templates/batch-job/template.yaml`,
    'utf8',
  ),
);
template.metadata.uid = 'template-uid';
template.metadata.namespace = 'default';

/** What a person fills in, as JSON: what the form sends, and what the API takes without a form. */
const values = {
  name: 'finetune',
  purpose: 'Fine-tune the assistant',
  entity: 'component:default/llm-finetune',
  queue: { namespace: 'team-07', queue: 'gpu' },
  device: { deviceClass: 'nvidia-h100-80gb-hbm3' },
  count: 2,
  priority: 'normal',
  maxDuration: { minutes: 30 },
  image: 'registry.example.com/train:1',
  command: ['sleep', '60'],
  env: [
    { name: 'EPOCHS', value: '3' },
    { name: 'HF_TOKEN', secretKeyRef: { name: 'hf', key: 'token' } },
  ],
};

describe('the template of a batch job', () => {
  const forge = new GitHubServer();
  const asked: Array<{ method: string; path: string; body: any }> = [];
  const failing = new Set<string>();
  let backend: TestBackend;
  let forgeUrl: string;
  let baseUrl: string;
  let authorization: string;

  beforeAll(async () => {
    forgeUrl = await forge.start();
    authorization = await mockCredentials.user.header();
    backend = await startTestBackend({
      features: [
        scaffolderPlugin,
        gpuModule,
        gpuBackend(asked, failing),
        catalogServiceMock.factory({
          entities: [
            template,
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'User',
              metadata: { name: 'mock', namespace: 'default' },
              spec: {},
            },
          ],
        }),
        mockServices.rootConfig.factory({
          data: {
            app: { baseUrl: 'https://portal.example.com' },
            scaffolder: { taskRecovery: { enabled: true } },
            integrations: {
              github: [
                {
                  host: 'git.test',
                  apiBaseUrl: forgeUrl,
                  token: GitHubServer.token,
                },
              ],
            },
            gpu: {
              clusters: {
                'spoke-a': {
                  gitops: { repoUrl: 'git.test?owner=platform&repo=gpu-fleet' },
                },
              },
            },
          },
        }),
      ],
    });
    baseUrl = `http://localhost:${backend.server.port()}/api/scaffolder/v2`;
  }, 60_000);

  afterAll(async () => {
    await backend?.stop();
    await forge.stop();
  });

  beforeEach(() => {
    asked.length = 0;
    failing.clear();
  });

  async function call(path: string, body?: object) {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as any };
  }

  /** Runs the template to its end. */
  async function run(changes: object = {}) {
    const created = await call('/tasks', {
      templateRef: 'template:default/gpu-batch-job',
      values: { ...values, ...changes },
    });
    if (created.status !== 201) {
      return { id: undefined, status: created.status, end: created.body };
    }
    const { id } = created.body;
    return { id, status: 201, end: await endOf(id) };
  }

  async function endOf(id: string) {
    const stream = await fetch(`${baseUrl}/tasks/${id}/eventstream`, {
      headers: { authorization },
    });
    const completion = /event: completion\ndata: (.*)\n/.exec(
      await stream.text(),
    );
    return JSON.parse(completion![1]).body;
  }

  it('goes from answers to a pull request and a registered request', async () => {
    const { id, end } = await run();
    expect(end).not.toHaveProperty('error');
    const [pull] = forge.pulls;
    expect(end.output).toMatchObject({
      links: [
        { title: 'Pull request', url: pull.html_url },
        { url: expect.stringMatching(new RegExp(`/gpu/requests/${id}$`)) },
      ],
      text: [{ content: fits.sentence }],
    });
    expect(pull.title).toMatch(
      /^GPU request finetune-[0-9a-f]{8}: 2 × nvidia-h100-80gb-hbm3 for team-07 on spoke-a$/,
    );
    expect(pull.body).toContain('- **Asked by:** `user:default/mock`');
    const put = asked.find(({ method }) => method === 'PUT')!;
    expect(put.path).toBe(`/v1/requests/${id}`);
    expect(put.body).toMatchObject({
      entity: values.entity,
      units: 2,
      maxDurationSeconds: 1800,
      pullRequest: { url: pull.html_url, number: 1, provider: 'github' },
    });
    // An absent cluster means best fit, and what was not answered is not sent.
    const fit = asked.find(({ path }) => path === '/v1/fit')!;
    expect(fit.body).not.toHaveProperty('cluster');
    expect(fit.body).toMatchObject({ pods: 1, count: 2 });
  }, 30_000);

  it('takes template expressions in answers for text', async () => {
    const words = [
      '${{ 7 * 191 }}',
      '{{ 7 * 191 }}',
      '{% raw %}',
      '${{ secrets.USER_OAUTH_TOKEN }}',
      '\u2028kind: Secret\u0085---',
      '"}}\n---\nkind: Secret',
    ];
    const { end } = await run({
      name: 'literal',
      purpose: `${words[0]}\n\`\`\`\n## Approved\n<img src=x>`,
      command: ['echo', ...words],
      env: [{ name: 'A', value: words[0] }],
    });
    expect(end).not.toHaveProperty('error');
    const pull = forge.pulls.at(-1)!;
    expect(pull.body).toContain('${{ 7 * 191 }}');
    expect(pull.body).toContain('````text\n');
    const { file } = asked.find(({ method }) => method === 'PUT')!.body;
    const stored = await fetch(
      `${forgeUrl}/repos/platform/gpu-fleet/contents/${file.path}?ref=${pull.head.ref}`,
      { headers: { authorization: `Bearer ${GitHubServer.token}` } },
    );
    const { content } = (await stored.json()) as { content: string };
    const text = Buffer.from(content, 'base64').toString();
    const [container] = parse(text).spec.template.spec.containers;
    expect(container.command).toEqual(['echo', ...words]);
    expect(container.env).toEqual([{ name: 'A', value: words[0] }]);
    expect(`${pull.title}${pull.body}${text}`).not.toContain('1337');
  }, 30_000);

  it('retried after the workspace is gone, it is the same pull request', async () => {
    failing.add('PUT');
    const { id, end } = await run({ name: 'again' });
    expect(end.error.message).toMatch(/run this again when it is back/);
    const opened = forge.pulls.length;
    failing.clear();
    expect((await call(`/tasks/${id}/retry`, {})).status).toBe(201);
    expect(await endOf(id)).not.toHaveProperty('error');
    expect(forge.pulls).toHaveLength(opened);
    expect(asked.filter(({ method }) => method === 'PUT').at(-1)).toMatchObject(
      { path: `/v1/requests/${id}`, body: { pullRequest: { number: opened } } },
    );
  }, 30_000);

  it('takes the least that is required', async () => {
    const { end } = await run({
      purpose: undefined,
      priority: undefined,
      maxDuration: undefined,
      command: undefined,
      env: undefined,
    });
    expect(end).not.toHaveProperty('error');
  }, 30_000);

  it.each([
    [{ name: 'Größe' }, /name/],
    [{ count: 0 }, /count/],
    [{ count: 1.5 }, /count/],
    [{ queue: 'gpu' }, /queue/],
    [{ device: {} }, /device/],
    [{ image: undefined }, /image/],
  ])('refuses %j at once', async (changes, field) => {
    const { status, end } = await run(changes);
    expect(status).toBe(400);
    expect(JSON.stringify(end.errors)).toMatch(field);
  });

  it.each([
    [{ image: 'x; rm -rf /' }, /image is "x; rm -rf \/"/],
    [{ env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] }, /looks like/],
    [{ priority: 'high' }, /priorityClass is "high"/],
    [{ cluster: 'mars' }, /no such cluster/],
  ])(
    'fails with what is accepted for %j, and opens nothing',
    async (changes, message) => {
      const before = forge.pulls.length;
      const { end } = await run(changes);
      expect(end.error.message).toMatch(message);
      expect(end.error.message).not.toContain('hunter2');
      expect(forge.pulls).toHaveLength(before);
    },
    30_000,
  );

  it('looks and writes nothing in a dry run', async () => {
    const before = { pulls: forge.pulls.length, refs: forge.refs.size };
    const { status, body } = await call('/dry-run', {
      template,
      values: { ...values, name: 'dry' },
      directoryContents: [],
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body.log)).toContain('+kind: Job');
    expect(body.directoryContents[0].path).toMatch(
      /^clusters\/spoke-a\/team-07\/dry-/,
    );
    expect(asked.map(({ method }) => method)).not.toContain('PUT');
    expect({ pulls: forge.pulls.length, refs: forge.refs.size }).toEqual(
      before,
    );
  }, 30_000);

  it('describes its actions in JSON Schema', async () => {
    const { body } = await call('/actions');
    for (const id of [
      'gpu:quota:check',
      'gpu:job:render',
      'gitops:pullRequest:create',
    ]) {
      const action = body.find((each: any) => each.id === id);
      expect(action.schema.input.type).toBe('object');
      expect(Object.keys(action.schema.output.properties)).not.toHaveLength(0);
      expect(action.examples.length).toBeGreaterThan(0);
    }
  });
});

/** The gpu backend's routes that the actions use, over HTTP as in a real portal. */
function gpuBackend(
  asked: Array<{ method: string; path: string; body: any }>,
  failing: Set<string>,
) {
  return createBackendPlugin({
    pluginId: 'gpu',
    register(env) {
      env.registerInit({
        deps: {
          router: coreServices.httpRouter,
          httpAuth: coreServices.httpAuth,
        },
        async init({ router, httpAuth }) {
          router.use(async (req, res) => {
            await httpAuth.credentials(req, { allow: ['user'] });
            let text = '';
            for await (const chunk of req) text += chunk;
            const body = text ? JSON.parse(text) : undefined;
            asked.push({ method: req.method, path: req.path, body });
            if (failing.has(req.method)) {
              res.status(500).json({ error: { message: 'out of order' } });
              return;
            }
            const missing = body?.cluster === 'mars';
            res.json(
              {
                '/v1/fit': missing
                  ? { ...fits, verdict: 'never', sentence: 'no such cluster' }
                  : fits,
                '/v1/queues': { items: [queue], totalItems: 1 },
                '/v1/device-classes': {
                  items: [offer('nvidia-h100-80gb-hbm3', 'train')],
                },
              }[req.path] ?? {},
            );
          });
        },
      });
    },
  });
}
