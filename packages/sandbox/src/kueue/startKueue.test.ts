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
});
