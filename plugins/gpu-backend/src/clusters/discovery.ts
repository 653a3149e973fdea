import { ClusterApi, ClusterApiError } from './clusterApi';
import {
  FOLLOWED_RESOURCES,
  FollowedResource,
  RESOURCE_RULES,
} from './followedResources';

/** What an API server serves of what we follow. */
export interface Discovered {
  kubernetesVersion?: string;
  /** Version of kueue.x-k8s.io that we read; absent: Kueue is not installed, or too old. */
  kueueApiVersion?: string;
  /** Why there is no `kueueApiVersion`. */
  kueueMessage?: string;
  /** Served version by resource; what is not served is not in it. */
  versions: Partial<Record<FollowedResource, string>>;
}

interface ApiGroupList {
  groups?: Array<{
    name: string;
    versions: Array<{ version: string }>;
  }>;
}

interface ApiResourceList {
  resources?: Array<{ name: string }>;
}

/**
 * Asks an API server which of the followed resources it serves.
 *
 * @throws ClusterApiError when it cannot be asked.
 */
export async function discover(
  api: ClusterApi,
  signal?: AbortSignal,
): Promise<Discovered> {
  const [version, groups] = await Promise.all([
    api.get<{ gitVersion?: string }>('/version', { signal }),
    api.get<ApiGroupList>('/apis', { signal }),
  ]);
  // What is not served has no objects any more: only a list of groups says so.
  const served = new Map(
    entriesOf(groups.groups, '/apis').map(group => [
      group.name,
      group.versions.map(entry => entry.version),
    ]),
  );
  served.set('', ['v1']);

  // A group can be served without the one resource we look for.
  const resourcesOf = new Map<string, Promise<string[]>>();
  const resources = (group: string, groupVersion: string) => {
    const path = group
      ? `/apis/${group}/${groupVersion}`
      : `/api/${groupVersion}`;
    let list = resourcesOf.get(path);
    if (!list) {
      list = listResources(api, path, signal);
      resourcesOf.set(path, list);
    }
    return list;
  };

  const versions: Discovered['versions'] = {};
  await Promise.all(
    FOLLOWED_RESOURCES.map(async resource => {
      const rule = RESOURCE_RULES[resource];
      const understood = rule.versions.find(candidate =>
        served.get(rule.group)?.includes(candidate),
      );
      if (
        understood &&
        (await resources(rule.group, understood)).includes(resource)
      ) {
        versions[resource] = understood;
      }
    }),
  );
  return {
    kubernetesVersion: version.gitVersion,
    kueueApiVersion: versions.workloads,
    kueueMessage: versions.workloads
      ? undefined
      : kueueMessage(served.get('kueue.x-k8s.io')),
    versions,
  };
}

async function listResources(
  api: ClusterApi,
  path: string,
  signal?: AbortSignal,
): Promise<string[]> {
  try {
    const list = await api.get<ApiResourceList>(path, { signal });
    return entriesOf(list.resources, path).map(resource => resource.name);
  } catch (error) {
    if (error instanceof ClusterApiError && error.statusCode === 404) {
      return [];
    }
    throw error;
  }
}

function entriesOf<T>(entries: T[] | undefined, path: string): T[] {
  if (!Array.isArray(entries)) {
    throw new ClusterApiError(
      `The answer to GET ${path} is no list of what is served`,
    );
  }
  return entries;
}

function kueueMessage(versions: string[] | undefined): string {
  return versions
    ? `Kueue serves ${versions.join(
        ', ',
      )} of kueue.x-k8s.io; v1beta2 is needed (Kueue 0.16 or later)`
    : 'The API server does not serve kueue.x-k8s.io: Kueue is not installed';
}
