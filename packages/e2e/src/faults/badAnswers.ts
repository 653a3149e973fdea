/** One wrong answer of the form, sent without a form. */
export interface BadAnswer {
  title: string;
  answers: Record<string, unknown>;
  /** How the refusal names the field (in any case of letters, or in words) … */
  field: string;
  /** … and what it says that was given, and would be accepted. */
  says: RegExp[];
}

const bad = (
  title: string,
  answers: Record<string, unknown>,
  field: string,
  ...says: RegExp[]
): BadAnswer => ({ title, answers, field, says });

const team07 = { namespace: 'team-07', queue: 'gpu' };
const long = 'a'.repeat(45);

/** What the form cannot send, or a careless person may. */
export const BAD_ANSWERS: BadAnswer[] = [
  bad('a name that is too long', { name: long }, 'name', /aaaa/, /44/),
  bad('a name in unicode', { name: 'größe' }, 'name', /größe/, /a-z/),
  bad('a name with a homoglyph', { name: 'traіn' }, 'name', /traіn/, /a-z/),
  bad('a name that is a path', { name: '../../x' }, 'name', /\.\.\/x/, /a-z/),
  bad('a name with two lines', { name: 'a\nb' }, 'name', /a\\nb/, /a-z/),
  bad('an empty name', { name: '' }, 'name', /""/, /a-z/),
  bad(
    'a name that GitOps reserves',
    { name: 'kustomization' },
    'name',
    /"kustomization"/,
    /no name reserved/,
  ),
  bad(
    'a name that Kubernetes reserves',
    { name: 'kube-system' },
    'name',
    /"kube-system"/,
    /no name reserved/,
  ),
  bad('no GPU', { count: 0 }, 'count', /0/, /1/),
  bad('less than no GPU', { count: -1 }, 'count', /-1/, /1/),
  bad('a part of a count', { count: 1.5 }, 'count', /1\.5/, /integer/),
  bad('a count in letters', { count: '2' }, 'count', /"2"/, /integer/),
  bad('no pod', { pods: 0 }, 'pods', /0/, /1/),
  bad('half a pod', { pods: 0.5 }, 'pods', /0\.5/, /integer/),
  bad(
    'more GPUs than there are',
    { count: 9_999 },
    'at most',
    /9999 ×/,
    /accepted: at most \d+/,
  ),
  bad(
    'more than an int32',
    { count: 10_000_000_000 },
    'count',
    /10000000000/,
    /must be <= 100000/,
  ),
  ...['4x', '1e', '-1', '0', '1.5.2', 'NaN', '1 ', '0.0001', '1_000'].map(cpu =>
    bad(`cpu ${JSON.stringify(cpu)}`, { cpu }, 'cpu', asText(cpu), /"500m"/),
  ),
  ...['16GiB', '16gi', '1Zi', '-1Gi', '1.5', '0Gi', 'Gi', '1 Gi'].map(memory =>
    bad(
      `memory ${JSON.stringify(memory)}`,
      { memory },
      'memory',
      asText(memory),
      /"16Gi"/,
    ),
  ),
  ...[
    'x; rm -rf /',
    '$(id)',
    'quay.io/x:`id`',
    '-v',
    'Quay.io/UPPER:1',
    'a b',
    'x|y',
    'registry.example.com/x:1\nRUN id',
    'registry.example.com/größe:1',
  ].map(image =>
    bad(
      `image ${JSON.stringify(image)}`,
      { image },
      'image',
      asText(image),
      /an image name such as/,
    ),
  ),
  bad(
    'a queue nobody knows',
    { queue: { namespace: 'team-07', queue: 'nope' } },
    'queue',
    /"nope"/,
    /accepted: a queue of your team/,
  ),
  bad(
    'a namespace nobody knows',
    { queue: { namespace: 'nowhere', queue: 'gpu' } },
    'queue',
    /nowhere/,
    /accepted: a queue of your team/,
  ),
  bad(
    "another team's queue",
    { queue: { namespace: 'team-08', queue: 'gpu' } },
    'queue',
    /team-08/,
    /queue/,
  ),
  bad(
    "another team's queue, called one's own",
    {
      queue: {
        namespace: 'team-08',
        queue: 'gpu',
        team: 'group:default/team-07',
      },
    },
    'queue',
    /team-08/,
    /queue/,
  ),
  bad(
    'a class that no flavor offers',
    { device: { deviceClass: 'nvidia-b300-999gb' } },
    'device class',
    /nvidia-b300-999gb/,
    /nvidia-h100-80gb-hbm3/,
  ),
  bad(
    'a class that another cluster offers',
    { cluster: 'spoke-b' },
    'device class',
    /"nvidia-h100-80gb-hbm3"/,
    /accepted: .*nvidia-/,
  ),
  bad(
    'both a class and a share',
    {
      device: {
        deviceClass: 'nvidia-h100-80gb-hbm3',
        fraction: { corePercent: 10, vramMiB: 1024 },
      },
    },
    'device',
    /./,
    /1|either/,
  ),
  bad(
    'a share of more than a GPU',
    { device: { fraction: { corePercent: 101, vramMiB: 1024 } } },
    'corePercent',
    /101/,
    /100/,
  ),
  bad(
    'a share that no class satisfies',
    { device: { fraction: { corePercent: 20, vramMiB: 9_000_000 } } },
    'fraction',
    /9000000/,
    /accepted: at most 100 % and \d+ MiB/,
  ),
  bad(
    'a cluster nobody knows',
    { cluster: 'mars' },
    'cluster',
    /mars/,
    /spoke-a/,
  ),
  bad(
    'the hub',
    { cluster: 'hub' },
    'cluster',
    /hub/,
    /accepted: cluster spoke-a or spoke-b/,
  ),
  bad(
    'a priority that the queue may not use',
    { priority: 'high' },
    'priority',
    /"high"/,
    /low, normal|normal, low/,
  ),
  bad(
    'a negative duration',
    { maxDuration: { minutes: -5 } },
    'minutes',
    /-5/,
    /0/,
  ),
  bad(
    'an entity that is none',
    { entity: 'a:b:c/d/e' },
    'entity',
    /a:b:c\/d\/e/,
    /component:default\/name/,
  ),
  bad(
    'a secret in the environment',
    { env: [{ name: 'DB_PASSWORD', value: 'hunter2-very-secret' }] },
    'env',
    /looks like/,
    /secretKeyRef/,
  ),
  bad(
    'a variable that chooses GPUs',
    { env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }] },
    'env',
    /NVIDIA_VISIBLE_DEVICES/,
    /device plugin/,
  ),
  bad(
    'a control character in a command',
    { args: ['echo \u0000 \u001b[2J'] },
    'args',
    /echo/,
    /without control characters/,
  ),
  bad(
    'a claim mounted over the system',
    { claim: { name: 'data', mountPath: '/proc/x' } },
    'mountPath',
    /\/proc\/x/,
    /absolute path/,
  ),
  bad('a queue that is a text', { queue: 'gpu' }, 'queue', /"gpu"/, /object/),
  bad('no image', { image: undefined }, 'image', /./, /requires/),
].map(one => ({ ...one, answers: { queue: team07, ...one.answers } }));

/** The value as a message repeats it. */
function asText(value: string): RegExp {
  return new RegExp(
    JSON.stringify(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
}
