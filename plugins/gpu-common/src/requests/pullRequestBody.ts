import { FitAnswer, FitQuotaLine } from '../api/fit';
import { code, codeBlock, link } from './markdown';
import { RenderedJob } from './renderJob';
import { RequestSpec } from './spec';

/**
 * What a reviewer is told.
 *
 * @public
 */
export interface PullRequestFacts {
  spec: RequestSpec;
  job: Pick<RenderedJob, 'name' | 'digest'>;
  /** Path of the file in the repository. */
  path: string;
  /** The quota check's answer. */
  fit: FitAnswer;
  /** Checks that passed, one line each, in our own words. */
  checks: string[];
  /** Address of the request's page. */
  requestUrl: string;
}

const VERDICT: Record<FitAnswer['verdict'], string> = {
  now: 'Yes, it would be admitted at once.',
  later: 'No, it would wait.',
  never: 'No, and it never could.',
};

/**
 * Title of the pull request; every part passed `checkRequest`, so it is one line of plain text.
 *
 * @public
 */
export function pullRequestTitle(spec: RequestSpec, name: string): string {
  const units = spec.count * (spec.pods ?? 1);
  return `GPU request ${name}: ${units} × ${spec.deviceClass} for ${spec.namespace} on ${spec.cluster}`;
}

/**
 * Body of the pull request, Markdown: who asks, for whom, what it takes of the pool
 * and the quota, whether it would run now, what was checked. Whatever a person or a
 * cluster wrote stands in code, so that a name cannot forge a line.
 *
 * @public
 */
export function pullRequestBody(facts: PullRequestFacts): string {
  const { spec, job, fit } = facts;
  return [
    `## GPU request ${code(job.name)}`,
    lines([
      ['Asked by', code(spec.requester)],
      ['For', code(spec.entity)],
      ['Team', spec.team ? code(spec.team) : 'nobody owns this queue'],
      [
        'Where',
        `cluster ${code(spec.cluster)}, namespace ${code(
          spec.namespace,
        )}, queue ${code(spec.queue)}`,
      ],
      [
        'Device class',
        `${code(spec.deviceClass)}, flavor ${code(spec.flavor)}`,
      ],
      ['Count', count(spec)],
      ['Share of the pool', poolShare(fit)],
      [
        'Priority',
        spec.priorityClass ? code(spec.priorityClass) : 'none given',
      ],
      [
        'Longest duration',
        spec.maxDurationSeconds
          ? duration(spec.maxDurationSeconds)
          : 'no limit given',
      ],
      ['Kind', code(spec.kind)],
      ['Image', code(spec.image)],
    ]),
    ...(spec.purpose?.trim() ? ['Purpose:', codeBlock(spec.purpose)] : []),
    '### Quota',
    quota(fit),
    `**Will it run now?** ${VERDICT[fit.verdict]} ${code(fit.sentence)}`,
    '### Checks passed',
    facts.checks.map(check => `- [x] ${check}`).join('\n'),
    `File ${code(facts.path)}, digest ${code(job.digest)}. ${link(
      'Follow this request in the portal',
      facts.requestUrl,
    )}.`,
  ]
    .join('\n\n')
    .concat('\n');
}

function lines(entries: Array<[string, string]>): string {
  return entries.map(([key, value]) => `- **${key}:** ${value}`).join('\n');
}

function count(spec: RequestSpec): string {
  const pods = spec.pods ?? 1;
  return pods === 1
    ? `${spec.count}`
    : `${spec.count * pods} (${pods} pods of ${spec.count})`;
}

function poolShare({ physicalNano, poolShare: share }: FitAnswer): string {
  if (physicalNano === undefined || share === undefined) {
    return 'not known';
  }
  const gpus = Number((physicalNano / 1e9).toFixed(3));
  const unit = gpus === 1 ? 'physical GPU' : 'physical GPUs';
  return `${Number((share * 100).toFixed(2))} % (${gpus} ${unit})`;
}

function quota({ clusterQueue, before, after, borrows }: FitAnswer): string {
  if (!before || !after) {
    return 'The quota of this queue is not known.';
  }
  const row = (when: string, line: FitQuotaLine) =>
    `| ${when} | ${line.nominal} | ${line.used} | ${line.borrowed} | ${line.available} |`;
  return [
    ...(clusterQueue ? [`ClusterQueue ${code(clusterQueue)}, units:`, ''] : []),
    '| | nominal | used | of which borrowed | still to be had |',
    '|---|---|---|---|---|',
    row('before', before),
    row('after', after),
    '',
    borrows > 0
      ? `It borrows ${borrows} of its units from the cohort.`
      : 'It borrows nothing.',
  ].join('\n');
}

/** `3 h 5 min`; seconds only below a minute or when they are left over. */
function duration(seconds: number): string {
  const parts: Array<[number, string]> = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}
