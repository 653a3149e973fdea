/* eslint-disable @typescript-eslint/no-explicit-any */
import { TestCluster } from './testCluster';

const GPU = 'nvidia.com/gpu';

describe('Kueue: the life of a Job', () => {
  it('suspends it, makes its Workload, admits, starts and finishes it', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 8 });
    const job = cluster.job('train', { gpus: 2 });
    const workload = cluster.workload('train');
    expect(workload.metadata.name).toMatch(/^job-train-[0-9a-f]{5}$/);
    expect(workload.metadata).toMatchObject({
      labels: { 'kueue.x-k8s.io/job-uid': job.metadata.uid },
      finalizers: ['kueue.x-k8s.io/resource-in-use'],
      ownerReferences: [
        { kind: 'Job', name: 'train', uid: job.metadata.uid, controller: true },
      ],
    });
    expect(workload.status.admission).toEqual({
      clusterQueue: 'q',
      podSetAssignments: [
        {
          name: 'main',
          count: 1,
          flavors: { [GPU]: 'h100' },
          resourceUsage: { [GPU]: '2' },
        },
      ],
    });
    expect(cluster.conditions('train')).toEqual({
      QuotaReserved: 'True/QuotaReserved Quota reserved in ClusterQueue q',
      Admitted: 'True/Admitted The workload is admitted',
    });
    const { spec } = cluster.getJob('train');
    expect(spec.suspend).toBe(false);
    expect(spec.template.spec.nodeSelector).toEqual({ model: 'h100' });
    expect(spec.template.metadata).toMatchObject({
      labels: {
        'kueue.x-k8s.io/cluster-queue-name': 'q',
        'kueue.x-k8s.io/local-queue-name': 'q',
        'kueue.x-k8s.io/podset': 'main',
      },
      annotations: { 'kueue.x-k8s.io/workload': workload.metadata.name },
    });

    cluster.finish('train');
    expect(cluster.conditions('train')).toEqual({
      QuotaReserved: 'True/QuotaReserved Quota reserved in ClusterQueue q',
      Admitted: 'True/Admitted The workload is admitted',
      Finished: 'True/Succeeded Reached expected number of succeeded pods',
    });
    expect(cluster.workload('train').metadata.finalizers).toBeUndefined();
    expect(cluster.workload('train').status.admission).toBeDefined();
    expect(cluster.errors).toEqual([]);
  });

  it('lets the next ones in when one ends, and says why they waited', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4 });
    ['one', 'two', 'three', 'four'].forEach(name =>
      cluster.job(name, { gpus: 3 }),
    );
    expect(cluster.waitsFor('two')).toBe(
      "False/Pending couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed",
    );
    expect(cluster.workload('two').status.resourceRequests).toEqual([
      { name: 'main', resources: { [GPU]: '3' } },
    ]);
    // Equals are set aside in bulk, with nothing said of them.
    expect(cluster.workload('three').status).toBeUndefined();
    const since = cluster.workload('two').status.conditions[0];
    cluster.settle(5000);
    cluster.finish('one', 'Failed');
    expect(cluster.conditions('one').Finished).toBe(
      'True/Failed Job has reached the specified backoff limit',
    );
    expect(cluster.running('one', 'two', 'three')).toEqual(['one', 'two']);
    const [reserved] = cluster.workload('two').status.conditions;
    expect(reserved.lastTransitionTime > since.lastTransitionTime).toBe(true);
    expect(cluster.workload('two').status.resourceRequests).toBeUndefined();
  });

  it('leaves Jobs without a queue alone, and gives them the queue named default where there is one', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4 });
    cluster.store.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'free', namespace: 'team' },
      spec: template(),
    });
    cluster.settle();
    expect(cluster.isRunning('free')).toBe(true);
    expect(cluster.workload('free')).toBeUndefined();

    cluster.kueueObject('LocalQueue', 'default', {
      spec: { clusterQueue: 'q' },
    });
    cluster.store.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'managed', namespace: 'team' },
      spec: template(),
    });
    cluster.settle();
    expect(cluster.workload('managed').spec.queueName).toBe('default');
  });

  it('suspends again what a user starts, and starts again what a user suspends', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 2 });
    cluster.job('runs', { gpus: 2 });
    cluster.job('waits', { gpus: 1 });
    cluster.patch('Job', 'waits', job => {
      job.spec.suspend = false;
    });
    expect(cluster.isRunning('waits')).toBe(false);
    const before = cluster.workload('runs').metadata.resourceVersion;
    cluster.patch('Job', 'runs', job => {
      job.spec.suspend = true;
    });
    expect(cluster.isRunning('runs')).toBe(true);
    expect(cluster.workload('runs').metadata.resourceVersion).toBe(before);
  });

  it('frees the quota of pods that are done', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 3 });
    cluster.job('wide', { pods: 3 });
    cluster.job('next', { gpus: 2 });
    cluster.patch(
      'Job',
      'wide',
      job => {
        job.status.succeeded = 2;
      },
      'status',
    );
    expect(cluster.workload('wide').status).toMatchObject({
      reclaimablePods: [{ name: 'main', count: 2 }],
      admission: { podSetAssignments: [{ resourceUsage: { [GPU]: '3' } }] },
    });
    expect(cluster.isRunning('next')).toBe(true);
  });

  it('admits what asks for nothing without flavors or usage', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 0 });
    cluster.job('idle', { requests: {} });
    expect(cluster.isRunning('idle')).toBe(true);
    expect(cluster.workload('idle').status.admission.podSetAssignments).toEqual(
      [{ name: 'main', count: 1 }],
    );
  });
});

