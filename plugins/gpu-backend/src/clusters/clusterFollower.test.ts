import { TestDatabases } from '@backstage/backend-test-utils';
import { migrate } from '../database/migrate';
import {
  ADMITTED,
  admitted,
  clusterQueue,
  CREATED,
  finished,
  gpuPod,
  job,
  localQueue,
  workload,
} from './__testUtils__/objects';
import {
  cluster,
  connected,
  observer,
  Replicas,
} from './__testUtils__/replicas';
import { until } from './__testUtils__/until';

jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

describe.each(databases.eachSupportedId())('following a cluster, %s', id => {
  const replicas = new Replicas();

  afterEach(() => replicas.stop());

  async function database() {
    const knex = await databases.init(id);
    await migrate(knex);
    return knex;
  }

  it('stores Workloads with what is derived from their Job, queue and flavor', async () => {
    const knex = await database();
    const fake = cluster();
    fake.put('jobs', job('1'));
    fake.put('workloads', workload('1'));
    const service = replicas.start({ knex, fake });
    await connected(service);

    const { items } = await until(async () => {
      const page = await service.store.listWorkloads();
      return page.items[0]?.deviceClass && page;
    });
    expect(items).toEqual([
      expect.objectContaining({
        uid: 'wl-1',
        cluster: 'spoke-a',
        namespace: 'team-07',
        queue: 'gpu',
        clusterQueue: 'team-07',
        team: 'group:default/team-07',
        requestId: 'request-1',
        entity: 'component:default/llm-finetune',
        requester: 'user:default/mira',
        job: { name: 'job-1', uid: 'job-uid-1' },
        phase: 'pending',
        priority: 500,
        priorityClass: 'normal',
        deviceClass: 'nvidia-h100-80gb-hbm3',
        units: 2,
        createdAt: CREATED,
        waiting: expect.objectContaining({ cause: 'not-yet-tried' }),
      }),
    ]);

    fake.put('workloads', admitted('1'));
    const running1 = await until(async () => {
      const found = await service.store.getWorkload('wl-1');
      return found?.workload.phase === 'admitted' && found;
    });
    expect(running1.workload).toMatchObject({
      admittedAt: ADMITTED,
      podSets: [{ assignment: { flavors: { 'nvidia.com/gpu': 'h100' } } }],
    });
    expect(running1.workload.waiting).toBeUndefined();
  });

  it('offers device classes with what is free, and queues with their quota', async () => {
    const knex = await database();
    const fake = cluster();
    const service = replicas.start({ knex, fake });
    await connected(service);
    fake.put('workloads', admitted('1'));
    fake.put('pods', gpuPod('1', 'node-1'));

    const [offer] = await until(async () => {
      const offers = await service.store.listOffers({
        namespace: 'team-07',
        queue: 'gpu',
      });
      return offers[0]?.freeForQueue === 6 && offers[0].free === 6 && offers;
    });
    expect(offer).toMatchObject({
      cluster: 'spoke-a',
      flavor: 'h100',
      nodes: 1,
      total: 8,
      free: 6,
      freeForQueue: 6,
      potentialForQueue: 8,
      deviceClass: { id: 'nvidia-h100-80gb-hbm3', shareNano: 1_000_000_000 },
    });
    const queue = await until(async () => {
      const found = await service.store.getQueue('spoke-a', 'team-07', 'gpu');
      return found?.admittedWorkloads === 1 && found;
    });
    expect(queue).toMatchObject({
      owner: 'group:default/team-07',
      active: true,
      pendingWorkloads: 0,
      priorityClasses: [
        { name: 'normal', value: 500 },
        { name: 'low', value: 100 },
      ],
      quotas: [
        {
          flavor: 'h100',
          resource: 'nvidia.com/gpu',
          deviceClass: 'nvidia-h100-80gb-hbm3',
          nominal: 8,
          used: 2,
          borrowed: 0,
          available: 6,
          potential: 8,
        },
      ],
    });
    expect(await service.store.listPods({ cluster: 'spoke-a' })).toMatchObject([
      { node: 'node-1', workload: 'job-job-1-12345', scheduledAt: ADMITTED },
    ]);
    expect((await connected(service)).gpus).toEqual({
      physical: 8,
      usedNano: 2_000_000_000,
    });
    expect(await service.store.snapshotForFit('spoke-a')).toMatchObject({
      workloads: [{ metadata: { uid: 'wl-1' } }],
      clusterQueues: [{ metadata: { name: 'team-07' } }],
    });
  });

  it('takes a missing Kueue as a state, follows the rest, and Kueue once it is installed', async () => {
    const knex = await database();
    const fake = cluster();
    const { 'kueue.x-k8s.io/v1beta2': kueue, ...others } = fake.groups;
    fake.groups = others;
    fake.put('pods', gpuPod('1', 'node-1'));
    const service = replicas.start({ knex, fake });
    const state = await until(async () =>
      (
        await service.store.listClusters()
      ).find(cluster1 => cluster1.state === 'no-kueue' && cluster1.freshAt),
    );
    expect(state.message).toContain('Kueue is not installed');
    expect(await service.store.listPods({ cluster: 'spoke-a' })).toHaveLength(
      1,
    );

    fake.groups = { ...others, 'kueue.x-k8s.io/v1beta2': kueue };
    expect(await connected(service)).toMatchObject({
      kueueApiVersion: 'v1beta2',
      kubernetesVersion: 'v1.36.3',
    });

    // And away again: what it kept is gone with it.
    await until(() => service.store.getQueue('spoke-a', 'team-07', 'gpu'));
    fake.groups = others;
    await until(
      async () => !(await service.store.getQueue('spoke-a', 'team-07', 'gpu')),
    );
  });

  it('lets an identical sibling say why a Workload with an empty status waits', async () => {
    const knex = await database();
    const fake = cluster();
    const message =
      "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed";
    const service = replicas.start({ knex, fake });
    await connected(service);
    fake.put('workloads', workload('2'));
    fake.put(
      'workloads',
      workload('1', {
        conditions: [['QuotaReserved', 'False', CREATED, 'Pending', message]],
      }),
    );
    const waiting = await until(async () => {
      const found = await service.store.getWorkload('wl-2');
      return (
        found?.workload.waiting?.cause === 'quota-in-use' &&
        found.workload.waiting
      );
    });
    expect(waiting).toMatchObject({ message, since: CREATED });
    expect(waiting.sentence).toContain('same shape');
  });

  it('follows a change of owner to the live Workloads of a queue', async () => {
    const knex = await database();
    const fake = cluster();
    const seen = observer();
    const service = replicas.start({ knex, fake, observers: [seen] });
    await connected(service);
    fake.put('workloads', workload('1'));
    fake.put('workloads', finished('2'));
    await until(() => seen.workloads.length >= 2);
    fake.put('localqueues', localQueue({ 'gpuaas.io/owner': 'team-08' }));
    await until(async () => {
      const found = await service.store.getWorkload('wl-1');
      return found?.workload.team === 'group:default/team-08';
    });
    expect((await service.store.getWorkload('wl-2'))?.workload.team).toBe(
      'group:default/team-07',
    );
    expect(seen.workloads.at(-1)).toMatchObject({
      type: 'modified',
      now: { workload: { uid: 'wl-1', team: 'group:default/team-08' } },
      before: { workload: { team: 'group:default/team-07' } },
    });
  });

  it('states no quota, instead of none, where a quantity cannot be read, and the rest as ever', async () => {
    const knex = await database();
    const fake = cluster();
    fake.put('clusterqueues', clusterQueue('lots' as any));
    const service = replicas.start({ knex, fake });
    await connected(service);
    fake.put('workloads', workload('1'));
    const queue = await until(async () => {
      const found = await service.store.getQueue('spoke-a', 'team-07', 'gpu');
      return found?.pendingWorkloads === 1 && found;
    });
    expect(queue.quotas).toEqual([]);
    const [offer] = await service.store.listOffers({
      namespace: 'team-07',
      queue: 'gpu',
    });
    expect(offer).toMatchObject({ total: 8, free: 8 });
    expect(offer.freeForQueue).toBeUndefined();

    fake.put('clusterqueues', clusterQueue(8));
    await until(async () => {
      const found = await service.store.getQueue('spoke-a', 'team-07', 'gpu');
      return found?.quotas[0]?.nominal === 8;
    });
  });
});
