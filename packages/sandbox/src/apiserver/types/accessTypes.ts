import type { KubernetesObject, ResourceType } from '../objectStore';
import { age, text } from './columns';

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };

const createdAt = text(
  'Created At',
  object => object.metadata.creationTimestamp,
);

function roleOf(binding: KubernetesObject): string {
  return `${binding.roleRef?.kind}/${binding.roleRef?.name}`;
}

/** Kinds of role-based access control, and what defines kinds. */
export const accessTypes: readonly ResourceType[] = [
  {
    ...rbac,
    resource: 'clusterroles',
    kind: 'ClusterRole',
    namespaced: false,
    columns: [createdAt],
  },
  {
    ...rbac,
    resource: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
    columns: [text('Role', roleOf), age],
  },
  {
    ...rbac,
    resource: 'roles',
    kind: 'Role',
    namespaced: true,
    columns: [createdAt],
  },
  {
    ...rbac,
    resource: 'rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
    columns: [text('Role', roleOf), age],
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    hasStatus: true,
    generation: true,
    columns: [createdAt],
  },
];
