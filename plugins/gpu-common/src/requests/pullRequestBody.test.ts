import fc from 'fast-check';
import { FitAnswer } from '../api/fit';
import { code, codeBlock, link } from './markdown';
import { pullRequestBody, pullRequestTitle } from './pullRequestBody';
import { RequestSpec } from './spec';

const spec: RequestSpec = {
  requestId: 'task-1',
  slug: 'finetune',
  purpose: 'Fine-tune the assistant',
  requester: 'user:default/mira',
  entity: 'component:default/llm-finetune',
  team: 'group:default/team-07',
  cluster: 'spoke-a',
  namespace: 'team-07',
  queue: 'gpu',
  kind: 'batch',
  deviceClass: 'nvidia-h100',
  flavor: 'h100',
  nodeLabels: { product: 'h100' },
  resourceName: 'nvidia.com/gpu',
  count: 2,
  pods: 2,
  priorityClass: 'normal',
  maxDurationSeconds: 11_100,
  image: 'registry.example.com/train:1',
};

const fit: FitAnswer = {
  verdict: 'later',
  reason: 'waits-for-quota',
  sentence: 'Two of four GPUs are in use.',
  clusterQueue: 'team-07',
  units: 4,
  physicalNano: 4_000_000_000,
  poolShare: 0.03125,
  before: { nominal: 3, used: 2, borrowed: 0, available: 3, potential: 8 },
  after: { nominal: 3, used: 6, borrowed: 3, available: -1, potential: 8 },
  borrows: 3,
};

const body = (change: Partial<RequestSpec> = {}, answer = fit) =>
  pullRequestBody({
    spec: { ...spec, ...change },
    job: { name: 'finetune-1a2b3c4d', digest: 'sha256:00' },
    path: 'clusters/spoke-a/team-07/finetune-1a2b3c4d.yaml',
    fit: answer,
    checks: ['Valid against batch/v1'],
    requestUrl: 'https://portal.example.com/gpu/requests/task-1',
  });

describe('pullRequestBody', () => {
  it('tells a reviewer what is needed to decide', () => {
    expect(body()).toBe(`## GPU request \`finetune-1a2b3c4d\`

- **Asked by:** \`user:default/mira\`
- **For:** \`component:default/llm-finetune\`
- **Team:** \`group:default/team-07\`
- **Where:** cluster \`spoke-a\`, namespace \`team-07\`, queue \`gpu\`
- **Device class:** \`nvidia-h100\`, flavor \`h100\`
- **Count:** 4 (2 pods of 2)
- **Share of the pool:** 3.13 % (4 physical GPUs)
- **Priority:** \`normal\`
- **Longest duration:** 3 h 5 min
- **Kind:** \`batch\`
- **Image:** \`registry.example.com/train:1\`

Purpose:

\`\`\`text
Fine-tune the assistant
\`\`\`

### Quota

ClusterQueue \`team-07\`, units:

| | nominal | used | of which borrowed | still to be had |
|---|---|---|---|---|
| before | 3 | 2 | 0 | 3 |
| after | 3 | 6 | 3 | -1 |

It borrows 3 of its units from the cohort.

**Will it run now?** No, it would wait. \`Two of four GPUs are in use.\`

### Checks passed

- [x] Valid against batch/v1

File \`clusters/spoke-a/team-07/finetune-1a2b3c4d.yaml\`, digest \`sha256:00\`. [Follow this request in the portal](https://portal.example.com/gpu/requests/task-1).
`);
  });

  it('says what is not known instead of inventing it', () => {
    const bare: FitAnswer = {
      verdict: 'now',
      reason: 'fits',
      sentence: 'It fits.',
      units: 4,
      borrows: 0,
    };
    const text = body({ team: undefined, purpose: ' ' }, bare);
    expect(text).toContain('- **Share of the pool:** not known');
    expect(text).toContain('The quota of this queue is not known.');
    expect(text).toContain('- **Team:** nobody owns this queue');
    expect(text).not.toContain('Purpose');
  });

  it.each([
    'x\n- **Team:** `group:default/admins`',
    '`\n\n### Checks passed\n\n- [x] forged',
    '```\n# forged\n```',
    '@pavel please merge, see #1',
    '<img src=x onerror=alert(1)>',
    'a\u2028b\u202ec',
  ])('cannot be made to say what %j says', forged => {
    const plain = body();
    const text = body({ purpose: forged, entity: forged, image: forged });
    const outside = withoutCode(text);
    expect(outside).not.toMatch(/forged|admins|@|<|#1/);
    expect(text.match(/^#/gm)!.length).toBeGreaterThanOrEqual(
      plain.match(/^#/gm)!.length,
    );
    expect(outside.match(/^(#|- )/gm)).toEqual(
      withoutCode(plain).match(/^(#|- )/gm),
    );
  });

  it('keeps any text inside its code', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (entity, purpose) => {
        const outside = withoutCode(body({ entity, purpose: `x${purpose}` }));
        expect(outside.match(/^(#|- )/gm)).toEqual(
          withoutCode(body()).match(/^(#|- )/gm),
        );
        expect(outside).not.toContain('@');
        expect(outside).not.toContain('<');
      }),
    );
  });

  it('has a title of one line', () => {
    expect(pullRequestTitle(spec, 'finetune-1a2b3c4d')).toBe(
      'GPU request finetune-1a2b3c4d: 4 × nvidia-h100 for team-07 on spoke-a',
    );
  });
});

describe('markdown', () => {
  it.each([
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    [' a \n b ', '`a b`'],
    ['', '(empty)'],
    ['a\u202eb', '`a\\u202eb`'],
  ])('code(%j)', (text, expected) => expect(code(text)).toBe(expected));

  it('uses a fence longer than any in the block', () => {
    expect(codeBlock('````\nx')).toBe('`````text\n````\nx\n`````');
  });

  it.each([
    ['https://a/b', '[t](https://a/b)'],
    ['https://a/b) [x](y', '[t](https://a/b%29%20%5Bx%5D%28y)'],
    ['https://a/%20', '[t](https://a/%20)'],
    // eslint-disable-next-line no-script-url -- what must not become a link
    ['javascript:alert(1)', '`javascript:alert(1)`'],
  ])('link to %j', (url, expected) => expect(link('t', url)).toBe(expected));
});

/** What is left when fenced blocks and code spans are taken out, as CommonMark finds them. */
function withoutCode(markdown: string): string {
  return markdown
    .replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')
    .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
}
