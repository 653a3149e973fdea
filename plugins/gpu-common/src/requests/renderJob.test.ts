import fc from 'fast-check';
import { parse } from 'yaml';
import { sha256Hex } from './digest';
import { renderJob } from './renderJob';
import { RequestSpec } from './spec';

const spec: RequestSpec = {
  requestId: 'd2b2f0a4-6a8e-4c46-9c4d-3f4f8e1f0b11',
  slug: 'finetune',
  purpose: 'Fine-tune the assistant',
  requester: 'user:default/mira',
  entity: 'component:default/llm-finetune',
  team: 'group:default/team-07',
  cluster: 'spoke-a',
  namespace: 'team-07',
  queue: 'gpu',
  kind: 'batch',
  deviceClass: 'nvidia-h100-80gb-hbm3',
  flavor: 'h100',
  nodeLabels: {
    'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
    'gpuaas.io/pool': 'train',
  },
  resourceName: 'nvidia.com/gpu',
  count: 2,
  priorityClass: 'normal',
  maxDurationSeconds: 3600,
  image: 'registry.example.com/ml/train:1.4',
  command: ['sleep', '60'],
};

describe('renderJob', () => {
  it('renders these very bytes', () => {
    expect(renderJob(spec).yaml).toBe(
      `apiVersion: batch/v1
kind: Job
metadata:
  name: finetune-${sha256Hex(spec.requestId).slice(0, 8)}
  namespace: team-07
  labels:
    kueue.x-k8s.io/queue-name: gpu
    kueue.x-k8s.io/priority-class: normal
    kueue.x-k8s.io/max-exec-time-seconds: "3600"
  annotations:
    gpuaas.io/request-id: d2b2f0a4-6a8e-4c46-9c4d-3f4f8e1f0b11
    gpuaas.io/entity: component:default/llm-finetune
    gpuaas.io/requester: user:default/mira
    gpuaas.io/kind: batch
spec:
  parallelism: 1
  completions: 1
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        seccompProfile:
          type: RuntimeDefault
      nodeSelector:
        gpuaas.io/pool: train
        nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3
      containers:
        - name: main
          image: registry.example.com/ml/train:1.4
          command:
            - sleep
            - "60"
          resources:
            requests:
              nvidia.com/gpu: "2"
            limits:
              nvidia.com/gpu: "2"
          securityContext:
            allowPrivilegeEscalation: false
            capabilities:
              drop:
                - ALL
`,
    );
  });

  it('gives the digest of those bytes, whatever order the cluster listed labels in', () => {
    const one = renderJob(spec);
    const two = renderJob({
      ...spec,
      nodeLabels: Object.fromEntries(Object.entries(spec.nodeLabels).reverse()),
    });
    expect(two).toEqual(one);
    expect(one.digest).toBe(`sha256:${sha256Hex(one.yaml)}`);
  });

  it('asks for cpu and memory only where the queue covers them', () => {
    const asked = { ...spec, cpu: '4', memory: '16Gi' };
    const requests = (s: RequestSpec) =>
      parse(renderJob(s).yaml).spec.template.spec.containers[0].resources
        .requests;
    expect(requests(asked)).toEqual({ 'nvidia.com/gpu': '2' });
    expect(
      requests({ ...asked, coveredResources: ['cpu', 'nvidia.com/gpu'] }),
    ).toEqual({ cpu: '4', 'nvidia.com/gpu': '2' });
  });

  it('runs several pods side by side as an indexed Job', () => {
    expect(parse(renderJob({ ...spec, pods: 4 }).yaml).spec).toMatchObject({
      parallelism: 4,
      completions: 4,
      completionMode: 'Indexed',
    });
  });

  it('mounts a claim and refers to secrets without their value', () => {
    const { template } = parse(
      renderJob({
        ...spec,
        claim: { name: 'datasets', mountPath: '/data', readOnly: true },
        env: [
          { name: 'EPOCHS', value: '3' },
          { name: 'HF_TOKEN', secretKeyRef: { name: 'hf', key: 'token' } },
        ],
      }).yaml,
    ).spec;
    expect(template.spec.volumes).toEqual([
      {
        name: 'data',
        persistentVolumeClaim: { claimName: 'datasets', readOnly: true },
      },
    ]);
    expect(template.spec.containers[0]).toMatchObject({
      volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true }],
      env: [
        { name: 'EPOCHS', value: '3' },
        {
          name: 'HF_TOKEN',
          valueFrom: { secretKeyRef: { name: 'hf', key: 'token' } },
        },
      ],
    });
  });

  it.each([
    'x\n        securityContext: { privileged: true }',
    '- a: b\n---\nkind: Secret',
    'yes',
    '012',
    '1:30',
    '~',
    '*anchor',
    '"quoted" # comment',
    '  leading and trailing \t\n\n',
    '\u0085\u2028\u2029\ufeff',
    '0o7',
    '0x1F',
    '1_000',
    '.5',
    '=',
    '<<',
    'y',
    'Off',
    '2001-01-01',
    'trailing colon:',
    '\u0085',
    'x\u2028y',
    '',
  ])('keeps %j what it is: one string', text => {
    const { manifest, yaml } = renderJob({
      ...spec,
      command: ['sh', '-c', text],
      env: [{ name: 'A', value: text }],
    });
    expect(parse(yaml, { version: '1.1' })).toEqual(manifest);
    expect(parse(yaml, { version: '1.2' })).toEqual(manifest);
  });

  it('shows a script as lines, and what readers of YAML disagree over as escapes', () => {
    const { yaml } = renderJob({
      ...spec,
      command: ['sh', '-c', 'set -e\npython train.py\n', 'a\u0085b', '0o7'],
    });
    expect(yaml).toContain(`            - sh
            - "-c"
            - |
              set -e
              python train.py
            - "a\\u0085b"
            - "0o7"
`);
  });

  it('round-trips any text under both versions of YAML, and never sets what rule 11 forbids', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(text),
        text,
        fc.dictionary(fc.string(), text),
        (args, value, nodeLabels) => {
          const { manifest, yaml } = renderJob({
            ...spec,
            args,
            env: [{ name: 'A', value }],
            nodeLabels,
          });
          expect(parse(yaml, { version: '1.1' })).toEqual(manifest);
          expect(parse(yaml, { version: '1.2' })).toEqual(manifest);
          expect(manifest.spec).not.toHaveProperty('suspend');
          expect(manifest.spec).not.toHaveProperty('ttlSecondsAfterFinished');
          expect(manifest.metadata).not.toHaveProperty('generateName');
        },
      ),
    );
  });
});
