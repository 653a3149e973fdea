import { KubernetesObject } from '../apiserver/objectStore';
import { ClusterName, gpuResourcesOf, layoutsOf } from './layouts';
import { layoutQuota } from './quota';
import { departments, priorityClasses, Team, teams } from './teams';

const kueue = 'kueue.x-k8s.io/v1beta2';

/** Root of the cohort tree. */
export const rootCohort = 'fleet';
/** Name of the LocalQueue in every team namespace. */
export const localQueueName = 'gpu';

// GPUs are what teams share. CPU and memory are covered, so that ordinary Jobs
// are admitted at all, with quota that never decides anything.
const ampleCpu = '1000';
const ampleMemory = '8Ti';

export function resourceFlavorsOf(cluster: ClusterName): KubernetesObject[] {
  return layoutsOf(cluster).map(layout => ({
    apiVersion: kueue,
    kind: 'ResourceFlavor',
    metadata: {
      name: layout.name,
      labels: { 'gpuaas.io/pool': layout.pool },
      annotations: {
        'gpuaas.io/description': layout.description,
        'gpuaas.io/good-for': layout.goodFor,
      },
    },
    spec: { nodeLabels: { ...layout.nodeLabels } },
  }));
}

/** Departments under the root, which holds what no team owns. */
export function cohortsOf(cluster: ClusterName): KubernetesObject[] {
  const resources = gpuResourcesOf(cluster);
  if (resources.length === 0) {
    return [];
  }
  return [
    {
      apiVersion: kueue,
      kind: 'Cohort',
      metadata: { name: rootCohort },
      spec: {
        resourceGroups: [
          {
            coveredResources: resources,
            flavors: layoutsOf(cluster).map(layout => {
              const quota = layoutQuota(layout, cluster, teams);
              return {
                name: layout.name,
                resources: resources.map(name => ({
                  name,
                  nominalQuota: String(quota[name]?.root ?? 0),
                })),
              };
            }),
          },
        ],
      },
    },
    ...departments.map(name => ({
      apiVersion: kueue,
      kind: 'Cohort',
      metadata: { name },
      spec: { parentName: rootCohort },
    })),
  ];
}

function clusterQueue(cluster: ClusterName, team: Team): KubernetesObject {
  const gpuResources = gpuResourcesOf(cluster);
  return {
    apiVersion: kueue,
    kind: 'ClusterQueue',
    metadata: {
      name: team.name,
      annotations: { 'gpuaas.io/owner': `group:default/${team.name}` },
    },
    spec: {
      cohortName: team.department,
      namespaceSelector: {
        matchLabels: { 'kubernetes.io/metadata.name': team.name },
      },
      queueingStrategy: 'BestEffortFIFO',
      preemption: {
        reclaimWithinCohort: 'Any',
        withinClusterQueue: 'LowerPriority',
      },
      fairSharing: { weight: String(team.weight) },
      resourceGroups: [
        {
          coveredResources: ['cpu', 'memory', ...gpuResources],
          flavors: layoutsOf(cluster).map(layout => {
            const quota = layoutQuota(layout, cluster, teams);
            return {
              name: layout.name,
              resources: [
                { name: 'cpu', nominalQuota: ampleCpu },
                { name: 'memory', nominalQuota: ampleMemory },
                ...gpuResources.map(name => ({
                  name,
                  nominalQuota: String(quota[name]?.nominal[team.name] ?? 0),
                  ...(!team.lends && { lendingLimit: '0' }),
                })),
              ],
            };
          }),
        },
      ],
    },
  };
}

/** One ClusterQueue a team on clusters that have GPUs. */
export function clusterQueuesOf(cluster: ClusterName): KubernetesObject[] {
  return layoutsOf(cluster).length === 0
    ? []
    : teams.map(team => clusterQueue(cluster, team));
}

export function localQueuesOf(cluster: ClusterName): KubernetesObject[] {
  return layoutsOf(cluster).length === 0
    ? []
    : teams.map(team => ({
        apiVersion: kueue,
        kind: 'LocalQueue',
        metadata: {
          name: localQueueName,
          namespace: team.name,
          annotations: {
            'gpuaas.io/owner': `group:default/${team.name}`,
            'gpuaas.io/priority-classes': team.priorityClasses.join(','),
          },
        },
        spec: { clusterQueue: team.name },
      }));
}

export function workloadPriorityClasses(): KubernetesObject[] {
  return priorityClasses.map(({ name, value, description }) => ({
    apiVersion: kueue,
    kind: 'WorkloadPriorityClass',
    metadata: { name },
    value,
    description,
  }));
}
