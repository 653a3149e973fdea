import { KubernetesObject } from '../apiserver/objectStore';
import { ClusterName } from './layouts';
import { nodesOf } from './nodes';
import {
  clusterQueuesOf,
  cohortsOf,
  localQueuesOf,
  resourceFlavorsOf,
  workloadPriorityClasses,
} from './queues';
import { teams } from './teams';

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'gpuaas'];

function namespace(
  name: string,
  annotations?: Record<string, string>,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: { 'kubernetes.io/metadata.name': name },
      ...(annotations && { annotations }),
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

/** System namespaces, then one a team, the same on every cluster. */
function namespacesOf(cluster: ClusterName): KubernetesObject[] {
  const operators =
    cluster === 'hub' ? ['argocd', 'developer-hub'] : ['gpu-operator'];
  return [
    ...[...systemNamespaces, ...operators, 'kueue-system'].map(name =>
      namespace(name),
    ),
    ...teams.map(team =>
      namespace(team.name, {
        'gpuaas.io/owner': `group:default/${team.name}`,
      }),
    ),
  ];
}

/**
 * Everything a cluster of the fleet has before anybody asks for a GPU, in an
 * order that can be created one by one.
 *
 * @param createdAt - RFC 3339 stamp of the nodes' conditions
 */
export function clusterObjects(
  cluster: ClusterName,
  createdAt: string,
): KubernetesObject[] {
  return [
    ...namespacesOf(cluster),
    ...nodesOf(cluster, createdAt),
    ...workloadPriorityClasses(),
    ...resourceFlavorsOf(cluster),
    ...cohortsOf(cluster),
    ...clusterQueuesOf(cluster),
    ...localQueuesOf(cluster),
  ];
}
