import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigReader } from '@backstage/config';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { fileDigest } from '@gpuaas/backstage-plugin-gpu-common';
import { parse } from 'yaml';
import { fakeGpu, fits, offer, queue } from '../__testUtils__/fakeGpu';
import { createJobRenderAction } from './jobRender';

const config = new ConfigReader({
  app: { baseUrl: 'https://portal.example.com/' },
  gpu: {
    clusters: {
      'spoke-a': {
        gitops: { repoUrl: 'git.test?owner=platform&repo=gpu-fleet' },
      },
      hub: {},
    },
  },
});

const input = {
  name: 'finetune',
  purpose: 'Fine-tune',
  entity: 'component:default/llm-finetune',
  cluster: 'spoke-a',
  queue: { namespace: 'team-07', queue: 'gpu' },
  deviceClass: 'nvidia-h100-80gb-hbm3',
  count: 2,
  image: 'registry.example.com/train:1',
};

async function run(
  changes: object = {},
  { gpu } = fakeGpu(),
  more: object = {},
) {
  const ctx: any = createMockActionContext({
    input: { ...input, ...changes },
    task: { id: 'task-1' },
    user: { ref: 'user:default/mira' },
  } as any);
  await createJobRenderAction({ gpu, config }).handler({ ...ctx, ...more });
  const output: any = Object.fromEntries(ctx.output.mock.calls);
  const text = await readFile(join(ctx.workspacePath, output.path), 'utf8');
  return { output, text, job: parse(text) };
}

