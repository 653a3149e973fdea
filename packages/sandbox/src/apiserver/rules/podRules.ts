/* eslint-disable @typescript-eslint/no-explicit-any */
import type { FieldError } from '../apiStatus';
import { cloneTree, sameTree } from '../frozenTree';
import type { KindRules } from '../kindRules';
import type { KubernetesObject } from '../objectStore';
import { defaultPodSpec, podSpecErrors } from './podSpec';

function qosClass(pod: KubernetesObject): string {
  const resources = (pod.spec.containers ?? []).map(
    (container: any) => container.resources ?? {},
  );
  const named = (part: 'requests' | 'limits') =>
    resources.map((one: any) => one[part] ?? {});
  const has = (quantities: any) => quantities.cpu || quantities.memory;
  if (!named('requests').some(has) && !named('limits').some(has)) {
    return 'BestEffort';
  }
  const guaranteed = resources.every((one: any) =>
    ['cpu', 'memory'].every(
      name => one.limits?.[name] && one.requests?.[name] === one.limits[name],
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function prepareCreate(pod: KubernetesObject): void {
  pod.spec ??= {};
  defaultPodSpec(pod.spec);
  pod.spec.serviceAccountName ??= 'default';
  pod.spec.enableServiceLinks ??= true;
  for (const list of [pod.spec.initContainers, pod.spec.containers]) {
    for (const container of Array.isArray(list) ? list : []) {
      const { limits, requests } = container.resources;
      if (limits) {
        container.resources.requests = { ...limits, ...requests };
      }
    }
  }
  pod.status = { phase: 'Pending', qosClass: qosClass(pod) };
}

/** The spec with the old values of what may change. A binding sets nodeName once. */
function frozenPart(spec: any, old: any): any {
  const copy = cloneTree(spec);
  for (const field of [
    'activeDeadlineSeconds',
    'tolerations',
    'terminationGracePeriodSeconds',
    'schedulingGates',
  ]) {
    if (old[field] === undefined) {
      delete copy[field];
    } else {
      copy[field] = cloneTree(old[field]);
    }
  }
  if (!old.nodeName) {
    delete copy.nodeName;
  }
  (copy.containers ?? []).forEach((container: any, index: number) => {
    if (old.containers?.[index]) {
      container.image = old.containers[index].image;
    }
  });
  return copy;
}

function validateUpdate(
  pod: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  if (sameTree(frozenPart(pod.spec, old.spec), old.spec)) {
    return [];
  }
  return [
    {
      reason: 'FieldValueForbidden',
      field: 'spec',
      message:
        'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    },
  ];
}

/** core/v1 Pod: defaults, validation and what stays fixed. */
export const podRules: KindRules = {
  prepareCreate,
  prepareUpdate: pod => {
    pod.spec ??= {};
    defaultPodSpec(pod.spec);
  },
  validate: pod => podSpecErrors('spec', pod.spec),
  validateUpdate,
};
