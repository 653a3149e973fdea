/* eslint-disable @typescript-eslint/no-explicit-any */
import { TestCluster } from './testCluster';

const GPU = 'nvidia.com/gpu';

function evictions(cluster: TestCluster, job: string) {
  return cluster.workload(job).status.schedulingStats?.evictions;
}

describe('Kueue: stopping queues', () => {
  const policy = (stopPolicy: string) => (queue: any) => {
    queue.spec.stopPolicy = stopPolicy;
  };
  function started() {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('waits');
    return cluster;
  }
  const localQueue = (cluster: TestCluster) =>
    cluster.store.get('LocalQueue', 'q', 'team')?.status;

  it('holds a LocalQueue: what runs goes on, what waits is inadmissible and not counted', () => {
    const cluster = started();
    cluster.settle(1000);
    expect(localQueue(cluster)).toMatchObject({ pendingWorkloads: 1 });
    cluster.patch('LocalQueue', 'q', policy('Hold'));
    cluster.settle(1000);
    expect(cluster.isRunning('runs')).toBe(true);
    expect(cluster.waitsFor('waits')).toBe(
      'False/Inadmissible LocalQueue q is inactive',
    );
    expect(localQueue(cluster)).toMatchObject({
      pendingWorkloads: 0,
      conditions: [{ reason: 'Stopped', message: 'LocalQueue is stopped' }],
    });
    cluster.finish('runs');
    expect(cluster.isRunning('waits')).toBe(false);
    cluster.patch('LocalQueue', 'q', policy('None'));
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it.each(['LocalQueue', 'ClusterQueue'])(
    'drains a %s, and lets back in',
    kind => {
      const cluster = started();
      cluster.patch(kind, 'q', policy('HoldAndDrain'));
      expect(cluster.isRunning('runs')).toBe(false);
      expect(cluster.conditions('runs')).toEqual({
        QuotaReserved: `False/Pending The ${kind} is stopped`,
        Admitted: 'False/NoReservation The workload has no reservation',
        Evicted: `True/${kind}Stopped The ${kind} is stopped`,
        Requeued: `False/${kind}Stopped The ${kind} is stopped`,
      });
      expect(cluster.workload('runs').status.admission).toBeUndefined();
      expect(cluster.getJob('runs').spec.template.spec.nodeSelector).toBe(
        undefined,
      );
      expect(evictions(cluster, 'runs')).toEqual([
        { reason: `${kind}Stopped`, underlyingCause: '', count: 1 },
      ]);
      cluster.patch(kind, 'q', policy('None'));
      expect(cluster.running('runs', 'waits')).toEqual(['runs']);
      expect(cluster.conditions('runs')).toMatchObject({
        Evicted: `False/QuotaReserved Previously: The ${kind} is stopped`,
        Requeued: `True/${kind}Restarted The ${kind} was restarted after being stopped`,
      });
    },
  );

  it('holds a ClusterQueue: the text of what waits stays, and it still counts', () => {
    const cluster = started();
    const text = cluster.waitsFor('waits');
    cluster.patch('ClusterQueue', 'q', policy('Hold'));
    cluster.job('new', { gpus: 1, labels: {} });
    cluster.settle(1000);
    expect(cluster.waitsFor('waits')).toBe(text);
    expect(cluster.waitsFor('new')).toBe(
      'False/Inadmissible ClusterQueue q is inactive',
    );
    expect(cluster.store.get('ClusterQueue', 'q')?.status).toMatchObject({
      pendingWorkloads: 2,
      conditions: [
        {
          reason: 'Stopped',
          message: "Can't admit new workloads: is stopped.",
        },
      ],
    });
    expect(localQueue(cluster).conditions[0]).toMatchObject({
      reason: 'ClusterQueueIsInactive',
      message: "Can't submit new workloads to clusterQueue",
    });
    cluster.finish('runs');
    expect(cluster.isRunning('waits')).toBe(false);
    cluster.patch('ClusterQueue', 'q', policy('None'));
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it('deletes a LocalQueue at once, and a ClusterQueue when nothing runs in it', () => {
    const cluster = started();
    cluster.store.delete('LocalQueue', 'q', 'team');
    cluster.settle();
    expect(cluster.isRunning('runs')).toBe(true);
    expect(cluster.waitsFor('waits')).toBe(
      "False/Inadmissible LocalQueue q doesn't exist",
    );
    cluster.store.delete('ClusterQueue', 'q');
    cluster.settle();
    expect(
      cluster.store.get('ClusterQueue', 'q')?.status.conditions[0].reason,
    ).toBe('Terminating');
    cluster.finish('runs');
    cluster.settle(1000);
    expect(cluster.store.get('ClusterQueue', 'q')).toBeUndefined();
  });
});

describe('Kueue: queues', () => {
  it('counts what is reserved, used and borrowed, about once a second', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1, a100: 4 }, { cohortName: 'c' });
    cluster.queue('lender', { h100: 4 }, { cohortName: 'c' });
    cluster.job('one', { gpus: 3 });
    expect(
      cluster.store.get('ClusterQueue', 'q')?.status.admittedWorkloads,
    ).toBe(0);
    cluster.settle(1000);
    expect(cluster.store.get('ClusterQueue', 'q')?.status).toMatchObject({
      flavorsUsage: [
        {
          name: 'h100',
          resources: [{ name: GPU, total: '3', borrowed: '2' }],
        },
        {
          name: 'a100',
          resources: [{ name: GPU, total: '0', borrowed: '0' }],
        },
      ],
      pendingWorkloads: 0,
      reservingWorkloads: 1,
      admittedWorkloads: 1,
    });
    expect(
      cluster.store.get('LocalQueue', 'q', 'team')?.status.flavorsUsage[0],
    ).toEqual({ name: 'h100', resources: [{ name: GPU, total: '3' }] });
  });

  it('evicts nobody when quota is cut below use, and forgets a flavor taken off', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 4, a100: 4 });
    cluster.job('one', { gpus: 4 });
    cluster.patch('ClusterQueue', 'q', queue => {
      queue.spec.resourceGroups[0].flavors.shift();
    });
    cluster.settle(1000);
    expect(cluster.isRunning('one')).toBe(true);
    expect(cluster.store.get('ClusterQueue', 'q')?.status).toMatchObject({
      flavorsUsage: [{ name: 'a100' }],
      admittedWorkloads: 1,
    });
  });

  it('admits nothing below a cycle of cohorts', () => {
    const cluster = new TestCluster();
    cluster.kueueObject('Cohort', 'x', { spec: { parentName: 'y' } });
    cluster.kueueObject('Cohort', 'y', { spec: { parentName: 'x' } });
    cluster.queue('q', { h100: 4 }, { cohortName: 'x' });
    cluster.job('waits');
    expect(cluster.isRunning('waits')).toBe(false);
    cluster.patch('Cohort', 'y', cohort => {
      delete cohort.spec.parentName;
    });
    expect(cluster.isRunning('waits')).toBe(true);
  });
});
