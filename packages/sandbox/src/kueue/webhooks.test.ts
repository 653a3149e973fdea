/* eslint-disable @typescript-eslint/no-explicit-any */
import { ApiStatusError } from '../apiserver/apiStatus';
import { TestCluster, TestJob } from './testCluster';

const GPU = 'nvidia.com/gpu';
const label = (name: string) => `kueue.x-k8s.io/${name}`;

/** `code message` of what a write is answered with; undefined when it is accepted. */
function refusal(write: () => unknown): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    const { code, message } = error as ApiStatusError;
    return `${code} ${message}`;
  }
}

function started(runs: TestJob = {}) {
  const cluster = new TestCluster();
  cluster.kueueObject('WorkloadPriorityClass', 'low', { value: 100 });
  cluster.queue('q', { h100: 1 });
  cluster.job('runs', runs);
  cluster.job('waits', { labels: { [label('priority-class')]: 'low' } });
  return cluster;
}

describe('vjob.kb.io', () => {
  const denied = '403 admission webhook "vjob.kb.io" denied the request: ';
  const maxTime = `metadata.labels[${label('max-exec-time-seconds')}]: `;
  const gate = `metadata.annotations[${label('admission-gated-by')}]: `;

  it.each<[string, TestJob, string | undefined]>([
    [
      'max-exec-time of zero',
      { labels: { [label('max-exec-time-seconds')]: '0' } },
      `${denied}${maxTime}Invalid value: 0: should be greater than 0`,
    ],
    [
      'max-exec-time that is no number',
      { labels: { [label('max-exec-time-seconds')]: 'abc' } },
      `${denied}${maxTime}Invalid value: "abc": strconv.Atoi: parsing "abc": invalid syntax`,
    ],
    [
      'queue name that is none',
      { queue: 'No_Queue' },
      `${denied}metadata.labels[${label(
        'queue-name',
      )}]: Invalid value: "No_Queue": a lowercase RFC 1123 subdomain`,
    ],
    [
      'gate without a domain',
      { annotations: { [label('admission-gated-by')]: 'budget' } },
      `${denied}${gate}Invalid value: "budget": must be a domain-prefixed path (such as "acme.io/foo")`,
    ],
    [
      'gate named twice',
      { annotations: { [label('admission-gated-by')]: 'a.b/c,a.b/c' } },
      `${denied}${gate}Invalid value: "a.b/c,a.b/c": duplicate gate name: a.b/c`,
    ],
    [
      'empty gate name',
      { annotations: { [label('admission-gated-by')]: 'a.b/c,' } },
      `${denied}${gate}Invalid value: "a.b/c,": cannot contain empty gate names`,
    ],
    [
      'empty gate, which is no gate',
      { annotations: { [label('admission-gated-by')]: '' } },
      undefined,
    ],
    [
      'minimum above parallelism',
      { pods: 2, annotations: { [label('job-min-parallelism')]: '2' } },
      `${denied}metadata.annotations[${label(
        'job-min-parallelism',
      )}]: Invalid value: 2: should be between 0 and 1`,
    ],
    [
      'completions equal to parallelism of a job that is not indexed',
      {
        annotations: { [label('job-completions-equal-parallelism')]: 'true' },
      },
      `${denied}metadata.annotations[${label(
        'job-completions-equal-parallelism',
      )}]: Invalid value: "true": should not be enabled for NonIndexed jobs`,
    ],
  ])('on creation: %s', (_, job, expected) => {
    const cluster = new TestCluster();
    const answer = refusal(() => cluster.job('job', job));
    expect(answer?.slice(0, expected?.length)).toBe(expected);
  });

  it.each<[string, 'runs' | 'waits', (job: any) => void, string | undefined]>([
    [
      'queue of a running Job',
      'runs',
      job => {
        job.metadata.labels[label('queue-name')] = 'other';
      },
      `metadata.labels[${label(
        'queue-name',
      )}]: Invalid value: "other": field is immutable`,
    ],
    [
      'queue of a waiting Job',
      'waits',
      job => {
        job.metadata.labels[label('queue-name')] = 'other';
      },
      undefined,
    ],
    [
      'a priority class added while running',
      'runs',
      job => {
        job.metadata.labels[label('priority-class')] = 'low';
      },
      `metadata.labels[${label(
        'priority-class',
      )}]: Invalid value: "low": WorkloadPriorityClass cannot be added to a non-suspended workload`,
    ],
    [
      'a priority class removed while waiting',
      'waits',
      job => {
        delete job.metadata.labels[label('priority-class')];
      },
      `metadata.labels[${label(
        'priority-class',
      )}]: Invalid value: "": WorkloadPriorityClass cannot be removed from a workload`,
    ],
    [
      'a time limit while running',
      'runs',
      job => {
        job.metadata.labels[label('max-exec-time-seconds')] = '5';
      },
      `metadata.labels[${label(
        'max-exec-time-seconds',
      )}]: Invalid value: "5": field is immutable`,
    ],
    [
      'a gate added later',
      'waits',
      job => {
        job.metadata.annotations = { [label('admission-gated-by')]: 'a.b/c' };
      },
      `metadata.annotations[${label(
        'admission-gated-by',
      )}]: Forbidden: cannot add admission gate after creation`,
    ],
  ])('on update: %s', (_, name, change, expected) => {
    const cluster = started();
    const answer = refusal(() => cluster.patch('Job', name, change));
    expect(answer).toBe(expected && `${denied}${expected}`);
  });

  it('lets gates be removed, not exchanged', () => {
    const cluster = new TestCluster();
    const key = label('admission-gated-by');
    cluster.job('gated', { annotations: { [key]: 'a.b/c,a.b/d' } });
    const set = (gates: string) => () =>
      cluster.patch('Job', 'gated', job => {
        job.metadata.annotations[key] = gates;
      });
    expect(refusal(set('a.b/c,a.b/e'))).toContain(
      'can only remove gates, not add new ones',
    );
    expect(refusal(set('a.b/d'))).toBeUndefined();
  });

  it('does not let a Job that runs unmanaged join a queue', () => {
    const cluster = started();
    cluster.store.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'free', namespace: 'team' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', image: 'busybox' }],
          },
        },
      },
    });
    const answer = refusal(() =>
      cluster.patch('Job', 'free', job => {
        job.metadata.labels = { [label('queue-name')]: 'q' };
      }),
    );
    expect(answer).toContain('field is immutable');
  });
});

