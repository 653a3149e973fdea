import { mockServices, TestDatabases } from '@backstage/backend-test-utils';

import { migrate } from '../database/migrate';
import { ClusterApiError } from './clusterApi';
import { ClusterConfig } from './clusterConfig';
import { Change, ClusterObserver, ObservedWorkload } from './clusterObserver';
import { ClusterService, ClusterServiceOptions } from './clusterService';
import { FakeCluster } from './__testUtils__/FakeCluster';
import {
  ADMITTED,
  admitted,
  clusterQueue,
  CREATED,
  finished,
  flavor,
  gpuPod,
  job,
  localQueue,
  namespace,
  node,
  priorityClass,
  workload,
} from './__testUtils__/objects';
import { until } from './__testUtils__/until';

jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

const SPOKE: ClusterConfig = {
  name: 'spoke-a',
  title: 'Spoke A',
  role: 'spoke',
  connection: { url: 'https://spoke-a', skipTlsVerify: false },
};

const TIMINGS = {
  lease: 2_000,
  heartbeat: 50,
  contact: 30,
  contactTimeout: 500,
  discovery: 60,
  batchWindow: 5,
  readModel: 10,
  backOffFirst: 5,
  backOffMax: 20,
};

describe.each(databases.eachSupportedId())('following a cluster, %s', id => {
  const running: ClusterService[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map(service => service.stop()));
  });

  async function database() {
    const knex = await databases.init(id);
    await migrate(knex);
    return knex;
  }

  function start(
    options: Pick<ClusterServiceOptions, 'knex'> &
      Partial<ClusterServiceOptions> & { fake: FakeCluster },
  ): ClusterService {
    const service = new ClusterService({
      clusters: [SPOKE],
      logger: mockServices.logger.mock(),
      timings: TIMINGS,
      apiOf: () => options.fake,
      ...options,
    });
    service.start();
    running.push(service);
    return service;
  }

  function cluster(): FakeCluster {
    const fake = new FakeCluster();
    fake.put('namespaces', namespace('team-07'));
    fake.put('nodes', node('node-1'));
    fake.put('resourceflavors', flavor());
    fake.put('clusterqueues', clusterQueue());
    fake.put('localqueues', localQueue());
    fake.put('workloadpriorityclasses', priorityClass('low', 100));
    fake.put('workloadpriorityclasses', priorityClass('normal', 500));
    fake.put('workloadpriorityclasses', priorityClass('high', 1000));
    return fake;
  }

  async function connected({ store }: ClusterService) {
    return until(
      async () =>
        (await store.listClusters()).find(({ state }) => state === 'connected'),
      'connected',
    );
  }

  function observer(): ClusterObserver & {
    workloads: Change<ObservedWorkload>[];
    gaps: string[];
  } {
    const workloads: Change<ObservedWorkload>[] = [];
    const gaps: string[] = [];
    return {
      name: 'test',
      workloads,
      gaps,
      onWorkloads: async changes => {
        workloads.push(...changes);
      },
      onGap: async gap => {
        gaps.push(gap.resource);
      },
    };
  }

  it('stores Workloads with what is derived from their Job, queue and flavor', async () => {
    const knex = await database();
    const fake = cluster();
    fake.put('jobs', job('1'));
    fake.put('workloads', workload('1'));
    const service = start({ knex, fake });
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
    const service = start({ knex, fake });
    await connected(service);
    fake.put('workloads', admitted('1'));
    fake.put('pods', gpuPod('1', 'node-1'));

    const [offer] = await until(async () => {
      const offers = await service.store.listOffers({
        namespace: 'team-07',
        queue: 'gpu',
      });
      return offers[0]?.freeForQueue === 6 && offers;
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

  it('goes on from the committed version after a restart, with no list and no event twice', async () => {
    const knex = await database();
    const fake = cluster();
    const seen = observer();
    const first = start({ knex, fake, observers: [seen] });
    await connected(first);
    fake.put('workloads', workload('1'));
    await until(() => seen.workloads.length === 1);
    await first.stop();

    fake.put('workloads', admitted('1'));
    fake.put('workloads', finished('1'));
    const lists = fake.listed.length;
    const second = start({ knex, fake, observers: [seen] });
    await until(() => seen.workloads.length === 3);
    await connected(second);
    expect(fake.listed).toHaveLength(lists);
    expect(seen.gaps).toEqual([]);
    expect(
      seen.workloads.map(({ type, now }) => [type, now.workload.phase]),
    ).toEqual([
      ['added', 'pending'],
      ['modified', 'admitted'],
      ['modified', 'succeeded'],
    ]);
  });

  it('lists anew after 410, reports the gap, and finds what was deleted in it', async () => {
    const knex = await database();
    const fake = cluster();
    fake.put('workloads', admitted('1'));
    fake.put('workloads', admitted('2'));
    const seen = observer();
    const first = start({ knex, fake, observers: [seen] });
    await until(() => seen.workloads.length === 2);
    await connected(first);
    await first.stop();

    fake.remove('workloads', 'wl-1');
    fake.put('workloads', finished('2'));
    fake.put('workloads', workload('3'));
    fake.forget();
    const second = start({ knex, fake, observers: [seen] });
    await until(() => seen.workloads.length === 5);
    await connected(second);
    expect(seen.gaps).toContain('workloads');
    const changes = seen.workloads
      .slice(2)
      .map(({ type, now, gap }) => [
        type,
        now.workload.uid,
        now.workload.phase,
        gap?.resource,
      ]);
    expect(changes).toEqual(
      expect.arrayContaining([
        ['deleted', 'wl-1', 'deleted', 'workloads'],
        ['modified', 'wl-2', 'succeeded', 'workloads'],
        ['added', 'wl-3', 'pending', 'workloads'],
      ]),
    );
    const [gone] = seen.workloads.slice(2).filter(c => c.type === 'deleted');
    expect(gone.before?.workload.phase).toBe('admitted');
    expect(gone.gap!.from < gone.gap!.to).toBe(true);
  });

  it('is unreachable since and says why, and connects once the server is there', async () => {
    const knex = await database();
    const fake = cluster();
    fake.down = new ClusterApiError('connect ECONNREFUSED (GET /version)');
    const service = start({ knex, fake });
    const unreachable = await until(async () =>
      (
        await service.store.listClusters()
      ).find(({ state }) => state === 'unreachable'),
    );
    expect(unreachable).toMatchObject({
      message: 'connect ECONNREFUSED (GET /version)',
      gpus: { physical: 0, usedNano: 0 },
    });
    expect(unreachable.freshAt).toBeUndefined();
    fake.down = undefined;
    expect((await connected(service)).message).toBeUndefined();
  });

  it('keeps the last good picture while the server is away later, and takes up what it missed', async () => {
    const knex = await database();
    const fake = cluster();
    fake.put('workloads', workload('1'));
    const service = start({ knex, fake });
    const before = await connected(service);

    fake.down = new ClusterApiError('No answer within 10 s (GET /version)');
    fake.cut(new Error('socket hang up'));
    const away = await until(async () =>
      (
        await service.store.listClusters()
      ).find(({ state }) => state === 'unreachable'),
    );
    expect(away.since >= before.since).toBe(true);
    expect((await service.store.listWorkloads()).items).toHaveLength(1);

    fake.put('workloads', admitted('1'));
    fake.down = undefined;
    await connected(service);
    await until(async () => {
      const found = await service.store.getWorkload('wl-1');
      return found?.workload.phase === 'admitted';
    });
  });

  it('takes an expired token as a state', async () => {
    const knex = await database();
    const fake = cluster();
    const service = start({ knex, fake });
    await connected(service);
    fake.down = new ClusterApiError('401 Unauthorized (GET /version)', 401);
    fake.cut();
    const state = await until(async () =>
      (
        await service.store.listClusters()
      ).find(cluster1 => cluster1.state === 'unreachable'),
    );
    expect(state.message).toContain('401');
    fake.down = undefined;
    await connected(service);
  });

  it('takes a missing Kueue as a state, follows the rest, and Kueue once it is installed', async () => {
    const knex = await database();
    const fake = cluster();
    const { 'kueue.x-k8s.io/v1beta2': kueue, ...others } = fake.groups;
    fake.groups = others;
    fake.put('pods', gpuPod('1', 'node-1'));
    const service = start({ knex, fake });
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

  it('stores nothing of a batch whose observer fails, and all of it the next time', async () => {
    const knex = await database();
    const fake = cluster();
    let failures = 0;
    const told: string[] = [];
    const service = start({
      knex,
      fake,
      observers: [
        {
          name: 'failing',
          onWorkloads: async (changes, trx) => {
            await trx('clusters')
              .where({ name: 'spoke-a' })
              .update({ message: 'written by a failing observer' });
            if (failures < 2) {
              failures += 1;
              throw new Error('out of disk');
            }
            told.push(...changes.map(({ now }) => now.workload.uid));
          },
        },
      ],
    });
    await connected(service);
    fake.put('workloads', workload('1'));
    await until(() => told.length > 0);
    expect(failures).toBe(2);
    expect(told).toEqual(['wl-1']);
    await until(async () => (await connected(service)).message === undefined);
    expect((await service.store.listWorkloads()).totalItems).toBe(1);
  });

  it('lets one replica follow and another take over when it dies, with nothing lost or told twice', async () => {
    const knex = await database();
    const fake = cluster();
    const one = observer();
    const two = observer();
    const a = start({ knex, fake, observers: [one] });
    await connected(a);
    start({ knex, fake, observers: [two] });
    for (let i = 0; i < 5; i += 1) {
      fake.put('workloads', workload(`a${i}`));
    }
    await until(() => one.workloads.length === 5);
    expect(two.workloads).toHaveLength(0);

    await a.stop();
    for (let i = 0; i < 5; i += 1) {
      fake.put('workloads', workload(`b${i}`));
    }
    await until(() => two.workloads.length === 5);
    expect(two.workloads.map(({ now }) => now.workload.uid)).toEqual([
      'wl-b0',
      'wl-b1',
      'wl-b2',
      'wl-b3',
      'wl-b4',
    ]);
    expect(two.gaps).toEqual([]);
  });

  it('keeps a fault of one cluster from the others', async () => {
    const knex = await database();
    const good = cluster();
    const bad = new FakeCluster();
    bad.down = new ClusterApiError('403 forbidden (GET /version)', 403);
    const service = start({
      knex,
      fake: good,
      clusters: [SPOKE, { ...SPOKE, name: 'spoke-b', title: 'Spoke B' }],
      apiOf: ({ name }) => (name === 'spoke-a' ? good : bad),
    });
    await connected(service);
    good.put('workloads', workload('1'));
    await until(async () => (await service.store.listWorkloads()).totalItems);
    expect(
      (await service.store.listClusters()).map(({ state }) => state),
    ).toEqual(['connected', 'unreachable']);
  });

  it('lets an identical sibling say why a Workload with an empty status waits', async () => {
    const knex = await database();
    const fake = cluster();
    const message =
      "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 2 more needed";
    const service = start({ knex, fake });
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
    const service = start({ knex, fake, observers: [seen] });
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
});
