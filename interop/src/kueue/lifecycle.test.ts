/* eslint-disable @typescript-eslint/no-explicit-any */
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { GPU, label } from './contractJob';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, the life of a Job', world => {
  let running: RunningWorld;
  let bed: Testbed;

  beforeAll(async () => {
    running = await world.start();
    bed = new Testbed(running.clusters[0]);
    await bed.start();
    await bed.flavor('first');
    await bed.flavor('second');
    await bed.queue('q', { first: 4, second: 8 });
  });

  afterAll(async () => {
    await bed.remove();
    await running.close();
  });

  it('suspends, makes a Workload, admits, starts with the flavor, and finishes', async () => {
    const created = await bed.job('train', { gpus: 2, pods: 2, seconds: 1 });
    expect(created.spec?.suspend).toBe(true);
    const { uid } = created.metadata ?? {};
    const admitted = await bed.untilWorkload('train', 'is admitted', found =>
      conditionOf(found, 'Admitted'),
    );
    expect(admitted.metadata.labels).toEqual({ [label('job-uid')]: uid });
    expect(admitted.metadata.ownerReferences).toMatchObject([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        name: 'train',
        uid,
        controller: true,
      },
    ]);
    expect(admitted.spec).toMatchObject({
      active: true,
      queueName: 'q',
      priority: 0,
      podSets: [{ name: 'main', count: 2 }],
    });
    expect(admitted.status.admission).toEqual({
      clusterQueue: bed.name('q'),
      podSetAssignments: [
        {
          name: 'main',
          flavors: { [GPU]: bed.name('first') },
          resourceUsage: { [GPU]: '4' },
          count: 2,
        },
      ],
    });
    expect(conditionOf(admitted, 'QuotaReserved')).toMatchObject({
      status: 'True',
      reason: 'QuotaReserved',
      message: `Quota reserved in ClusterQueue ${bed.name('q')}`,
    });
    expect(conditionOf(admitted, 'Admitted')).toMatchObject({
      status: 'True',
      reason: 'Admitted',
      message: 'The workload is admitted',
    });

    const job = await until('the Job is started', async () => {
      const found = await bed.getJob('train');
      return found.spec?.suspend ? undefined : found;
    });
    expect(job.spec?.template.spec?.nodeSelector).toMatchObject({
      'contract.gpuaas.io/flavor': bed.name('first'),
    });
    const pods = await until('its pods', async () => {
      const { items } = await bed.core.listNamespacedPod({
        namespace: bed.namespace,
        labelSelector: `${label('podset')}=main,job-name=train`,
      });
      return items.length > 0 ? items : undefined;
    });
    expect(pods[0].metadata).toMatchObject({
      labels: {
        [label('cluster-queue-name')]: bed.name('q'),
        [label('local-queue-name')]: 'q',
      },
      annotations: { [label('workload')]: admitted.metadata.name },
    });

    const finished = await bed.untilWorkload('train', 'is finished', found =>
      conditionOf(found, 'Finished'),
    );
    expect(conditionOf(finished, 'Finished')).toMatchObject({
      status: 'True',
      reason: 'Succeeded',
      message: 'Reached expected number of succeeded pods',
    });
    expect(conditionOf(finished, 'Admitted').status).toBe('True');
    expect(conditionOf(finished, 'QuotaReserved').status).toBe('True');
    expect(finished.status.admission).toBeDefined();
    const times = [
      finished.metadata.creationTimestamp,
      ...['QuotaReserved', 'Admitted', 'Finished'].map(
        type => conditionOf(finished, type).lastTransitionTime,
      ),
    ];
    expect(times).toEqual([...times].sort());
    await bed.untilWorkload(
      'train',
      'lets go of its finalizer',
      found => !found.metadata.finalizers?.length,
    );
  });

  it('finds Workloads by job-uid and by the queue that admitted them', async () => {
    const { metadata } = await bed.job('found');
    await bed.untilCondition('found', 'Admitted', 'True');
    const selected = await bed.workloads(
      `${label('job-uid')}=${metadata?.uid}`,
    );
    expect(selected).toHaveLength(1);
    const byQueue: any = await bed.custom.listNamespacedCustomObject({
      group: 'kueue.x-k8s.io',
      version: 'v1beta2',
      plural: 'workloads',
      namespace: bed.namespace,
      fieldSelector: `status.admission.clusterQueue=${bed.name('q')}`,
    });
    expect(byQueue.items.map((each: any) => each.metadata.name)).toContain(
      selected[0].metadata.name,
    );
    await bed.deleteJob('found', 'Background');
  });

  it('tells the Job and the Workload of what happens, by events', async () => {
    await bed.job('told');
    await bed.untilRunning('told');
    const reasons = async () => {
      const { items } = await bed.core.listNamespacedEvent({
        namespace: bed.namespace,
      });
      return items
        .filter(({ involvedObject: about }) => about.name?.includes('told'))
        .map(({ involvedObject: about, reason }) => `${about.kind} ${reason}`);
    };
    await until('all events', async () => {
      const seen = await reasons();
      return [
        'Job CreatedWorkload',
        'Workload QuotaReserved',
        'Workload Admitted',
        'Job Started',
      ].every(each => seen.includes(each));
    });
    await bed.deleteJob('told', 'Background');
  });

  it('frees the quota of pods that are done', async () => {
    await bed.queue('narrow', { first: 2 });
    await bed.job('wide', {
      pods: 2,
      completions: 3,
      seconds: 3,
      queue: 'narrow',
    });
    const reclaimed = await bed.untilWorkload(
      'wide',
      'has reclaimable pods',
      ({ status }) => status?.reclaimablePods?.length,
    );
    expect(reclaimed.status.reclaimablePods).toEqual([
      { name: 'main', count: 1 },
    ]);
    expect(
      reclaimed.status.admission.podSetAssignments[0].resourceUsage,
    ).toEqual({ [GPU]: '2' });
    await bed.job('next', { queue: 'narrow' });
    await bed.untilCondition('next', 'Admitted', 'True');
    await bed.deleteJob('next', 'Background');
  });

  it('admits what asks for nothing, with neither flavors nor usage', async () => {
    await bed.job('idle', { resources: {} });
    const { status } = await bed.untilWorkload('idle', 'is admitted', found =>
      conditionOf(found, 'Admitted'),
    );
    expect(status.admission.podSetAssignments).toEqual([
      { name: 'main', count: 1 },
    ]);
    await bed.deleteJob('idle', 'Background');
  });

  it('leaves a Job without a queue alone', async () => {
    const job = await bed.batch.createNamespacedJob({
      namespace: bed.namespace,
      body: {
        metadata: { name: 'unmanaged' },
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'main', image: 'busybox' }],
            },
          },
        },
      },
    });
    expect(job.spec?.suspend).toBe(false);
    expect(await bed.workload('unmanaged')).toBeUndefined();
    await bed.deleteJob('unmanaged', 'Background');
  });
});
