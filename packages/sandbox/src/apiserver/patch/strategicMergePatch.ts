/* eslint-disable @typescript-eslint/no-explicit-any */
import { badRequest } from '../apiStatus';
import { sameTree } from '../frozenTree';

/**
 * Merge keys of lists by the name of their field (and its parent where the
 * name alone is not enough), from the `patchMergeKey` tags of core/v1,
 * batch/v1, apps/v1 and meta/v1. Lists not named here are replaced, as those
 * without `patchStrategy: merge` are (tolerations among them).
 */
const mergeKeys: Readonly<Record<string, string>> = {
  addresses: 'type',
  conditions: 'type',
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  podIPs: 'ip',
  resourceClaims: 'name',
  schedulingGates: 'name',
  secrets: 'name',
  taints: 'key',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

/** Lists of plain values that are merged as sets. */
const sets = new Set(['finalizers']);

/** Node taints replace each other; a pod's container ports merge, a Service's too. */
function mergeKey(
  field: string,
  parents: readonly string[],
): string | undefined {
  if (field === 'ports') {
    return parents.includes('containers') || parents.includes('initContainers')
      ? 'containerPort'
      : undefined;
  }
  return field in mergeKeys ? mergeKeys[field] : undefined;
}

const orderDirective = '$setElementOrder/';
const deleteDirective = '$deleteFromPrimitiveList/';
const retainKeys = '$retainKeys';

function isMap(value: unknown): value is Record<string, any> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Strategic merge patch of Kubernetes: a new value; neither argument is changed. Throws 400 for a malformed directive. */
export function strategicMergePatch(target: any, patch: any): any {
  return mergeMap(target, patch, []);
}

function mergeMap(target: any, patch: any, parents: readonly string[]): any {
  if (!isMap(patch)) {
    return patch;
  }
  if (patch.$patch === 'delete') {
    return undefined;
  }
  const { $patch: directive, [retainKeys]: retained, ...changes } = patch;
  if (directive === 'replace') {
    return stripDirectives(changes);
  }
  if (directive !== undefined && directive !== 'merge') {
    throw badRequest(`unknown patch type found: ${directive}`);
  }
  const result: Record<string, any> = isMap(target) ? { ...target } : {};
  if (retained !== undefined) {
    for (const key of Object.keys(result)) {
      if (!retained.includes(key)) {
        delete result[key];
      }
    }
  }
  for (const [key, change] of Object.entries(changes)) {
    if (key.startsWith(deleteDirective)) {
      const field = key.slice(deleteDirective.length);
      result[field] = (result[field] ?? []).filter(
        (entry: unknown) => !change.includes(entry),
      );
    } else if (key.startsWith('$')) {
      continue;
    } else if (change === null) {
      delete result[key];
    } else if (Array.isArray(change)) {
      result[key] = mergeList(result[key], change, key, parents);
    } else {
      const merged = mergeMap(result[key], change, [...parents, key]);
      if (merged === undefined) {
        delete result[key];
      } else {
        result[key] = merged;
      }
    }
  }
  for (const [key, order] of Object.entries(changes)) {
    if (key.startsWith(orderDirective)) {
      const field = key.slice(orderDirective.length);
      if (Array.isArray(result[field])) {
        result[field] = ordered(result[field], order, mergeKey(field, parents));
      }
    }
  }
  return result;
}

function mergeList(
  target: any,
  change: any[],
  field: string,
  parents: readonly string[],
): any[] {
  const old: any[] = Array.isArray(target) ? target : [];
  if (sets.has(field)) {
    return [...old, ...change.filter(entry => !old.includes(entry))];
  }
  const key = mergeKey(field, parents);
  const replaces = change.some(entry => entry?.$patch === 'replace');
  if (!key || replaces) {
    return change
      .filter(entry => entry?.$patch !== 'replace')
      .map(stripDirectives);
  }
  const result = [...old];
  for (const entry of change) {
    if (!isMap(entry) || entry[key] === undefined) {
      throw badRequest(
        `map: ${JSON.stringify(
          entry,
        )} does not contain declared merge key: ${key}`,
      );
    }
    const at = result.findIndex(one => one?.[key] === entry[key]);
    if (entry.$patch === 'delete') {
      if (at >= 0) {
        result.splice(at, 1);
      }
    } else if (at >= 0) {
      result[at] = mergeMap(result[at], entry, [...parents, field]);
    } else {
      result.push(mergeMap({}, entry, [...parents, field]));
    }
  }
  return result;
}

/** Puts entries named by `order` in that order; others keep their place after those they followed. */
function ordered(list: any[], order: any[], key: string | undefined): any[] {
  const rank = (entry: any) =>
    order.findIndex(one =>
      key ? one?.[key] === entry?.[key] : sameTree(one, entry),
    );
  const named = list
    .filter(entry => rank(entry) >= 0)
    .sort((a, b) => rank(a) - rank(b));
  return list.map(entry => (rank(entry) >= 0 ? named.shift() : entry));
}

function stripDirectives(value: any): any {
  if (Array.isArray(value)) {
    return value.map(stripDirectives);
  }
  if (!isMap(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !key.startsWith('$') && member !== null)
      .map(([key, member]) => [key, stripDirectives(member)]),
  );
}
