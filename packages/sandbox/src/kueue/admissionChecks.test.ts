import { TestCluster } from './testCluster';

describe('Kueue: admission checks', () => {
  function checked() {
    const cluster = new TestCluster();
    cluster.kueueObject('AdmissionCheck', 'provision', {
      spec: { controllerName: 'example.com/provisioner' },
    });
    cluster.queue(
      'q',
      { h100: 1 },
      { admissionChecksStrategy: { admissionChecks: [{ name: 'provision' }] } },
    );
    expect(
      cluster.store.get('ClusterQueue', 'q')?.status.conditions[0],
    ).toMatchObject({ reason: 'AdmissionCheckInactive' });
    cluster.patch(
      'AdmissionCheck',
      'provision',
      check => {
        check.status = { conditions: [{ type: 'Active', status: 'True' }] };
      },
      'status',
    );
    cluster.job('checked');
    return cluster;
  }
  const answer = (cluster: TestCluster, state: object) =>
    cluster.patch(
      'Workload',
      cluster.workload('checked').metadata.name,
      ({ status }) => {
        Object.assign(status.admissionChecks[0], state);
      },
      'status',
    );

  it('holds quota until all checks are ready', () => {
    const cluster = checked();
    cluster.settle(1000);
    expect(cluster.conditions('checked').Admitted).toBeUndefined();
    expect(cluster.isRunning('checked')).toBe(false);
    expect(cluster.store.get('ClusterQueue', 'q')?.status).toMatchObject({
      reservingWorkloads: 1,
      admittedWorkloads: 0,
      flavorsReservation: [{ resources: [{ total: '1', borrowed: '0' }] }],
      flavorsUsage: [{ resources: [{ total: '0', borrowed: '0' }] }],
    });
    answer(cluster, { state: 'Ready' });
    expect(cluster.isRunning('checked')).toBe(true);
  });

  it('retries no sooner than asked, holding quota until then', () => {
    const cluster = checked();
    answer(cluster, {
      state: 'Retry',
      requeueAfterSeconds: 30,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    expect(cluster.workload('checked').status.requeueState).toEqual({
      requeueAt: '2026-01-01T00:00:30Z',
    });
    expect(cluster.workload('checked').status.admission).toBeDefined();
    cluster.settle(30_000);
    expect(cluster.conditions('checked')).toMatchObject({
      Requeued: 'True/BackoffFinished The workload backoff was finished',
      Evicted:
        'False/QuotaReserved Previously: At least one admission check is false',
    });
    expect(cluster.workload('checked').status.admissionChecks).toMatchObject([
      { state: 'Pending', retryCount: 1 },
    ]);
  });

  it('never schedules again what a check rejected', () => {
    const cluster = checked();
    answer(cluster, { state: 'Rejected' });
    expect(cluster.workload('checked').spec.active).toBe(true);
    expect(cluster.conditions('checked')).toMatchObject({
      Evicted: expect.stringMatching(/^True\/DeactivatedDueToAdmissionCheck/),
      Requeued: expect.stringMatching(/^False\/DeactivatedDueToAdmissionCheck/),
    });
    expect(cluster.workload('checked').status.admission).toBeUndefined();
  });
});
