/* eslint-disable @typescript-eslint/no-explicit-any */
import { cloneTree, sameTree } from '../apiserver/frozenTree';
import { KubernetesObject } from '../apiserver/objectStore';
import {
  clusterQueueLabel,
  localQueueLabel,
  podSetLabel,
  workloadAnnotation,
} from './names';

/**
 * Adds to a Job's pod template (a private copy) what its admission decided:
 * node labels and tolerations of the flavors, the labels by which pods are
 * found, and fewer pods where fewer were admitted.
 *
 * @throws Error when a flavor is gone or its labels contradict the Job's.
 */
export function injectAdmission(
  job: KubernetesObject,
  workload: KubernetesObject,
  flavorNamed: (name: string) => KubernetesObject | undefined,
): void {
  const { clusterQueue, podSetAssignments } = workload.status.admission;
  const [assignment] = podSetAssignments;
  const { template } = job.spec;
  template.metadata = {
    ...template.metadata,
    labels: {
      ...template.metadata?.labels,
      [clusterQueueLabel]: clusterQueue,
      [localQueueLabel]: workload.spec.queueName,
      [podSetLabel]: assignment.name,
    },
    annotations: {
      ...template.metadata?.annotations,
      [workloadAnnotation]: workload.metadata.name,
    },
  };
  const pod = template.spec;
  for (const name of new Set<string>(Object.values(assignment.flavors ?? {}))) {
    const flavor = flavorNamed(name);
    if (!flavor) throw new Error(`ResourceFlavor ${name} does not exist`);
    for (const [key, value] of Object.entries(flavor.spec?.nodeLabels ?? {})) {
      const wanted = pod.nodeSelector?.[key];
      if (wanted !== undefined && wanted !== value) {
        throw new Error(
          `nodeSelector ${key} is ${wanted} in the Job and ${value} in flavor ${name}`,
        );
      }
      pod.nodeSelector = { ...pod.nodeSelector, [key]: value };
    }
    const tolerations: any[] = flavor.spec?.tolerations ?? [];
    const missing = tolerations.filter(
      each => !pod.tolerations?.some((known: any) => sameTree(known, each)),
    );
    if (missing.length > 0) {
      pod.tolerations = [...(pod.tolerations ?? []), ...cloneTree(missing)];
    }
  }
  if (assignment.count < (job.spec.parallelism ?? 1) && isPartial(workload)) {
    job.spec.parallelism = assignment.count;
  }
}

/** Takes back what admission had added to a Job's pod template (a private copy). */
export function restoreTemplate(
  job: KubernetesObject,
  workload: KubernetesObject,
): void {
  const original = workload.spec.podSets[0].template;
  const { template } = job.spec;
  copyField(template.spec, original.spec, 'nodeSelector');
  copyField(template.spec, original.spec, 'tolerations');
  copyField(template.metadata, original.metadata ?? {}, 'labels');
  copyField(template.metadata, original.metadata ?? {}, 'annotations');
}

function isPartial(workload: KubernetesObject): boolean {
  return workload.spec.podSets[0].minCount !== undefined;
}

function copyField(target: any, source: any, field: string): void {
  if (source[field] === undefined) delete target[field];
  else target[field] = cloneTree(source[field]);
}