describe('gpu:job:render', () => {
  it('writes a Job for the requester, on the flavor the backend chose', async () => {
    const { output, text, job } = await run({
      priorityClass: 'normal',
      maxDuration: { hours: 1, minutes: 30 },
      command: ['sleep', '60'],
    });
    expect(output.path).toBe(`clusters/spoke-a/team-07/${output.name}.yaml`);
    expect(output.name).toMatch(/^finetune-[0-9a-f]{8}$/);
    expect(output.digest).toBe(fileDigest(text));
    expect(output.files).toEqual([{ path: output.path, content: text }]);
    expect(job.metadata.annotations).toEqual({
      'gpuaas.io/request-id': 'task-1',
      'gpuaas.io/entity': 'component:default/llm-finetune',
      'gpuaas.io/requester': 'user:default/mira',
      'gpuaas.io/kind': 'batch',
    });
    expect(job.metadata.labels).toEqual({
      'kueue.x-k8s.io/queue-name': 'gpu',
      'kueue.x-k8s.io/priority-class': 'normal',
      'kueue.x-k8s.io/max-exec-time-seconds': '5400',
    });
    expect(job.spec.template.spec.nodeSelector).toEqual(fits.nodeLabels);
    expect(output).toMatchObject({
      repoUrl: 'git.test?owner=platform&repo=gpu-fleet',
      targetBranch: 'main',
      branch: `gpu/spoke-a/team-07/${output.name}`,
      title: `GPU request ${output.name}: 2 × nvidia-h100-80gb-hbm3 for team-07 on spoke-a`,
      requestUrl: 'https://portal.example.com/gpu/requests/task-1',
    });
    expect(output.body).toContain('| before | 3 | 0 | 0 | 64 |');
    expect(output.body).toContain('- **Team:** `group:default/team-07`');
    expect(output.request).toEqual({
      purpose: 'Fine-tune',
      entity: 'component:default/llm-finetune',
      cluster: 'spoke-a',
      namespace: 'team-07',
      queue: 'gpu',
      kind: 'batch',
      name: output.name,
      deviceClass: 'nvidia-h100-80gb-hbm3',
      flavor: 'train',
      units: 2,
      priorityClass: 'normal',
      maxDurationSeconds: 5400,
      file: {
        repoUrl: 'git.test?owner=platform&repo=gpu-fleet',
        branch: 'main',
        path: output.path,
        digest: output.digest,
      },
    });
  });

  it('renders the same bytes for the same task', async () => {
    expect((await run()).text).toBe((await run()).text);
  });

  it('takes empty fields of a form for nothing chosen', async () => {
    const { job } = await run({
      purpose: '',
      priorityClass: '',
      maxDuration: {},
      claim: {},
      cpu: '',
      memory: '',
      command: [],
      env: [],
    });
    expect(job.metadata.labels).toEqual({ 'kueue.x-k8s.io/queue-name': 'gpu' });
    expect(job.spec.template.spec).not.toHaveProperty('volumes');
  });

  it.each([
    [{ name: 'Größe' }, /name is "Größe"; accepted is lower-case/],
    [{ name: 'x'.repeat(45) }, /name is/],
    [{ name: 'kustomization' }, /name is/],
    [{ entity: 'nobody' }, /entity is "nobody"/],
    [{ image: 'x; rm -rf /' }, /image is "x; rm -rf \/"/],
    [{ memory: '16GB' }, /memory is "16GB"/],
    [{ priorityClass: 'high' }, /priorityClass is "high".*normal, low/],
    [{ env: [{ name: 'HF_TOKEN', value: 'abc' }] }, /env\[0\] looks like/],
    [{ env: [{ name: 'A' }] }, /env\[0\]\.value is not text/],
    [{ claim: { name: 'data' } }, /claim\.mountPath/],
    [{ count: 1.5 }, /count is 1.5/],
    [{ deviceClass: 'gtx-1080' }, /deviceClass is "gtx-1080".*offers: nvidia/],
    [{ queue: { namespace: 'team-07', queue: 'x' } }, /queue is "x".*see: gpu/],
    [{ cluster: 'mars' }, /cluster is "mars".*spoke-a, hub/],
    [{ cluster: 'hub' }, /gpu\.clusters\.hub\.gitops/],
    [{ kind: 'cron' }, /kind is "cron"/],
  ])('refuses %j', async (changes, message) => {
    await expect(run(changes)).rejects.toThrow(message);
  });

  it('refuses a second unit of a shared GPU', async () => {
    await expect(
      run({ deviceClass: 'nvidia-l40s.shared-4' }, sharedGpu()),
    ).rejects.toThrow(/count is 2; accepted is 1/);
  });

  it('refuses by name a flavor that cannot be told from another', async () => {
    const fake = fakeGpu({
      getDeviceClasses: jest.fn(async () => ({
        items: [
          offer('nvidia-h100-80gb-hbm3', 'train'),
          { ...offer('l40s', 'default-flavor'), nodeLabels: {} },
        ],
      })),
    });
    await expect(run({}, fake)).rejects.toThrow(
      /flavor is "train".*default-flavor/,
    );
  });

  it('refuses what never fits', async () => {
    const fake = fakeGpu({
      getFit: jest.fn(async () => ({
        ...fits,
        verdict: 'never',
        sentence: 'Too much.',
      })),
    });
    await expect(run({}, fake)).rejects.toThrow('Too much.');
  });

  it('refuses a queue the requester may not see', async () => {
    const fake = fakeGpu({
      getQueues: jest.fn(async () => ({ items: [], totalItems: 0 })),
    });
    await expect(run({}, fake)).rejects.toThrow(/that you may see: none/);
  });

  it('needs a user', async () => {
    await expect(run({}, fakeGpu(), { user: undefined })).rejects.toThrow(
      /requested by a user/,
    );
  });

  it('says that nobody owns the queue rather than inventing a team', async () => {
    const fake = fakeGpu({
      getQueues: jest.fn(async () => ({
        items: [{ ...queue, owner: undefined }],
        totalItems: 1,
      })),
    });
    expect((await run({}, fake)).output.body).toContain(
      'nobody owns this queue',
    );
  });
});

function sharedGpu() {
  return fakeGpu({
    getFit: jest.fn(async () => ({
      ...fits,
      flavor: 'dev',
      nodeLabels: { 'nvidia.com/gpu.product': 'nvidia-l40s.shared-4' },
      deviceClass: 'nvidia-l40s.shared-4',
    })),
  });
}
