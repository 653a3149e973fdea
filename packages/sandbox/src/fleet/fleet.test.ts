import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogFiles } from './catalog';
import { clusterObjects } from './clusterObjects';
import {
  clusterNames,
  layouts,
  layoutsOf,
  poolUnits,
  spokeNames,
} from './layouts';
import { nodesOf } from './nodes';
import { cohortsOf, clusterQueuesOf, localQueuesOf } from './queues';
import { departments, teams } from './teams';

const at = '2026-01-05T08:00:00Z';

describe('the reference fleet', () => {
  it('has 480 GPUs on 60 servers of eight', () => {
    const nodes = spokeNames.flatMap(cluster => nodesOf(cluster, at));
    expect(nodes).toHaveLength(60);
    const devices = nodes.flatMap(node =>
      JSON.parse(node.metadata.annotations!['sandbox.gpuaas.io/devices']),
    );
    expect(devices).toHaveLength(480);
    expect(new Set(devices.map(device => device.uuid)).size).toBe(480);
  });

  it('splits the A100 layouts evenly and keeps H100 and L40S on one spoke', () => {
    const servers = (cluster: 'spoke-a' | 'spoke-b') =>
      layoutsOf(cluster).map(layout => [layout.name, layout.servers[cluster]]);
    expect(servers('spoke-a')).toEqual([
      ['h100', 16],
      ['a100-mig-1g', 6],
      ['a100-mig-3g', 4],
      ['a100-mig-balanced', 4],
    ]);
    expect(servers('spoke-b')).toEqual([
      ['a100-mig-1g', 6],
      ['a100-mig-3g', 4],
      ['a100-mig-balanced', 4],
      ['l40s-shared', 16],
    ]);
  });

  it.each([
    ['spoke-a-h100-01', { 'nvidia.com/gpu': '8' }],
    ['spoke-a-a100-mig-1g-01', { 'nvidia.com/mig-1g.10gb': '56' }],
    ['spoke-b-a100-mig-3g-04', { 'nvidia.com/mig-3g.40gb': '16' }],
    [
      'spoke-b-a100-mig-balanced-01',
      {
        'nvidia.com/mig-1g.10gb': '16',
        'nvidia.com/mig-2g.20gb': '8',
        'nvidia.com/mig-3g.40gb': '8',
      },
    ],
    ['spoke-b-l40s-shared-16', { 'nvidia.com/gpu.shared': '32' }],
  ])('%s offers %p', (name, resources) => {
    const node = spokeNames
      .flatMap(cluster => nodesOf(cluster, at))
      .find(candidate => candidate.metadata.name === name)!;
    const gpus = Object.fromEntries(
      Object.entries(node.status.allocatable).filter(([key]) =>
        key.startsWith('nvidia.com/'),
      ),
    );
    expect(gpus).toEqual(resources);
  });

  it('gives every flavor labels that pick exactly its own nodes', () => {
    for (const cluster of spokeNames) {
      for (const layout of layoutsOf(cluster)) {
        const picked = nodesOf(cluster, at).filter(node =>
          Object.entries(layout.nodeLabels).every(
            ([key, value]) => node.metadata.labels![key] === value,
          ),
        );
        expect(picked).toHaveLength(layout.servers[cluster]!);
        expect(
          picked.every(node => node.metadata.name.includes(layout.name)),
        ).toBe(true);
      }
    }
  });

  it('keeps label values within what Kubernetes accepts', () => {
    for (const cluster of clusterNames) {
      for (const object of clusterObjects(cluster, at)) {
        for (const value of Object.values(object.metadata.labels ?? {})) {
          expect(value).toMatch(
            /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/,
          );
        }
      }
    }
  });

  it('gives out every unit of every pool, no more and no less', () => {
    for (const cluster of spokeNames) {
      const root = cohortsOf(cluster)[0].spec.resourceGroups[0];
      for (const layout of layoutsOf(cluster)) {
        for (const [resource, units] of Object.entries(
          poolUnits(layout, cluster),
        )) {
          const quotaIn = (group: any) =>
            Number(
              group.flavors
                .find((flavor: any) => flavor.name === layout.name)
                .resources.find((entry: any) => entry.name === resource)
                .nominalQuota,
            );
          const nominal = clusterQueuesOf(cluster).reduce(
            (sum, queue) => sum + quotaIn(queue.spec.resourceGroups[0]),
            0,
          );
          expect(nominal + quotaIn(root)).toBe(units);
        }
      }
    }
  });

  it('lists resources of every flavor in the order of coveredResources', () => {
    for (const cluster of spokeNames) {
      for (const queue of clusterQueuesOf(cluster)) {
        const [group] = queue.spec.resourceGroups;
        expect(group.flavors.length).toBe(layoutsOf(cluster).length);
        for (const flavor of group.flavors) {
          expect(flavor.resources.map((entry: any) => entry.name)).toEqual(
            group.coveredResources,
          );
        }
      }
    }
  });

  it('lets two teams a department keep their quota, and two use high', () => {
    const perDepartment = (pick: (team: (typeof teams)[number]) => boolean) =>
      new Set(
        departments.map(
          department =>
            teams.filter(team => team.department === department && pick(team))
              .length,
        ),
      );
    expect(perDepartment(team => !team.lends)).toEqual(new Set([2]));
    expect(
      perDepartment(team => team.priorityClasses.includes('high')),
    ).toEqual(new Set([2]));
    const team07 = localQueuesOf('spoke-a').find(
      queue => queue.metadata.namespace === 'team-07',
    )!;
    expect(team07.metadata.annotations).toEqual({
      'gpuaas.io/owner': 'group:default/team-07',
      'gpuaas.io/priority-classes': 'low,normal',
    });
  });

  it('has no GPUs and no queues on the hub', () => {
    expect(
      clusterObjects('hub', at).filter(object =>
        ['ClusterQueue', 'LocalQueue', 'ResourceFlavor', 'Cohort'].includes(
          object.kind,
        ),
      ),
    ).toEqual([]);
    expect(layouts.every(layout => poolUnits(layout, 'hub'))).toBe(true);
    expect(JSON.stringify(nodesOf('hub', at))).not.toContain('nvidia.com');
  });

  it('is the same every time', () => {
    expect(clusterObjects('spoke-a', at)).toEqual(
      clusterObjects('spoke-a', at),
    );
  });

  it.each(Object.entries(catalogFiles()))(
    'agrees with catalog/%s (run src/fleet/writeCatalog.ts after a change)',
    (name, content) => {
      const committed = readFileSync(
        resolve(__dirname, '../../catalog', name),
        'utf8',
      );
      expect(committed).toBe(content);
    },
  );
});
