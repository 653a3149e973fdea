import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  isDnsLabel,
  isReservedName,
  jobName,
  manifestPath,
  MAX_JOB_NAME_LENGTH,
  MAX_SLUG_LENGTH,
  requestBranch,
} from './names';

const slug = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,42}[a-z0-9])?$/);

describe('jobName', () => {
  it('is the short name and 8 digits of the SHA-256 of the request id', () => {
    const hash = createHash('sha256').update('task-1').digest('hex');
    expect(jobName('finetune', 'task-1')).toBe(`finetune-${hash.slice(0, 8)}`);
  });

  it('leaves room for the Workload name in a label', () => {
    expect(MAX_JOB_NAME_LENGTH).toBe(53);
    expect(MAX_SLUG_LENGTH).toBe(44);
    const name = jobName('a'.repeat(44), 'task-1');
    expect(`job-${name}-0a1b2`).toHaveLength(63);
  });

  it('is a DNS label, the same for the same request, another for another', () => {
    fc.assert(
      fc.property(slug, fc.uuid(), fc.uuid(), (s, one, two) => {
        fc.pre(!isReservedName(s));
        expect(isDnsLabel(jobName(s, one), MAX_JOB_NAME_LENGTH)).toBe(true);
        expect(jobName(s, one)).toBe(jobName(s, one));
        expect(jobName(s, one) === jobName(s, two)).toBe(one === two);
      }),
    );
  });

  it.each([
    ['', 'empty'],
    ['Finetune', 'upper case'],
    ['-a', 'leading dash'],
    ['a_b', 'underscore'],
    ['größe', 'unicode'],
    ['а', 'a Cyrillic a'],
    ['a'.repeat(45), 'too long'],
    ['kustomization', 'reserved'],
    ['kube-system', 'reserved prefix'],
    ['a\nb', 'newline'],
  ])('refuses %j (%s)', bad => {
    expect(() => jobName(bad, 'task-1')).toThrow(/^name is .*accepted is/);
  });

  it('does not mistake a longer word for a reserved prefix', () => {
    expect(isReservedName('kubeflow-train')).toBe(false);
    expect(isReservedName('fluxus')).toBe(false);
  });
});

describe('manifestPath', () => {
  it('is clusters/<cluster>/<namespace>/<name>.yaml', () => {
    expect(manifestPath('spoke-a', 'team-07', 'x-1')).toBe(
      'clusters/spoke-a/team-07/x-1.yaml',
    );
  });

  it('takes the folder a cluster is configured with', () => {
    expect(manifestPath('spoke-a', 'team-07', 'x-1', '/fleet/a/')).toBe(
      'fleet/a/team-07/x-1.yaml',
    );
  });

  it.each([
    [['..', 'team-07', 'x'], /cluster/],
    [['spoke-a', '../team-08', 'x'], /namespace/],
    [['spoke-a', 'team-07', 'x/../y'], /name/],
    [['spoke-a', 'team-07', 'x', 'a/../..'], /path/],
  ])('refuses to leave the folder: %j', (parts, message) => {
    const [cluster, namespace, name, base] = parts;
    expect(() => manifestPath(cluster, namespace, name, base)).toThrow(message);
  });
});

describe('requestBranch', () => {
  it('says where the file goes, and fits the strictest forge', () => {
    expect(requestBranch('spoke-a', 'team-07', 'x-1')).toBe(
      'gpu/spoke-a/team-07/x-1',
    );
    expect(requestBranch('c'.repeat(40), 'n'.repeat(40), 'x'.repeat(53))).toBe(
      `gpu/${'x'.repeat(53)}`,
    );
  });
});
