import fc from 'fast-check';
import { parse } from 'yaml';
import { DeviceClassOffer } from '../api/deviceClasses';
import { checkRequest } from './checkRequest';
import { renderJob } from './renderJob';
import { RequestSpec, RequestSurroundings } from './spec';

const spec: RequestSpec = {
  requestId: 'd2b2f0a4-6a8e-4c46-9c4d-3f4f8e1f0b11',
  slug: 'finetune',
  requester: 'user:default/mira',
  entity: 'component:default/llm-finetune',
  team: 'group:default/team-07',
  cluster: 'spoke-a',
  namespace: 'team-07',
  queue: 'gpu',
  kind: 'batch',
  deviceClass: 'nvidia-h100-80gb-hbm3',
  flavor: 'h100',
  nodeLabels: { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' },
  resourceName: 'nvidia.com/gpu',
  count: 2,
  image: 'registry.example.com:5000/ml/train:1.4',
};

/** Fields that are refused when the spec is changed like this. */
function refused(
  change: Record<string, unknown>,
  surroundings?: RequestSurroundings,
): string[] {
  return checkRequest({ ...spec, ...change } as RequestSpec, surroundings).map(
    ({ field }) => field,
  );
}

describe('checkRequest', () => {
  it('finds nothing wrong with a good request', () => {
    expect(checkRequest(spec)).toEqual([]);
    expect(
      refused({
        pods: 4,
        priorityClass: 'normal',
        maxDurationSeconds: 3600,
        cpu: '500m',
        memory: '1.5Gi',
        purpose: 'Größe äöü ✓\nsecond line',
        claim: { name: 'data', mountPath: '/data/in' },
        env: [
          { name: 'A', value: 'x' },
          { name: 'HF_TOKEN', secretKeyRef: { name: 'hf', key: 'token' } },
        ],
      }),
    ).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['name', { slug: 'x'.repeat(45) }],
    ['name', { slug: 'größe' }],
    ['name', { slug: 'kustomization' }],
    ['name', { slug: 'kube-proxy' }],
    ['name', { slug: '' }],
    ['name', { slug: undefined }],
    ['name', { slug: 7 }],
    ['requestId', { requestId: 'a\nb' }],
    ['requester', { requester: 'group:default/team-07' }],
    ['requester', { requester: 'user:default/mira\nadmin' }],
    ['entity', { entity: 'llm-finetune' }],
    ['entity', { entity: undefined }],
    ['team', { team: 'user:default/mira' }],
    ['kind', { kind: 'cron' }],
    ['cluster', { cluster: '../x' }],
    ['namespace', { namespace: 'kube-system' }],
    ['namespace', { namespace: 'openshift-gitops' }],
    ['queue', { queue: 'Gpu' }],
    ['deviceClass', { deviceClass: '' }],
    ['flavor', { flavor: 'a b' }],
    ['resourceName', { resourceName: 'nvidia.com/gpu: 8' }],
    ['nodeLabels.a b', { nodeLabels: { 'a b': 'x' } }],
    ['nodeLabels.a', { nodeLabels: { a: 'x y' } }],
    ['flavor', { nodeLabels: {} }],
    ['count', { count: 0 }],
    ['count', { count: -1 }],
    ['count', { count: 0.5 }],
    ['count', { count: NaN }],
    ['count', { count: Infinity }],
    ['count', { count: '2' }],
    ['count', { count: '1k' }],
    ['count', { count: 2, singleUnit: true }],
    ['pods', { pods: 0 }],
    ['pods', { pods: 1.5 }],
    ['pods', { pods: 100_001 }],
    ['priorityClass', { priorityClass: 'High!' }],
    ['maxDurationSeconds', { maxDurationSeconds: 0 }],
    ['maxDurationSeconds', { maxDurationSeconds: 2 ** 31 }],
    ['maxDurationSeconds', { maxDurationSeconds: '1h' }],
    ['cpu', { cpu: '12 cores' }],
    ['cpu', { cpu: '0' }],
    ['cpu', { cpu: '-1' }],
    ['cpu', { cpu: '1u' }],
    ['memory', { memory: '16GB' }],
    ['memory', { memory: '16gi' }],
    ['memory', { memory: '100m' }],
    ['memory', { memory: '1,5Gi' }],
    ['memory', { memory: 16 }],
    ['image', { image: 'x; rm -rf /' }],
    ['image', { image: '$(whoami)' }],
    ['image', { image: 'a b' }],
    ['image', { image: 'image\nprivileged: true' }],
    ['image', { image: 'UPPER' }],
    ['image', { image: '' }],
    ['image', { image: 'x@sha256:abc' }],
    ['command', { command: 'sleep 60' }],
    ['command', { command: ['a\u0000b'] }],
    ['command', { command: ['\ud800'] }],
    ['args', { args: ['--password', 'hunter2'] }],
    ['args', { args: [1] }],
    ['args', { args: ['x'.repeat(32_769)] }],
    ['env', { env: 'A=1' }],
    ['env[0].name', { env: [{ name: '1A', value: '' }] }],
    ['env[0]', { env: [null] }],
    ['nodeLabels', { nodeLabels: 'abc' }],
    ['nodeLabels', { nodeLabels: undefined }],
    ['env[0].value', { env: [{ name: 'A', value: 3 }] }],
    [
      'env[0].name',
      { env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }] },
    ],
    [
      'env[0].name',
      { env: [{ name: 'CUDA_MPS_PINNED_DEVICE_MEM_LIMIT', value: '0=80G' }] },
    ],
    [
      'env',
      {
        env: [1, 2, 3, 4, 5].map(n => ({
          name: `A${n}`,
          value: 'x'.repeat(30_000),
        })),
      },
    ],
    ['env[0]', { env: [{ name: 'HF_TOKEN', value: 'x' }] }],
    [
      'env[1].name',
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
    ],
    [
      'env[0].secretKeyRef',
      { env: [{ name: 'A', secretKeyRef: { name: 'UP', key: 'k' } }] },
    ],
    [
      'env[0]',
      {
        env: [{ name: 'A', value: 'x', secretKeyRef: { name: 'a', key: 'k' } }],
      },
    ],
    ['purpose', { purpose: 'x'.repeat(2001) }],
    ['claim.name', { claim: { name: 'A', mountPath: '/x' } }],
    ['claim.mountPath', { claim: { name: 'a', mountPath: 'x' } }],
    ['claim.mountPath', { claim: { name: 'a', mountPath: '/a/../etc' } }],
    ['claim.mountPath', { claim: { name: 'a', mountPath: '/proc/x' } }],
    ['claim.mountPath', { claim: { name: 'a', mountPath: '//etc/x' } }],
    ['claim.mountPath', { claim: { name: 'a', mountPath: '/./etc/x' } }],
    ['claim.mountPath', { claim: { name: 'a', mountPath: '/' } }],
  ])('refuses %s in %j', (field, change) => {
    expect(refused(change)).toContain(field);
  });

  it('names field, value and what is accepted', () => {
    const [problem] = checkRequest({ ...spec, memory: '16GB' });
    expect(problem).toEqual({
      field: 'memory',
      value: '16GB',
      message:
        'memory is "16GB"; accepted is a positive Kubernetes quantity such as "16Gi"',
    });
  });

  it('does not repeat what may be a secret', () => {
    const problems = checkRequest({
      ...spec,
      env: [{ name: 'DB_PASSWORD', value: 'hunter2' }],
      args: ['--token hunter2'],
    });
    expect(problems).toHaveLength(2);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it('takes a command with YAML in it for what it is: text', () => {
    const command = ['sh', '-c', 'x\nsecurityContext:\n  privileged: true'];
    expect(refused({ command })).toEqual([]);
    const { template } = parse(renderJob({ ...spec, command }).yaml).spec;
    expect(template.spec.containers[0].command).toEqual(command);
    expect(template.spec.containers[0].securityContext).not.toHaveProperty(
      'privileged',
    );
  });

  describe('with surroundings', () => {
    const offer = {
      deviceClass: { id: spec.deviceClass, resourceName: spec.resourceName },
      flavor: spec.flavor,
      nodeLabels: spec.nodeLabels,
    } as DeviceClassOffer;

    it('knows what the cluster offers', () => {
      expect(refused({}, { offers: [offer] })).toEqual([]);
      expect(refused({ deviceClass: 'other' }, { offers: [offer] })).toEqual([
        'deviceClass',
      ]);
      const [problem] = checkRequest(spec, { offers: [] });
      expect(problem.message).toMatch(/a flavor of spoke-a offers: none/);
    });

    it('refuses by name a flavor that cannot be told from another', () => {
      const other = {
        deviceClass: { id: 'l40s', resourceName: spec.resourceName },
        flavor: 'default-flavor',
        nodeLabels: {},
      } as DeviceClassOffer;
      const [problem] = checkRequest(spec, { offers: [offer, other] });
      expect(problem).toMatchObject({ field: 'flavor', value: 'h100' });
      expect(problem.message).toContain('flavor default-flavor');
    });

    it('knows the priority classes of the queue', () => {
      const priorityClasses = ['low', 'normal'];
      expect(refused({ priorityClass: 'low' }, { priorityClasses })).toEqual(
        [],
      );
      const [problem] = checkRequest(
        { ...spec, priorityClass: 'high' },
        { priorityClasses },
      );
      expect(problem.message).toBe(
        'priorityClass is "high"; accepted is one this queue may use: low, normal',
      );
    });

    it('knows the names that are taken', () => {
      const { name } = renderJob(spec);
      expect(refused({}, { name, takenNames: [name] })).toEqual(['name']);
      expect(refused({}, { name, takenNames: ['other'] })).toEqual([]);
    });
  });

  it('never throws, and what it accepts can be rendered', () => {
    const anything = fc.anything({ maxDepth: 2, withBigInt: true });
    const change = fc.record(
      Object.fromEntries(
        [...Object.keys(spec), 'env', 'args', 'claim', 'cpu', 'pods'].map(
          key => [key, anything],
        ),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(change, fields => {
        const candidate = { ...spec, ...fields } as RequestSpec;
        const problems = checkRequest(candidate);
        expect(problems.length > 0 || renderJob(candidate).yaml !== '').toBe(
          true,
        );
      }),
    );
  });
});
