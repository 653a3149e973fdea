import { fromKueueObjects } from './fromKueueObjects';
import { KueueObjects, KueuePodSpec, KueueWorkload } from './kueueObjects';
import { willItFit } from './fit';
import { podRequests } from './podRequests';
import { readClusterQueue } from './readQueues';

const GPU = 'nvidia.com/gpu';

function workload(
  name: string,
  rest: Partial<KueueWorkload['spec']> = {},
  status?: KueueWorkload['status'],
): KueueWorkload {
  return {
    metadata: {
      name,
      namespace: 'team-07',
      uid: `uid-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      queueName: 'gpu',
      podSets: [
        {
          name: 'main',
          count: 2,
          template: {
            spec: {
              containers: [
                {
                  resources: {
                    requests: { cpu: '500m' },
                    limits: { [GPU]: 1 },
                  },
                },
              ],
            },
          },
        },
      ],
      ...rest,
    },
    status,
  };
}

function reserved(count: number): KueueWorkload['status'] {
  return {
    conditions: [{ type: 'QuotaReserved', status: 'True' }],
    admission: {
      clusterQueue: 'team-07',
      podSetAssignments: [
        {
          name: 'main',
          count,
          flavors: { cpu: 'h100', [GPU]: 'h100' },
          resourceUsage: { cpu: `${count * 500}m`, [GPU]: count },
        },
      ],
    },
  };
}

function objects(workloads: KueueWorkload[]): KueueObjects {
  return {
    clusterQueues: [
      {
        metadata: { name: 'team-07' },
        spec: {
          cohortName: 'department-1',
          namespaceSelector: {},
          resourceGroups: [
            {
              coveredResources: ['cpu', GPU],
              flavors: [
                {
                  name: 'h100',
                  resources: [
                    { name: 'cpu', nominalQuota: '10' },
                    { name: GPU, nominalQuota: 4, borrowingLimit: '2' },
                  ],
                },
              ],
            },
          ],
        },
      },
    ],
    cohorts: [
      {
        metadata: { name: 'department-1' },
        spec: {
          resourceGroups: [
            {
              coveredResources: [GPU],
              flavors: [
                { name: 'h100', resources: [{ name: GPU, nominalQuota: '8' }] },
              ],
            },
          ],
        },
      },
    ],
    resourceFlavors: [{ metadata: { name: 'h100' } }],
    localQueues: [
      {
        metadata: { name: 'gpu', namespace: 'team-07' },
        spec: { clusterQueue: 'team-07' },
      },
      {
        metadata: { name: 'held', namespace: 'team-07' },
        spec: { clusterQueue: 'team-07', stopPolicy: 'Hold' },
      },
    ],
    workloads,
  };
}

describe('fromKueueObjects', () => {
  it('counts what holds quota and queues what waits', () => {
    const engine = fromKueueObjects(
      objects([
        workload('running', {}, reserved(2)),
        workload('waiting'),
        workload('inactive', { active: false }),
        workload('stopped', { queueName: 'held' }),
        workload('lost', { queueName: 'nowhere' }),
        workload(
          'gated',
          {},
          {
            conditions: [
              {
                type: 'QuotaReserved',
                status: 'False',
                reason: 'AdmissionGated',
              },
            ],
          },
        ),
        workload(
          'backing-off',
          {},
          {
            conditions: [{ type: 'Requeued', status: 'False' }],
          },
        ),
        workload(
          'done',
          {},
          {
            ...reserved(2),
            conditions: [
              { type: 'QuotaReserved', status: 'True' },
              { type: 'Finished', status: 'True' },
            ],
          },
        ),
      ]),
    );
    expect(engine.quota('team-07', 'h100', GPU)).toEqual({
      nominal: 4,
      borrowingLimit: 2,
      subtreeQuota: 4,
      usage: 2,
      available: 4,
      potential: 6,
    });
    expect(engine.quota('team-07', 'h100', 'cpu')).toMatchObject({
      nominal: 10_000,
      usage: 1000,
    });
    expect(engine.pending('team-07')).toEqual([
      {
        uid: 'uid-waiting',
        clusterQueue: 'team-07',
        priority: 0,
        timestamp: 1_767_225_600,
        podSets: [{ name: 'main', count: 2, requests: { cpu: 500, [GPU]: 1 } }],
      },
    ]);
  });

  it('frees what finished pods and a scale-down gave back', () => {
    const engine = fromKueueObjects(
      objects([
        workload(
          'reclaimed',
          {},
          {
            ...reserved(2),
            reclaimablePods: [{ name: 'main', count: 1 }],
          },
        ),
        workload('scaled', {}, reserved(3)),
      ]),
    );
    // 1 left of 2, and min(2 wanted, 3 given).
    expect(engine.quota('team-07', 'h100', GPU)).toMatchObject({ usage: 3 });
  });

  it('answers will-it-fit behind those who wait', () => {
    const engine = fromKueueObjects(
      objects([workload('running', {}, reserved(2)), workload('waiting')]),
    );
    const ask = (count: number) =>
      willItFit(engine, {
        clusterQueue: 'team-07',
        priority: 0,
        podSets: [{ name: 'main', count, requests: { [GPU]: 1 } }],
      });
    expect(
      [ask(2), ask(3), ask(7)].map(({ verdict, reason }) => [verdict, reason]),
    ).toEqual([
      ['now', 'fits'],
      ['later', 'waits-behind-others'],
      ['never', 'exceeds-maximum'],
    ]);
  });

  it('takes a null namespaceSelector as none and a False Active condition as inactive', () => {
    expect(
      readClusterQueue({
        metadata: { name: 'q' },
        spec: {},
        status: {
          conditions: [
            { type: 'Active', status: 'False', message: 'flavor missing' },
          ],
        },
      }),
    ).toMatchObject({ namespaceSelector: null, inactive: 'flavor missing' });
  });
});

describe('podRequests', () => {
  it.each<[string, KueuePodSpec, Record<string, number>]>([
    ['nothing', {}, {}],
    [
      'limits where requests are missing',
      {
        containers: [
          {
            resources: {
              requests: { cpu: '1' },
              limits: { cpu: '2', memory: '1Gi' },
            },
          },
        ],
      },
      { cpu: 1000, memory: 1_073_741_824 },
    ],
    [
      'the largest init step, with sidecars started before it, and overhead',
      {
        containers: [{ resources: { requests: { cpu: '1' } } }],
        initContainers: [
          { resources: { requests: { cpu: '3' } } },
          { restartPolicy: 'Always', resources: { requests: { cpu: '500m' } } },
          { resources: { requests: { cpu: '2800m' } } },
        ],
        overhead: { cpu: '100m' },
      },
      { cpu: 3400 },
    ],
    [
      'what the pod as a whole asks for, its devices aside',
      {
        containers: [
          { resources: { requests: { cpu: '1', 'nvidia.com/gpu': '1' } } },
          { resources: { requests: { cpu: '1' } } },
        ],
        resources: {
          requests: { cpu: '3', 'nvidia.com/gpu': '9' },
          limits: { cpu: '4', memory: '1Ki' },
        },
        overhead: { cpu: '100m' },
      },
      { cpu: 3100, memory: 1024, 'nvidia.com/gpu': 1 },
    ],
    [
      'fractions of whole units rounded up',
      { containers: [{ resources: { requests: { memory: '1500m' } } }] },
      { memory: 2 },
    ],
  ])('%s', (_, pod, expected) => {
    expect(podRequests(pod)).toEqual(expected);
  });
});
