/* eslint-disable @typescript-eslint/no-explicit-any */
import { TestCluster } from './testCluster';

describe('Kueue: priority', () => {
  function classes(cluster: TestCluster) {
    cluster.kueueObject('WorkloadPriorityClass', 'low', { value: 100 });
    cluster.kueueObject('WorkloadPriorityClass', 'high', { value: 1000 });
  }
  const withClass = (name: string) => ({
    labels: { 'kueue.x-k8s.io/priority-class': name },
  });
  const relabel = (name: string) => (job: any) => {
    job.metadata.labels['kueue.x-k8s.io/priority-class'] = name;
  };

  it('goes first with the higher class', () => {
    const cluster = new TestCluster();
    classes(cluster);
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('low', withClass('low'));
    cluster.job('high', withClass('high'));
    expect(cluster.workload('high').spec).toMatchObject({
      priority: 1000,
      priorityClassRef: {
        group: 'kueue.x-k8s.io',
        kind: 'WorkloadPriorityClass',
        name: 'high',
      },
    });
    cluster.finish('runs');
    expect(cluster.running('low', 'high')).toEqual(['high']);
  });

  it('follows a label changed while pending, also from none', () => {
    const cluster = new TestCluster();
    classes(cluster);
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('first', withClass('low'));
    cluster.job('second');
    cluster.patch('Job', 'second', relabel('high'));
    expect(cluster.workload('second').spec.priority).toBe(1000);
    expect(cluster.events('UpdatedWorkload')).toHaveLength(1);
    cluster.finish('runs');
    expect(cluster.running('first', 'second')).toEqual(['second']);
  });

  it('keeps a priority patched on the Workload, reverts a class that is not the label, ignores an unknown one', () => {
    const cluster = new TestCluster();
    classes(cluster);
    cluster.queue('q', { h100: 1 });
    cluster.job('runs');
    cluster.job('first', withClass('low'));
    cluster.job('second', withClass('low'));
    const name = () => cluster.workload('second').metadata.name;
    cluster.patch('Workload', name(), workload => {
      workload.spec.priority = 5000;
    });
    expect(cluster.workload('second').spec.priority).toBe(5000);
    cluster.patch('Workload', name(), workload => {
      workload.spec.priorityClassRef.name = 'high';
    });
    expect(cluster.workload('second').spec.priorityClassRef.name).toBe('low');
    cluster.patch('Workload', name(), workload => {
      workload.spec.priority = 5000;
    });
    cluster.patch('Job', 'first', relabel('nobody'));
    expect(cluster.workload('first').spec.priority).toBe(100);
    cluster.finish('runs');
    expect(cluster.running('first', 'second')).toEqual(['second']);
  });

  it('waits for a class that does not exist, without a Workload, and goes on when it does', () => {
    const cluster = new TestCluster();
    cluster.queue('q', { h100: 1 });
    cluster.job('waits', withClass('high'));
    expect(cluster.workload('waits')).toBeUndefined();
    expect(cluster.isRunning('waits')).toBe(false);
    expect(cluster.store.list('Event')).toEqual([]);
    classes(cluster);
    expect(cluster.isRunning('waits')).toBe(true);
  });

  it('reprices what waits when a class changes its value, and nothing that runs', () => {
    const cluster = new TestCluster();
    classes(cluster);
    cluster.queue('q', { h100: 1 });
    cluster.job('runs', withClass('low'));
    cluster.job('waits', withClass('low'));
    cluster.patch('WorkloadPriorityClass', 'low', each => {
      each.value = 300;
    });
    expect(cluster.workload('waits').spec.priority).toBe(300);
    expect(cluster.workload('runs').spec.priority).toBe(100);
  });

  it('takes a new class on a running Job without stopping it', () => {
    const cluster = new TestCluster();
    classes(cluster);
    cluster.queue('q', { h100: 1 });
    cluster.job('runs', withClass('low'));
    cluster.patch('Job', 'runs', relabel('high'));
    expect(cluster.workload('runs').spec.priority).toBe(1000);
    expect(cluster.isRunning('runs')).toBe(true);
  });
});
