import { mockServices } from '@backstage/backend-test-utils';
import { ClusterConfig } from '../clusterConfig';
import { Change, ClusterObserver, ObservedWorkload } from '../clusterObserver';
import { ClusterService, ClusterServiceOptions } from '../clusterService';
import { FakeCluster } from './FakeCluster';
import {
  clusterQueue,
  flavor,
  localQueue,
  namespace,
  node,
  priorityClass,
} from './objects';
import { until } from './until';

export const SPOKE: ClusterConfig = {
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

/** Replicas of a test; stops them all. */
export class Replicas {
  private readonly running: ClusterService[] = [];

  start(
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
    this.running.push(service);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map(service => service.stop()));
  }
}

/** A cluster with one team, one node of 8 GPUs and nothing to do. */
export function cluster(): FakeCluster {
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

export async function connected({ store }: ClusterService) {
  return until(
    async () =>
      (await store.listClusters()).find(({ state }) => state === 'connected'),
    'connected',
  );
}

/** Keeps what it is told. */
export function observer(): ClusterObserver & {
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
