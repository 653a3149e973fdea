import { mockCredentials } from '@backstage/backend-test-utils';
import { NotAllowedError } from '@backstage/errors';
import {
  Cluster,
  DeviceClass,
  DeviceClassOffer,
  FitQuery,
  Queue,
} from '@gpuaas/backstage-plugin-gpu-common';
import { FitSnapshot } from '../clusters/clusterStore';
import { clusterFit } from './clusterFit';
import { FitService } from './fitService';

const FRESH = '2026-11-02T10:00:00Z';
const h100: DeviceClass = {
  id: 'nvidia-h100-80gb-hbm3',
  title: 'H100',
  vendor: 'nvidia',
  model: 'h100-80',
  form: {},
  resourceName: 'nvidia.com/gpu',
  shareNano: 1_000_000_000,
  vramMiB: 81_559,
  isolation: 'hardware',
  singleUnit: false,
  goodFor: [],
};
const shared: DeviceClass = {
  ...h100,
  id: 'nvidia-l40s.shared-4',
  title: 'L40S, 1 of 4',
  model: 'l40s',
  form: { replicas: 4, sharing: 'time-slicing' },
  resourceName: 'nvidia.com/gpu.shared',
  shareNano: 250_000_000,
  vramMiB: 11_517,
  isolation: 'none',
  singleUnit: true,
};
const offer = (
  deviceClass: DeviceClass,
  flavor: string,
  total: number,
  free = total,
): DeviceClassOffer => ({
  deviceClass,
  cluster: 'spoke-a',
  flavor,
  nodeLabels: { 'nvidia.com/gpu.product': flavor },
  nodes: 1,
  total,
  free,
  freshAt: FRESH,
});

const queue: Queue = {
  cluster: 'spoke-a',
  namespace: 'team-07',
  name: 'gpu',
  clusterQueue: 'team-07',
  cohort: 'department-1',
  owner: 'group:default/team-07',
  active: true,
  priorityClasses: [{ name: 'normal', value: 500 }],
  pendingWorkloads: 0,
  admittedWorkloads: 0,
  quotas: [],
  freshAt: FRESH,
};

const cluster: Cluster = {
  name: 'spoke-a',
  title: 'Spoke A',
  role: 'spoke',
  state: 'connected',
  since: FRESH,
  freshAt: FRESH,
  gpus: { physical: 8, usedNano: 0 },
};

const meta = (name: string, namespace?: string) => ({
  name,
  namespace,
  uid: `uid-${name}`,
  creationTimestamp: FRESH,
});

const quota = (train: number, dev: number, borrowingLimit?: number) => [
  {
    coveredResources: ['nvidia.com/gpu'],
    flavors: [
      {
        name: 'train',
        resources: [
          { name: 'nvidia.com/gpu', nominalQuota: train, borrowingLimit },
        ],
      },
    ],
  },
  {
    coveredResources: ['nvidia.com/gpu.shared'],
    flavors: [
      {
        name: 'dev',
        resources: [{ name: 'nvidia.com/gpu.shared', nominalQuota: dev }],
      },
    ],
  },
];

const flavor = (name: string) => ({
  metadata: meta(name),
  spec: { nodeLabels: { 'nvidia.com/gpu.product': name } },
});

/** team-07: 2 GPUs of its own, 2 more to be borrowed from team-08 of its cohort. */
function snapshot(more: Partial<FitSnapshot> = {}): FitSnapshot {
  return {
    cluster,
    freshAt: FRESH,
    resourceFlavors: [flavor('train'), flavor('dev')],
    clusterQueues: [
      {
        metadata: meta('team-07'),
        spec: {
          cohortName: 'department-1',
          namespaceSelector: {},
          resourceGroups: quota(2, 4, 2),
        },
      },
      {
        metadata: meta('team-08'),
        spec: {
          cohortName: 'department-1',
          namespaceSelector: {},
          resourceGroups: quota(4, 0),
        },
      },
    ],
    cohorts: [],
    localQueues: [
      {
        metadata: meta('gpu', 'team-07'),
        spec: { clusterQueue: 'team-07' },
      },
    ],
    workloadPriorityClasses: [],
    namespaces: [{ metadata: meta('team-07') }],
    workloads: [],
    offers: [offer(h100, 'train', 8), offer(shared, 'dev', 16)],
    ...more,
  };
}