describe('vclusterqueue.kb.io and the schema', () => {
  const quota = (more: object = {}) => ({
    name: GPU,
    nominalQuota: '4',
    ...more,
  });
  const spec = (resources: object[], more: object = {}) => ({
    resourceGroups: [
      { coveredResources: [GPU], flavors: [{ name: 'h100', resources }] },
    ],
    ...more,
  });
  const field = 'spec.resourceGroups[0].flavors[0].resources[0]';
  const denied =
    '403 admission webhook "vclusterqueue.kb.io" denied the request: ';
  const invalid = '422 ClusterQueue.kueue.x-k8s.io "x" is invalid: ';

  it.each<[string, object, string | undefined]>([
    ['plain quota', spec([quota()]), undefined],
    [
      'borrowing limit without a cohort',
      spec([quota({ borrowingLimit: '1' })]),
      `${invalid}spec: Invalid value: borrowingLimit must be nil when cohort is empty`,
    ],
    [
      'lending limit without a cohort',
      spec([quota({ lendingLimit: '1' })]),
      `${denied}${field}.lendingLimit: Invalid value: "1": must be nil when cohort is empty`,
    ],
    [
      'lending more than there is',
      spec([quota({ lendingLimit: '5' })], { cohortName: 'c' }),
      `${denied}${field}.lendingLimit: Invalid value: "5": must be less than or equal to the nominalQuota`,
    ],
    [
      'negative quota',
      spec([quota({ nominalQuota: '-1' })]),
      `${denied}${field}.nominalQuota: Invalid value: "-1": must be greater than or equal to 0`,
    ],
    [
      'another resource than the covered one',
      spec([quota({ name: 'cpu' })]),
      `${denied}${field}.name: Invalid value: "cpu": must match the name in coveredResources`,
    ],
    [
      'a resource too many',
      spec([quota(), quota()]),
      `${invalid}spec.resourceGroups[0]: Invalid value: flavors must have the same number of resources as the coveredResources`,
    ],
    [
      'a resource and a flavor in two groups',
      {
        resourceGroups: [
          ...spec([quota()]).resourceGroups,
          ...spec([quota()]).resourceGroups,
        ],
      },
      `${denied}[spec.resourceGroups[1].coveredResources[0]: Duplicate value: "nvidia.com/gpu", spec.resourceGroups[1].flavors[0].name: Duplicate value: "h100"]`,
    ],
  ])('%s', (_, body, expected) => {
    const cluster = new TestCluster();
    const create = () =>
      cluster.kueueObject('ClusterQueue', 'x', { spec: body });
    expect(refusal(create)).toBe(expected);
  });

  it('fills in what is left out', () => {
    const cluster = new TestCluster();
    cluster.kueueObject('ClusterQueue', 'x', { spec: spec([quota()]) });
    expect(cluster.store.get('ClusterQueue', 'x')).toMatchObject({
      metadata: { finalizers: ['kueue.x-k8s.io/resource-in-use'] },
      spec: {
        queueingStrategy: 'BestEffortFIFO',
        stopPolicy: 'None',
        flavorFungibility: {
          whenCanBorrow: 'MayStopSearch',
          whenCanPreempt: 'TryNextFlavor',
        },
        preemption: {
          reclaimWithinCohort: 'Never',
          withinClusterQueue: 'Never',
        },
      },
    });
  });
});

describe('Workloads and LocalQueues', () => {
  it.each<[string, 'runs' | 'waits', (workload: any) => void, string]>([
    [
      'queue with reserved quota',
      'runs',
      workload => {
        workload.spec.queueName = 'other';
      },
      'spec.queueName: Invalid value: "other": field is immutable',
    ],
    [
      'class added with reserved quota',
      'runs',
      workload => {
        workload.spec.priorityClassRef = {
          group: 'kueue.x-k8s.io',
          kind: 'WorkloadPriorityClass',
          name: 'low',
        };
      },
      'spec.priorityClassRef: Invalid value',
    ],
    [
      'time limit while admitted',
      'runs',
      workload => {
        workload.spec.maximumExecutionTimeSeconds = 5;
      },
      'spec.maximumExecutionTimeSeconds: Invalid value: 5: field is immutable',
    ],
  ])('422: %s', (_, job, change, expected) => {
    const cluster = started();
    const { name } = cluster.workload(job).metadata;
    const answer = refusal(() => cluster.patch('Workload', name, change));
    expect(answer).toContain(
      `422 Workload.kueue.x-k8s.io "${name}" is invalid: ${expected}`,
    );
  });

  it('422: a LocalQueue moved to another ClusterQueue', () => {
    const cluster = started();
    const move = () =>
      cluster.patch('LocalQueue', 'q', queue => {
        queue.spec.clusterQueue = 'other';
      });
    expect(refusal(move)).toBe(
      '422 LocalQueue.kueue.x-k8s.io "q" is invalid: spec.clusterQueue: Invalid value: "other": field is immutable',
    );
  });
});
