import type { KubernetesObject, ObjectStore } from './objectStore';

const rbac = 'rbac.authorization.k8s.io';

function role(name: string, rules: object[]): KubernetesObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: {
      name,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    },
    rules,
  };
}

function binding(name: string, groups: string[]): KubernetesObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: {
      name,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: groups.map(group => ({
      apiGroup: rbac,
      kind: 'Group',
      name: group,
    })),
  };
}

function namespace(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

const everybody = ['system:authenticated', 'system:unauthenticated'];

const objects: KubernetesObject[] = [
  namespace('default'),
  namespace('kube-system'),
  role('cluster-admin', [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]),
  binding('cluster-admin', ['system:masters']),
  role('system:discovery', [
    {
      verbs: ['get'],
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ],
    },
  ]),
  binding('system:discovery', ['system:authenticated']),
  role('system:basic-user', [
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews'],
    },
  ]),
  binding('system:basic-user', ['system:authenticated']),
  role('system:public-info-viewer', [
    {
      verbs: ['get'],
      nonResourceURLs: [
        '/healthz',
        '/livez',
        '/readyz',
        '/version',
        '/version/',
      ],
    },
  ]),
  binding('system:public-info-viewer', everybody),
];

/** Creates what every cluster begins with, where it is missing: first namespaces, and who may discover. */
export function bootstrapPolicy(store: ObjectStore): void {
  for (const object of objects) {
    if (!store.get(object.kind, object.metadata.name)) {
      store.create(object);
    }
  }
}