describe('Kueue: editing and deleting', () => {
  it('updates the Workload of a waiting Job in place', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4 });
    cluster.job('runs', { gpus: 4 });
    cluster.job('waits', { pods: 2 });
    const { uid } = cluster.workload('waits').metadata;
    cluster.patch('Job', 'waits', job => {
      job.spec.parallelism = 1;
    });
    expect(cluster.workload('waits').metadata.uid).toBe(uid);
    expect(cluster.workload('waits').spec.podSets[0].count).toBe(1);
    // Numbers in a message follow within a second.
    cluster.settle(1000);
    expect(cluster.waitsFor('waits')).toContain('1 more needed');
  });

  it('sends a running Job back to the queue with a new Workload when its pods change', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4 });
    cluster.job('runs', { pods: 2 });
    const before = cluster.workload('runs').metadata;
    const gone: any[] = [];
    cluster.store.watch('Workload', ({ type, object }) => {
      if (type === 'DELETED') gone.push(object);
    });
    cluster.patch('Job', 'runs', job => {
      job.spec.parallelism = 1;
    });
    const after = cluster.workload('runs');
    expect(after.metadata.name).toBe(before.name);
    expect(after.metadata.uid).not.toBe(before.uid);
    expect(after.spec.podSets[0].count).toBe(1);
    expect(cluster.isRunning('runs')).toBe(true);
    expect(gone).toHaveLength(1);
    expect(gone[0].metadata.deletionTimestamp).toBeUndefined();
    expect(gone[0].status.conditions.map((c: any) => c.type)).toEqual([
      'QuotaReserved',
      'Admitted',
    ]);
  });

  it('makes a new Workload when one is deleted under a running Job', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4 });
    cluster.job('runs');
    const { name, uid } = cluster.workload('runs').metadata;
    const seen: string[] = [];
    cluster.store.watch('Workload', ({ type, object }) =>
      seen.push(`${type}${object.metadata.deletionTimestamp ? ' going' : ''}`),
    );
    cluster.store.delete('Workload', name, 'team');
    cluster.settle();
    expect(seen.slice(0, 2)).toEqual(['MODIFIED going', 'DELETED going']);
    expect(cluster.workload('runs').metadata.uid).not.toBe(uid);
    expect(cluster.isRunning('runs')).toBe(true);
  });

  it('finishes the Workload of a Job that is gone, and frees its quota', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('waits');
    cluster.store.delete('Job', 'runs', 'team', {
      propagationPolicy: 'Background',
    });
    cluster.settle();
    expect(cluster.conditions('runs')).toMatchObject({
      Admitted: 'True/Admitted The workload is admitted',
      Finished: "True/OwnerNotFound The workload's owner no longer exists",
    });
    expect(cluster.workload('runs').metadata.finalizers).toBeUndefined();
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it('lets go of the Workload of a Job that is deleted in the foreground', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.store.delete('Job', 'runs', 'team', {
      propagationPolicy: 'Foreground',
    });
    cluster.settle();
    expect(cluster.workload('runs').metadata.finalizers).toBeUndefined();
    expect(cluster.conditions('runs').Finished).toBeUndefined();
  });
});

function template() {
  return {
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'main',
            image: 'busybox',
            resources: { requests: { [GPU]: 1 }, limits: { [GPU]: 1 } },
          },
        ],
      },
    },
  };
}
