import { record } from '../apiMachinery/watching';
import { until } from '../until';
import { type RunningWorld, type WorldCluster, worlds } from '../world';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, deleting and editing', world => {
  let running: RunningWorld;
  let cluster: WorldCluster;
  let bed: Testbed;

  beforeAll(async () => {
    running = await world.start();
    cluster = running.clusters[0];
  });

  afterAll(() => running.close());

  beforeEach(async () => {
    bed = new Testbed(cluster);
    await bed.start();
    await bed.flavor('f');
    await bed.queue('q', { f: 2 });
    await bed.job('runs', { pods: 2 });
    await bed.untilRunning('runs');
  });

  afterEach(() => bed.remove());

  /** Last state of the Job's Workload before it went. */
  async function lastOf(act: () => Promise<unknown>) {
    const { uid } = (await bed.workload('runs')).metadata;
    const watching = await record(
      cluster.admin,
      `/apis/kueue.x-k8s.io/v1beta2/namespaces/${bed.namespace}/workloads`,
      {},
    );
    await until('the watch has begun', () => watching.events.length > 0);
    try {
      await act();
      return await until('the Workload is deleted', () =>
        watching.events.find(
          ({ type, object }) =>
            type === 'DELETED' && object.metadata.uid === uid,
        ),
      );
    } finally {
      watching.stop();
    }
  }

  it('in the background: finished for want of an owner, then gone', async () => {
    const { object } = await lastOf(() => bed.deleteJob('runs', 'Background'));
    expect(conditionOf(object, 'Finished')).toMatchObject({
      status: 'True',
      reason: 'OwnerNotFound',
      message: "The workload's owner no longer exists",
    });
  });

  it('in the foreground: gone with Admitted and no Finished', async () => {
    const { object } = await lastOf(() => bed.deleteJob('runs', 'Foreground'));
    expect(conditionOf(object, 'Admitted').status).toBe('True');
    expect(conditionOf(object, 'Finished')).toBeUndefined();
  });

  it('by the raw default: orphaned, finished, and its quota free while its pods run', async () => {
    await bed.deleteJob('runs');
    const orphan = await bed.untilWorkload('runs', 'is finished', found =>
      conditionOf(found, 'Finished'),
    );
    expect(orphan.metadata.ownerReferences ?? []).toEqual([]);
    expect(conditionOf(orphan, 'Finished').reason).toBe('OwnerNotFound');
    await bed.job('next', { gpus: 2 });
    await bed.untilCondition('next', 'Admitted', 'True');
    const { items } = await bed.core.listNamespacedPod({
      namespace: bed.namespace,
      labelSelector: 'job-name=runs',
    });
    expect(
      items.filter(({ metadata }) => !metadata?.deletionTimestamp),
    ).toHaveLength(2);
    for (const { metadata } of items) {
      await bed.core.deleteNamespacedPod({
        namespace: bed.namespace,
        name: metadata?.name as string,
      });
    }
  });

  it('the Workload of a running Job: a new one of the same name', async () => {
    const { object } = await lastOf(() => bed.deleteWorkload('runs'));
    expect(conditionOf(object, 'Finished')).toBeUndefined();
    const next = await bed.untilWorkload(
      'runs',
      'is a new one',
      ({ metadata }) => metadata.uid !== object.metadata.uid,
    );
    expect(next.metadata.name).toBe(object.metadata.name);
    await bed.untilRunning('runs');
  });

  it('fewer pods while running: back to the queue with a new Workload', async () => {
    const { object } = await lastOf(() =>
      bed.patchJob('runs', { spec: { parallelism: 1 } }),
    );
    expect(conditionOf(object, 'Evicted')).toBeUndefined();
    expect(conditionOf(object, 'Finished')).toBeUndefined();
    const next = await bed.untilWorkload(
      'runs',
      'is a new one',
      ({ metadata }) => metadata.uid !== object.metadata.uid,
    );
    expect(next.spec.podSets[0].count).toBe(1);
    await bed.untilCondition('runs', 'Admitted', 'True');
  });

  it('fewer pods while waiting: the same Workload', async () => {
    await bed.job('waits', { pods: 2 });
    const { uid } = (
      await bed.untilWorkload('waits', 'waits', found =>
        conditionOf(found, 'QuotaReserved'),
      )
    ).metadata;
    await bed.patchJob('waits', { spec: { parallelism: 1 } });
    const changed = await bed.untilWorkload(
      'waits',
      'asks for one pod',
      ({ spec }) => spec.podSets[0].count === 1,
    );
    expect(changed.metadata.uid).toBe(uid);
  });

  it('a LocalQueue at once; a ClusterQueue when nothing holds its quota', async () => {
    await bed.custom.deleteNamespacedCustomObject({
      group: 'kueue.x-k8s.io',
      version: 'v1beta2',
      plural: 'localqueues',
      namespace: bed.namespace,
      name: 'q',
    });
    await bed.custom.deleteClusterCustomObject({
      group: 'kueue.x-k8s.io',
      version: 'v1beta2',
      plural: 'clusterqueues',
      name: bed.name('q'),
    });
    await until('it is terminating', async () => {
      const status = await bed.clusterQueueStatus('q');
      return conditionOf({ status }, 'Active').reason === 'Terminating';
    });
    expect((await bed.getJob('runs')).spec?.suspend).toBe(false);
    await bed.deleteJob('runs', 'Background');
    await until('it is gone', () =>
      bed.clusterQueueStatus('q').then(
        () => false,
        () => true,
      ),
    );
  });
});
