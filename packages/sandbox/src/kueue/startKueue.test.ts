import { TestCluster } from './testCluster';

const GPU = 'nvidia.com/gpu';

describe('Kueue: restart', () => {
  it('goes on from a saved store as if nothing had happened', () => {
    const before = new TestCluster();
    before.kueueObject('WorkloadPriorityClass', 'high', { value: 1000 });
    before.queue('q', { h100: 2 });
    before.job('runs', { gpus: 2 });
    before.job('low');
    before.job('high', {
      labels: { 'kueue.x-k8s.io/priority-class': 'high' },
    });
    before.stopKueue();
    before.store.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: 'meanwhile',
        namespace: 'team',
        labels: { 'kueue.x-k8s.io/queue-name': 'q' },
      },
      spec: template(),
    });

    const after = new TestCluster(
      JSON.parse(JSON.stringify(before.store.snapshot())),
      before.clock,
    );
    expect(after.running('runs', 'low', 'high', 'meanwhile')).toEqual(['runs']);
    expect(after.workload('meanwhile')).toBeDefined();
    after.finish('runs');
    expect(after.running('low', 'high', 'meanwhile')).toEqual(['low', 'high']);
    after.finish('high');
    expect(after.isRunning('meanwhile')).toBe(true);
    expect(after.errors).toEqual([]);
  });

  it('finishes the Workload of a Job that went while Kueue was away', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('gone');
    cluster.stopKueue();
    cluster.store.delete('Job', 'gone', 'team', {
      propagationPolicy: 'Background',
    });
    const after = new TestCluster(cluster.store.snapshot());
    expect(after.conditions('gone').Finished).toContain('OwnerNotFound');
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
