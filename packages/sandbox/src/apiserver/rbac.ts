import { ApiStatusError } from './apiStatus';
import { mastersGroup, type UserInfo } from './authentication';
import type { KubernetesObject, ObjectStore } from './objectStore';

/** One thing somebody wants to do. */
export interface Attributes {
  verb: string;
  /** For resources; a path otherwise. */
  group?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  path?: string;
}

interface Rule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

function covers(allowed: string[] | undefined, wanted: string): boolean {
  return allowed?.some(one => one === '*' || one === wanted) ?? false;
}

function pathCovered(allowed: string[] | undefined, path: string): boolean {
  return (
    allowed?.some(one =>
      one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : one === path,
    ) ?? false
  );
}

function ruleAllows(rule: Rule, wanted: Attributes): boolean {
  if (!covers(rule.verbs, wanted.verb)) {
    return false;
  }
  if (wanted.path !== undefined) {
    return pathCovered(rule.nonResourceURLs, wanted.path);
  }
  const { group = '', resource = '', subresource, name } = wanted;
  const full = subresource ? `${resource}/${subresource}` : resource;
  const named =
    !rule.resourceNames?.length ||
    (name !== undefined && rule.resourceNames.includes(name));
  return (
    covers(rule.apiGroups, group) &&
    (covers(rule.resources, full) ||
      (subresource !== undefined &&
        covers(rule.resources, `*/${subresource}`))) &&
    named
  );
}

function isSubject(binding: KubernetesObject, user: UserInfo): boolean {
  return (binding.subjects ?? []).some(
    (subject: { kind: string; name: string; namespace?: string }) => {
      switch (subject.kind) {
        case 'User':
          return subject.name === user.name;
        case 'Group':
          return user.groups.includes(subject.name);
        case 'ServiceAccount': {
          const namespace = subject.namespace ?? binding.metadata.namespace;
          return (
            user.name === `system:serviceaccount:${namespace}:${subject.name}`
          );
        }
        default:
          return false;
      }
    },
  );
}

function rulesOf(store: ObjectStore, binding: KubernetesObject): Rule[] {
  const { kind, name } = binding.roleRef ?? {};
  const role =
    kind === 'ClusterRole'
      ? store.get('ClusterRole', name)
      : store.get('Role', name, binding.metadata.namespace);
  return role?.rules ?? [];
}

/** Whether the roles bound in the store let a user do something; system:masters may do everything. */
export function isAllowed(
  store: ObjectStore,
  user: UserInfo,
  wanted: Attributes,
): boolean {
  if (user.groups.includes(mastersGroup)) {
    return true;
  }
  const bindings = [
    ...store.list('ClusterRoleBinding'),
    ...(wanted.namespace
      ? store.list('RoleBinding', { namespace: wanted.namespace })
      : []),
  ];
  return bindings.some(
    binding =>
      isSubject(binding, user) &&
      rulesOf(store, binding).some(rule => ruleAllows(rule, wanted)),
  );
}

/** Throws 403 in the words of the API server unless `isAllowed`. */
export function authorize(
  store: ObjectStore,
  user: UserInfo,
  wanted: Attributes,
): void {
  if (isAllowed(store, user, wanted)) {
    return;
  }
  const { verb, path, group = '', resource = '', subresource, name } = wanted;
  if (path !== undefined) {
    throw new ApiStatusError({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: User "${user.name}" cannot ${verb} path "${path}"`,
      details: {},
    });
  }
  const full = subresource ? `${resource}/${subresource}` : resource;
  const qualified = group ? `${resource}.${group}` : resource;
  const scope = wanted.namespace
    ? `in the namespace "${wanted.namespace}"`
    : 'at the cluster scope';
  throw new ApiStatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified}${name ? ` "${name}"` : ''} is forbidden: User "${
      user.name
    }" cannot ${verb} resource "${full}" in API group "${group}" ${scope}`,
    details: {
      ...(name && { name }),
      ...(group && { group }),
      kind: resource,
    },
  });
}