/** A Workload of team-07 that holds so many GPUs. */
const held = (gpus: number) => ({
  metadata: meta('job-held', 'team-07'),
  spec: {
    queueName: 'gpu',
    podSets: [{ name: 'main', count: 1, template: { spec: {} } }],
  },
  status: {
    conditions: [
      { type: 'QuotaReserved', status: 'True', lastTransitionTime: FRESH },
      { type: 'Admitted', status: 'True', lastTransitionTime: FRESH },
    ],
    admission: {
      clusterQueue: 'team-07',
      podSetAssignments: [
        {
          name: 'main',
          flavors: { 'nvidia.com/gpu': 'train' },
          resourceUsage: { 'nvidia.com/gpu': String(gpus) },
          count: 1,
        },
      ],
    },
  },
});

const ask: FitQuery = {
  namespace: 'team-07',
  queue: 'gpu',
  deviceClass: h100.id,
  count: 1,
};

describe('clusterFit', () => {
  it('says now, with quota before and after', () => {
    expect(clusterFit(snapshot(), queue, { ...ask, count: 2 })).toMatchObject({
      verdict: 'now',
      reason: 'fits',
      units: 2,
      flavor: 'train',
      nodeLabels: { 'nvidia.com/gpu.product': 'train' },
      resourceName: 'nvidia.com/gpu',
      physicalNano: 2_000_000_000,
      poolShare: 0.25,
      before: { nominal: 2, used: 0, borrowed: 0, available: 4, potential: 4 },
      after: { nominal: 2, used: 2, borrowed: 0, available: 2 },
      borrows: 0,
      coveredResources: ['nvidia.com/gpu', 'nvidia.com/gpu.shared'],
    });
  });

  it('names what would be borrowed', () => {
    const answer = clusterFit(snapshot(), queue, { ...ask, count: 1, pods: 3 });
    expect(answer).toMatchObject({
      verdict: 'now',
      units: 3,
      borrows: 1,
      after: { used: 3, borrowed: 1 },
    });
    expect(answer.sentence).toBe(
      '3 × H100 would start now, 1 of them borrowed',
    );
  });

  it.each<[string, FitSnapshot, Queue, FitQuery, object]>([
    [
      'quota in use',
      snapshot({ workloads: [held(3)] }),
      queue,
      { ...ask, count: 2 },
      { verdict: 'later', reason: 'waits-for-quota' },
    ],
    [
      'more than it may ever hold',
      snapshot(),
      {
        ...queue,
        quotas: [
          {
            flavor: 'train',
            resource: h100.resourceName,
            nominal: 4,
            used: 0,
            borrowed: 0,
            available: 4,
            potential: 4,
          },
        ],
      },
      { ...ask, count: 5 },
      {
        verdict: 'never',
        reason: 'exceeds-maximum',
        sentence: expect.stringMatching(/^5 × .*; accepted: at most 4$/),
      },
    ],
    [
      'devices in use although quota is free',
      snapshot({ offers: [offer(h100, 'train', 8, 1)] }),
      queue,
      { ...ask, count: 2 },
      { verdict: 'later', reason: 'waits-for-devices' },
    ],
    [
      'more than there is',
      snapshot({ offers: [offer(h100, 'train', 1)] }),
      queue,
      { ...ask, count: 2 },
      { verdict: 'never', reason: 'exceeds-maximum' },
    ],
    [
      'several replicas of a shared GPU',
      snapshot(),
      queue,
      { ...ask, deviceClass: shared.id, count: 2 },
      { verdict: 'never', reason: 'shared-count' },
    ],
    [
      'one replica each for several pods',
      snapshot(),
      queue,
      { ...ask, deviceClass: shared.id, count: 1, pods: 3 },
      { verdict: 'now', physicalNano: 750_000_000 },
    ],
    [
      'a class nobody offers',
      snapshot(),
      queue,
      { ...ask, deviceClass: 'b200' },
      { verdict: 'never', reason: 'class-not-offered' },
    ],
    [
      'a class the queue has no quota for',
      snapshot({
        offers: [
          offer({ ...h100, id: 'x', resourceName: 'amd.com/gpu' }, 'x', 4),
        ],
      }),
      queue,
      { ...ask, deviceClass: 'x' },
      { verdict: 'never', reason: 'class-not-offered' },
    ],
    [
      'a flavor no label tells apart',
      snapshot({ offers: [{ ...offer(h100, 'train', 8), nodeLabels: {} }] }),
      queue,
      ask,
      {
        verdict: 'never',
        reason: 'class-not-offered',
        sentence: expect.stringContaining('Flavor train has no node label'),
      },
    ],
    [
      'a stopped queue',
      snapshot(),
      { ...queue, active: false, inactiveMessage: 'LocalQueue is stopped' },
      ask,
      { verdict: 'later', reason: 'queue-stopped' },
    ],
    [
      'a priority class of others',
      snapshot(),
      queue,
      { ...ask, priorityClass: 'high' },
      {
        verdict: 'never',
        reason: 'priority-not-allowed',
        sentence: expect.stringContaining('accepted: normal'),
      },
    ],
    [
      'a fraction: the smallest class that gives it',
      snapshot(),
      queue,
      {
        ...ask,
        deviceClass: undefined,
        fraction: { corePercent: 20, vramMiB: 8_000 },
      },
      { verdict: 'now', deviceClass: shared.id, physicalNano: 250_000_000 },
    ],
    [
      'a fraction nothing gives',
      snapshot(),
      queue,
      {
        ...ask,
        deviceClass: undefined,
        fraction: { corePercent: 20, vramMiB: 200_000 },
      },
      { verdict: 'never', reason: 'class-not-offered' },
    ],
  ])('%s', (_, picture, of, query, expected) => {
    expect(clusterFit(picture, of, query)).toMatchObject(expected);
  });
});

