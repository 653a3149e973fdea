import type { ResourceType } from './objectStore';

const verbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** `/version`. */
export const versionInfo = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** `v1`, `batch/v1`. */
export function groupVersion(type: { group: string; version: string }): string {
  return type.group ? `${type.group}/${type.version}` : type.version;
}

/** By this `kubectl drain` knows that it may evict. */
const eviction = {
  name: 'pods/eviction',
  singularName: '',
  namespaced: true,
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  verbs: ['create'],
};

function resourceEntries(type: ResourceType) {
  const entry = {
    name: type.resource,
    singularName: type.kind.toLowerCase(),
    namespaced: type.namespaced,
    kind: type.kind,
    verbs,
    ...(type.shortNames && { shortNames: type.shortNames }),
    ...(type.categories && { categories: type.categories }),
  };
  const status = {
    name: `${type.resource}/status`,
    singularName: '',
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: ['get', 'patch', 'update'],
  };
  return [
    entry,
    ...(type.hasStatus ? [status] : []),
    ...(type.kind === 'Pod' ? [eviction] : []),
  ];
}

/** `/api/v1`, `/apis/<group>/<version>`; undefined when no such version is served. */
export function resourceList(
  types: readonly ResourceType[],
  group: string,
  version: string,
) {
  const served = types.filter(
    type => type.group === group && type.version === version,
  );
  if (served.length === 0) {
    return undefined;
  }
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: groupVersion({ group, version }),
    resources: served.flatMap(resourceEntries),
  };
}

/** `/api`. */
export const coreVersions = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [],
};

function groupsOf(types: readonly ResourceType[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { group, version } of types) {
    const versions = groups.get(group) ?? [];
    if (!versions.includes(version)) {
      groups.set(group, [...versions, version]);
    }
  }
  return groups;
}

/** `/apis/<group>`; undefined when it is not served. */
export function apiGroup(types: readonly ResourceType[], group: string) {
  const versions = groupsOf(types)
    .get(group)
    ?.map(version => ({
      groupVersion: groupVersion({ group, version }),
      version,
    }));
  return (
    versions && {
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: group,
      versions,
      preferredVersion: versions[0],
    }
  );
}

/** `/apis`. */
export function apiGroupList(types: readonly ResourceType[]) {
  const names = [...groupsOf(types).keys()].filter(Boolean);
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: names.map(name => {
      const { versions, preferredVersion } = apiGroup(types, name)!;
      return { name, versions, preferredVersion };
    }),
  };
}

/** Media type of aggregated discovery. */
export const aggregatedType =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `/api` (core true) or `/apis` as one document with every resource. */
export function aggregatedDiscovery(
  types: readonly ResourceType[],
  core: boolean,
) {
  const groups = [...groupsOf(types)].filter(
    ([name]) => (name === '') === core,
  );
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: { ...(group && { name: group }), creationTimestamp: null },
      versions: versions.map(version => ({
        version,
        freshness: 'Current',
        resources: types
          .filter(type => type.group === group && type.version === version)
          .map(aggregatedEntry),
      })),
    })),
  };
}

function aggregatedEntry(type: ResourceType) {
  const responseKind = {
    group: type.group,
    version: type.version,
    kind: type.kind,
  };
  return {
    resource: type.resource,
    responseKind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.kind.toLowerCase(),
    verbs,
    ...(type.shortNames && { shortNames: type.shortNames }),
    ...(type.categories && { categories: type.categories }),
    ...(type.hasStatus && {
      subresources: [
        {
          subresource: 'status',
          responseKind,
          verbs: ['get', 'patch', 'update'],
        },
      ],
    }),
  };
}
