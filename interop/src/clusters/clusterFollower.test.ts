/* eslint-disable @backstage/no-forbidden-package-imports, @backstage/no-mixed-plugin-imports -- the contract looks at parts that are nobody's public API */
import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { ClusterConfig } from '@gpuaas/backstage-plugin-gpu-backend/src/clusters/clusterConfig';
import {
  Change,
  ClusterObserver,
  ObservedWorkload,
} from '@gpuaas/backstage-plugin-gpu-backend/src/clusters/clusterObserver';
import { ClusterService } from '@gpuaas/backstage-plugin-gpu-backend/src/clusters/clusterService';
import { migrate } from '@gpuaas/backstage-plugin-gpu-backend/src/database/migrate';
import {
  ApiServer,
  createApiServer,
  createStore,
  MemoryStore,
  masterUser,
} from 'sandbox/src/apiserver';

jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['SQLITE_3'],
  disableDocker: true,
});

const STAMP = '2026-11-02T10:00:07Z';

/** Waits for something to become true; looks again every few milliseconds. */
async function until<T>(check: () => Promise<T> | T): Promise<NonNullable<T>> {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await check();
    if (value) {
      return value as NonNullable<T>;
    }
    if (Date.now() > end) {
      throw new Error(`Waited in vain for ${check}`);
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

function workload(name: string) {
  return {
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'Workload',
    metadata: { name, namespace: 'team-07' },
    spec: {
      queueName: 'gpu',
      priority: 500,
      podSets: [
        {
          name: 'main',
          count: 1,
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  name: 'main',
                  image: 'registry.example.com/train:1',
                  resources: {
                    requests: { 'nvidia.com/gpu': '1' },
                    limits: { 'nvidia.com/gpu': '1' },
                  },
                },
              ],
            },
          },
        },
      ],
    },
  };
}

describe('following a cluster over HTTP with client-node', () => {
  let store: MemoryStore;
  let server: ApiServer;
  let service: ClusterService;
  let changes: Change<ObservedWorkload>[];
  let gaps: string[];

  beforeEach(async () => {
    store = createStore();
    server = await createApiServer({
      store,
      tokens: new Map([['admin', masterUser('admin')]]),
    });
    store.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team-07' },
    });
    store.create({
      apiVersion: 'kueue.x-k8s.io/v1beta2',
      kind: 'LocalQueue',
      metadata: {
        name: 'gpu',
        namespace: 'team-07',
        annotations: { 'gpuaas.io/owner': 'group:default/team-07' },
      },
      spec: { clusterQueue: 'team-07' },
    });
    changes = [];
    gaps = [];
    const knex = await databases.init('SQLITE_3');
    await migrate(knex);
    const observer: ClusterObserver = {
      name: 'contract',
      onWorkloads: async batch => {
        changes.push(...batch);
      },
      onGap: async ({ resource }) => {
        gaps.push(resource);
      },
    };
    const cluster: ClusterConfig = {
      name: 'spoke-a',
      title: 'Spoke A',
      role: 'spoke',
      connection: {
        url: server.url,
        serviceAccountToken: 'admin',
        skipTlsVerify: true,
      },
    };
    service = new ClusterService({
      knex,
      clusters: [cluster],
      logger: mockServices.logger.mock(),
      observers: [observer],
      timings: {
        heartbeat: 50,
        contact: 50,
        contactTimeout: 1_000,
        readModel: 20,
        backOffFirst: 5,
        backOffMax: 50,
      },
    });
  });

  afterEach(async () => {
    await service.stop();
    await server.close();
  });

  const inState = (state: string, words = '') =>
    until(async () =>
      (await service.store.listClusters()).find(
        found => found.state === state && (found.message ?? '').includes(words),
      ),
    );

  async function agree() {
    const expected = store
      .list('Workload')
      .map(({ metadata }) => metadata.uid!)
      .sort();
    await until(async () => {
      const { items } = await service.store.listWorkloads({
        phases: ['pending', 'admitted'],
      });
      return (
        items
          .map(({ uid }) => uid)
          .sort()
          .join() === expected.join()
      );
    });
  }

  function admit(name: string) {
    store.modify(
      'Workload',
      name,
      'team-07',
      object => {
        object.status = {
          admission: {
            clusterQueue: 'team-07',
            podSetAssignments: [
              {
                name: 'main',
                count: 1,
                flavors: { 'nvidia.com/gpu': 'h100' },
                resourceUsage: { 'nvidia.com/gpu': '1' },
              },
            ],
          },
          conditions: ['QuotaReserved', 'Admitted'].map(type => ({
            type,
            status: 'True',
            reason: type,
            message: '',
            lastTransitionTime: STAMP,
          })),
        };
      },
      { subresource: 'status' },
    );
  }

  it('connects, lists, and sees an admission within a second of the server sending it', async () => {
    for (let i = 0; i < 3; i += 1) {
      store.create(workload(`before-${i}`));
    }
    service.start();
    expect(await inState('connected')).toMatchObject({
      kueueApiVersion: 'v1beta2',
    });
    await agree();

    const { metadata } = store.create(workload('live'));
    await agree();
    const took: number[] = [];
    const sent = performance.now();
    admit('live');
    await until(async () => {
      const found = await service.store.getWorkload(metadata.uid!);
      return found?.workload.phase === 'admitted';
    });
    took.push(performance.now() - sent);
    expect(Math.max(...took)).toBeLessThan(1_000);
  });

  it('loses and repeats nothing when connections break in the middle of an event', async () => {
    service.start();
    await inState('connected');
    for (let i = 0; i < 40; i += 1) {
      store.create(workload(`job-${i}`));
      if (i % 10 === 5) {
        server.inject({ cutWatches: true });
      }
    }
    await agree();
    expect(changes.filter(({ type }) => type === 'added')).toHaveLength(40);
    expect(gaps).toEqual([]);
  });

  it('finds every deletion when history was forgotten meanwhile', async () => {
    for (let i = 0; i < 10; i += 1) {
      store.create(workload(`job-${i}`));
    }
    service.start();
    await inState('connected');
    await agree();
    server.inject({ refuse: true });
    await inState('unreachable');
    for (let i = 0; i < 5; i += 1) {
      store.delete('Workload', `job-${i}`, 'team-07');
    }
    store.create(workload('late'));
    server.inject({ cutWatches: true, compact: true, refuse: true });
    server.faults.clear();
    await inState('connected');
    await agree();
    expect(gaps).toContain('workloads');
    expect(
      changes.filter(({ type, gap }) => type === 'deleted' && gap),
    ).toHaveLength(5);
  });

  it('takes an expired token, an overloaded and a slow server as states', async () => {
    service.start();
    await inState('connected');
    server.inject({ unauthorized: true, cutWatches: true });
    await inState('unreachable', '401');
    server.faults.clear();
    await inState('connected');

    server.inject({ answer: { code: 503 }, cutWatches: true });
    await inState('unreachable', '503');
    server.faults.clear();
    await inState('connected');

    server.inject({ delayMilliseconds: 1_500 });
    await inState('unreachable', 'No answer within 1 s');
    server.faults.clear();
    await inState('connected');
    store.create(workload('after'));
    await agree();
    expect(changes.map(({ type }) => type)).toEqual(['added']);
  });
});