describe('FitService', () => {
  const credentials = mockCredentials.user();
  const other: Cluster = { ...cluster, name: 'spoke-b', title: 'Spoke B' };

  function service(
    snapshots: Record<string, FitSnapshot | undefined>,
    refused: string[] = [],
    clusters: Cluster[] = [cluster, other],
  ) {
    return new FitService({
      clusters: {
        listClusters: async () => clusters,
        getQueue: async name =>
          name in snapshots ? { ...queue, cluster: name } : undefined,
        snapshotForFit: async name => snapshots[name],
      },
      access: {
        requireQueueUse: async (_, { cluster: name }) => {
          if (refused.includes(name)) {
            throw new NotAllowedError(`queue on ${name} is another team's`);
          }
        },
      },
    });
  }

  it('takes the cluster that can start it first', async () => {
    const full = snapshot({ workloads: [held(4)] });
    const free = snapshot({ cluster: other });
    const answer = await service({ 'spoke-a': full, 'spoke-b': free }).answer(
      ask,
      credentials,
    );
    expect(answer).toMatchObject({ verdict: 'now', cluster: 'spoke-b' });
    expect(
      await service({ 'spoke-a': full, 'spoke-b': free }).answer(
        { ...ask, cluster: 'spoke-a' },
        credentials,
      ),
    ).toMatchObject({ verdict: 'later', cluster: 'spoke-a' });
  });

  it('answers the same picture the same, whatever was asked of it before', async () => {
    const one = service({ 'spoke-a': snapshot({ workloads: [held(4)] }) });
    const questions = [ask, { ...ask, count: 1 }, { ...ask, count: 8 }, ask];
    const answers = [];
    for (const question of [...questions, ...questions]) {
      answers.push(await one.answer(question, credentials));
    }
    expect(answers.slice(4)).toEqual(answers.slice(0, 4));
    expect(answers[3]).toEqual(answers[0]);
  });

  it('refuses the queue of another team', async () => {
    await expect(
      service({ 'spoke-a': snapshot() }, ['spoke-a']).answer(ask, credentials),
    ).rejects.toThrow(NotAllowedError);
  });

  it('knows a missing queue from a cluster it has not read', async () => {
    expect(await service({}).answer(ask, credentials)).toMatchObject({
      verdict: 'never',
      reason: 'queue-missing',
    });
    await expect(
      service({}, [], [{ ...cluster, freshAt: undefined }]).answer(
        ask,
        credentials,
      ),
    ).rejects.toThrow(/never read/);
    expect(
      await service({}).answer({ ...ask, cluster: 'moon' }, credentials),
    ).toMatchObject({
      reason: 'cluster-unknown',
      sentence: expect.stringContaining('accepted: spoke-a, spoke-b'),
    });
  });
});
