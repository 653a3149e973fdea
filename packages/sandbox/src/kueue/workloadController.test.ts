/* eslint-disable @typescript-eslint/no-explicit-any */
import { TestCluster } from './testCluster';

function evictions(cluster: TestCluster, job: string) {
  return cluster.workload(job).status.schedulingStats?.evictions;
}

describe('Kueue: what keeps a Workload out', () => {
  it.each([
    [
      'request above what could ever be',
      { gpus: 9 },
      'insufficient quota for nvidia.com/gpu in flavor h100, previously considered podsets requests (0) + current podset request (9) > maximum capacity (4)',
    ],
    [
      'undeclared resource',
      { requests: { 'example.com/foo': 1 } },
      'resource example.com/foo unavailable in ClusterQueue',
    ],
    [
      'flavor of another model',
      { nodeSelector: { model: 'a100' } },
      "flavor h100 doesn't match node affinity",
    ],
  ])('%s', (_, options, message) => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4 });
    cluster.job('waits', options);
    expect(cluster.waitsFor('waits')).toBe(
      `False/Pending couldn't assign flavors to pod set main: ${message}`,
    );
  });

  it('a namespace the ClusterQueue does not serve, until its labels do', () => {
    const cluster = new TestCluster();
    cluster.queue(
      'q',
      { h100: 4 },
      { namespaceSelector: { matchLabels: { gpu: 'yes' } } },
    );
    cluster.job('waits');
    expect(cluster.waitsFor('waits')).toBe(
      "False/Pending workload namespace doesn't match ClusterQueue selector",
    );
    cluster.patch('Namespace', 'team', namespace => {
      namespace.metadata.labels = { gpu: 'yes' };
    });
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it('missing queues, until they exist', () => {
    const cluster = new TestCluster();
    cluster.job('waits');
    expect(cluster.waitsFor('waits')).toBe(
      "False/Inadmissible LocalQueue q doesn't exist",
    );
    cluster.kueueObject('LocalQueue', 'q', { spec: { clusterQueue: 'q' } });
    expect(cluster.waitsFor('waits')).toBe(
      "False/Inadmissible ClusterQueue q doesn't exist",
    );
    expect(cluster.store.get('LocalQueue', 'q', 'team')?.status).toMatchObject({
      conditions: [{ status: 'False', reason: 'ClusterQueueDoesNotExist' }],
    });
    cluster.queue('other', { h100: 1 });
    cluster.kueueObject('ClusterQueue', 'q', {
      spec: cluster.store.get('ClusterQueue', 'other')?.spec,
    });
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it('a flavor that does not exist, until it does', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.patch('ClusterQueue', 'q', queue => {
      queue.spec.resourceGroups[0].flavors[0].name = 'b200';
    });
    cluster.job('waits');
    expect(cluster.waitsFor('waits')).toBe(
      'False/Inadmissible ClusterQueue q is inactive',
    );
    expect(
      cluster.store.get('ClusterQueue', 'q')?.status.conditions[0],
    ).toMatchObject({
      status: 'False',
      reason: 'FlavorNotFound',
      message:
        "Can't admit new workloads: references missing ResourceFlavor(s): b200.",
    });
    cluster.kueueObject('ResourceFlavor', 'b200');
    expect(cluster.isRunning('waits')).toBe(true);
  });
});

describe('Kueue: gates, deactivation and limits', () => {
  const gatedBy = (gates: string) => ({
    annotations: { 'kueue.x-k8s.io/admission-gated-by': gates },
  });
  const ungate = (job: any) => {
    delete job.metadata.annotations['kueue.x-k8s.io/admission-gated-by'];
  };

  it('holds a gated Job before everything else, and releases it in its old place', () => {
    const cluster = new TestCluster();
    cluster.job('gated', gatedBy('example.com/budget'));
    expect(cluster.waitsFor('gated')).toBe(
      'False/AdmissionGated Admission is gated by: example.com/budget',
    );
    cluster.queue('q', { h100: 1 });
    cluster.settle(2000);
    cluster.job('later');
    cluster.job('last', { gpus: 1 });
    cluster.settle(1000);
    expect(cluster.store.get('ClusterQueue', 'q')?.status).toMatchObject({
      pendingWorkloads: 1,
    });
    cluster.patch('Job', 'gated', ungate);
    cluster.finish('later');
    expect(cluster.running('gated', 'last')).toEqual(['gated']);
  });

  it('keeps naming a removed gate while another holds', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('gated', gatedBy('example.com/a,example.com/b'));
    cluster.patch('Job', 'gated', job => {
      job.metadata.annotations['kueue.x-k8s.io/admission-gated-by'] =
        'example.com/b';
    });
    expect(cluster.waitsFor('gated')).toBe(
      'False/AdmissionGated Admission is gated by: example.com/a,example.com/b',
    );
    cluster.patch('Job', 'gated', job => {
      job.metadata.annotations['kueue.x-k8s.io/admission-gated-by'] = '';
    });
    expect(cluster.isRunning('gated')).toBe(true);
  });

  it('admits a Workload released alone, and never starts its Job', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('gated', gatedBy('example.com/budget'));
    const { name } = cluster.workload('gated').metadata;
    cluster.patch('Workload', name, ungate);
    cluster.settle(1000);
    expect(cluster.conditions('gated').Admitted).toBeDefined();
    expect(cluster.isRunning('gated')).toBe(false);
    expect(cluster.errors[0]).toContain(
      'cannot add admission gate after creation',
    );
  });

  const activate = (cluster: TestCluster, job: string, active: boolean) =>
    cluster.patch('Workload', cluster.workload(job).metadata.name, workload => {
      workload.spec.active = active;
    });

  it('stops a deactivated Workload and starts it again', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('waits');
    cluster.settle(7000);
    activate(cluster, 'runs', false);
    expect(cluster.running('runs', 'waits')).toEqual(['waits']);
    expect(cluster.conditions('runs')).toEqual({
      QuotaReserved: 'False/Pending The workload is deactivated',
      Admitted: 'False/NoReservation The workload has no reservation',
      Evicted: 'True/Deactivated The workload is deactivated',
      Requeued: 'False/Deactivated The workload is deactivated',
    });
    expect(cluster.workload('runs').status).toMatchObject({
      accumulatedPastExecutionTimeSeconds: 8,
      schedulingStats: { evictions: [{ reason: 'Deactivated', count: 1 }] },
    });
    activate(cluster, 'runs', true);
    expect(cluster.conditions('runs').Requeued).toContain('True/Reactivated');
    cluster.finish('waits');
    expect(cluster.isRunning('runs')).toBe(true);
    expect(cluster.conditions('runs').Evicted).toBe(
      'False/QuotaReserved Previously: The workload is deactivated',
    );
  });

  it('only marks a waiting Workload that is deactivated, and takes it out of the queue', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('waits');
    activate(cluster, 'waits', false);
    expect(cluster.conditions('waits')).toMatchObject({
      Evicted: 'True/Deactivated The workload is deactivated',
    });
    expect(cluster.conditions('waits').Requeued).toBeUndefined();
    expect(evictions(cluster, 'waits')[0].count).toBe(1);
    cluster.finish('runs');
    expect(cluster.isRunning('waits')).toBe(false);
    activate(cluster, 'waits', true);
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it('ends what runs longer than it may, for good until its Workload is deleted', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('slow', {
      labels: { 'kueue.x-k8s.io/max-exec-time-seconds': '60' },
    });
    expect(cluster.workload('slow').spec.maximumExecutionTimeSeconds).toBe(60);
    cluster.settle(59_000);
    expect(cluster.isRunning('slow')).toBe(true);
    cluster.settle(1000);
    expect(cluster.isRunning('slow')).toBe(false);
    expect(cluster.workload('slow').spec.active).toBe(false);
    expect(cluster.conditions('slow')).toMatchObject({
      DeactivationTarget:
        'True/MaximumExecutionTimeExceeded exceeding the maximum execution time',
      Evicted:
        'True/DeactivatedDueToMaximumExecutionTimeExceeded The workload is deactivated due to exceeding the maximum execution time',
    });
    expect(evictions(cluster, 'slow')).toEqual([
      {
        reason: 'Deactivated',
        underlyingCause: 'MaximumExecutionTimeExceeded',
        count: 1,
      },
    ]);
    activate(cluster, 'slow', true);
    expect(cluster.workload('slow').spec.active).toBe(false);
    const { name, uid } = cluster.workload('slow').metadata;
    cluster.store.delete('Workload', name, 'team');
    cluster.settle();
    expect(cluster.workload('slow').metadata).toMatchObject({ name });
    expect(cluster.workload('slow').metadata.uid).not.toBe(uid);
    expect(cluster.isRunning('slow')).toBe(true);
  });
});
