import { JsonObject } from '@backstage/types';
import { renderJob, RequestSpec } from '@gpuaas/backstage-plugin-gpu-common';
import { validateJob } from './validateJob';

const spec: RequestSpec = {
  requestId: 'task-1',
  slug: 'finetune',
  requester: 'user:default/mira',
  entity: 'component:default/llm-finetune',
  cluster: 'spoke-a',
  namespace: 'team-07',
  queue: 'gpu',
  kind: 'batch',
  deviceClass: 'nvidia-h100',
  flavor: 'h100',
  nodeLabels: { 'nvidia.com/gpu.product': 'NVIDIA-H100' },
  resourceName: 'nvidia.com/gpu',
  count: 2,
  image: 'train:1',
};

/** A rendered Job, changed at a dotted path; undefined removes. */
function changed(path: string[], value: unknown): JsonObject {
  const job: any = structuredClone(renderJob(spec).manifest);
  const last = path[path.length - 1];
  const parent = path.slice(0, -1).reduce((node, key) => node[key], job);
  if (value === undefined) {
    delete parent[last];
  } else {
    parent[last] = value;
  }
  return job;
}

const labels = ['metadata', 'labels'];
const pod = ['spec', 'template', 'spec'];
const resources = [...pod, 'containers', '0', 'resources'];

describe('validateJob', () => {
  it('accepts what renderJob renders, with every part in use', () => {
    const full = renderJob({
      ...spec,
      pods: 3,
      priorityClass: 'normal',
      maxDurationSeconds: 60,
      command: ['sleep'],
      args: ['60'],
      env: [
        { name: 'A', value: 'x' },
        { name: 'HF_TOKEN', secretKeyRef: { name: 'hf', key: 'token' } },
      ],
      claim: { name: 'data', mountPath: '/data', readOnly: true },
      cpu: '500m',
      memory: '1Gi',
      coveredResources: ['cpu', 'memory'],
    });
    expect(validateJob(full.manifest)).toEqual([]);
    expect(validateJob(renderJob(spec).manifest)).toEqual([]);
  });

  it.each<[string, string[], unknown, RegExp]>([
    ['unknown field', ['spec', 'parallelsim'], 1, /spec must NOT.*parallelsim/],
    [
      'wrong type',
      ['spec', 'parallelism'],
      '2',
      /spec.parallelism must be int/,
    ],
    ['fraction', ['spec', 'completions'], 1.5, /completions must be integer/],
    ['int32', ['spec', 'parallelism'], 2 ** 31, /must match format "int32"/],
    ['no spec', ['spec'], undefined, /must have required property 'spec'/],
    ['status', ['status'], {}, /status/],
    ['other kind', ['kind'], 'Pod', /kind must be equal/],
    ['suspend', ['spec', 'suspend'], false, /spec.suspend/],
    ['ttl', ['spec', 'ttlSecondsAfterFinished'], 60, /ttlSecondsAfterFinished/],
    ['generateName', ['metadata', 'generateName'], 'x-', /generateName/],
    ['long name', ['metadata', 'name'], 'x'.repeat(54), /metadata.name/],
    [
      'no queue',
      [...labels, 'kueue.x-k8s.io/queue-name'],
      undefined,
      /queue-n/,
    ],
    ['bad queue', [...labels, 'kueue.x-k8s.io/queue-name'], 'A', /queue-name/],
    [
      'zero limit',
      [...labels, 'kueue.x-k8s.io/max-exec-time-seconds'],
      '0',
      /max/,
    ],
    [
      'past int32',
      [...labels, 'kueue.x-k8s.io/max-exec-time-seconds'],
      '2147483648',
      /int32/,
    ],
    [
      'strange label',
      [...labels, 'kueue.x-k8s.io/prebuilt-workload-name'],
      'x',
      /prebuilt/,
    ],
    [
      'gate in Git',
      ['metadata', 'annotations', 'kueue.x-k8s.io/admission-gated-by'],
      'a/b',
      /annotations/,
    ],
    [
      'not annotated',
      ['metadata', 'annotations', 'gpuaas.io/entity'],
      undefined,
      /entity/,
    ],
    ['no selector', [...pod, 'nodeSelector'], undefined, /nodeSelector/],
    ['empty selector', [...pod, 'nodeSelector'], {}, /nodeSelector/],
    ['restarts', [...pod, 'restartPolicy'], 'OnFailure', /restartPolicy/],
    ['pod priority', [...pod, 'priorityClassName'], 'x', /priorityClassName/],
    [
      'request ≠ limit',
      [...resources, 'requests', 'nvidia.com/gpu'],
      '1',
      /must be equal/,
    ],
    ['no limit', [...resources, 'limits'], undefined, /limits/],
  ])('refuses: %s', (_, path, value, message) => {
    expect(validateJob(changed(path, value)).join('\n')).toMatch(message);
  });
});
