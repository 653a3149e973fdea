/* eslint-disable @typescript-eslint/no-explicit-any */
import { cloneTree, sameTree } from '../apiserver/frozenTree';
import { KubernetesObject } from '../apiserver/objectStore';
import {
  gatedByAnnotation,
  inUseFinalizer,
  jobUidLabel,
  kueueApi,
  maxExecTimeLabel,
  minParallelismAnnotation,
  podSetName,
  queueNameLabel,
} from './names';
import { workloadName } from './workloadName';

/** What a Workload's priority comes from. */
export interface Priority {
  value: number;
  ref?: { group: string; kind: string; name: string };
}

/** Pods a Job runs at once: min(parallelism, completions). */
export function podCount(job: KubernetesObject): number {
  const { parallelism = 1, completions } = job.spec;
  return completions === undefined
    ? parallelism
    : Math.min(parallelism, completions);
}

/** Pod sets of a suspended Job: one, named `main`. */
export function podSetsOf(job: KubernetesObject): any[] {
  const minimum = Number(
    job.metadata.annotations?.[minParallelismAnnotation] ?? 0,
  );
  return [
    {
      name: podSetName,
      count: podCount(job),
      ...(minimum > 0 && { minCount: minimum }),
      template: cloneTree(job.spec.template),
    },
  ];
}

/** The Workload of a Job; its labels and annotations are not copied, except the admission gate. */
export function workloadOf(
  job: KubernetesObject,
  priority: Priority,
): KubernetesObject {
  const { name, namespace, uid = '', labels, annotations } = job.metadata;
  const maximum = labels?.[maxExecTimeLabel];
  const gate = annotations?.[gatedByAnnotation];
  return {
    apiVersion: kueueApi,
    kind: 'Workload',
    metadata: {
      name: workloadName(job),
      namespace,
      labels: { [jobUidLabel]: uid },
      ...(gate && { annotations: { [gatedByAnnotation]: gate } }),
      finalizers: [inUseFinalizer],
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      active: true,
      queueName: labels?.[queueNameLabel],
      podSets: podSetsOf(job),
      priority: priority.value,
      ...(priority.ref && { priorityClassRef: priority.ref }),
      ...(maximum && { maximumExecutionTimeSeconds: Number(maximum) }),
    },
  };
}

/**
 * Whether a Workload still says what its Job asks for. A started Job carries
 * what its flavors added, so then only what cannot be added is compared.
 */
export function isWorkloadOf(
  job: KubernetesObject,
  workload: KubernetesObject,
): boolean {
  const [wanted] = podSetsOf(job);
  const [known] = workload.spec.podSets;
  if (job.spec.suspend) {
    return (
      wanted.count === known.count &&
      wanted.minCount === known.minCount &&
      sameTree(wanted.template, known.template)
    );
  }
  const assigned = workload.status?.admission?.podSetAssignments?.[0]?.count;
  const count = assigned ?? known.count;
  return (
    wanted.count === count &&
    sameTree(
      podResources(wanted.template.spec),
      podResources(known.template.spec),
    )
  );
}

function podResources(spec: any) {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(
    container => container.resources ?? {},
  );
}

/** Pods of a running Job that are done and not to be replaced: their quota is free. */
export function reclaimablePods(
  job: KubernetesObject,
): Array<{ name: string; count: number }> {
  const { parallelism = 1, completions } = job.spec;
  const succeeded = job.status?.succeeded ?? 0;
  if (parallelism === 1 || succeeded === 0) return [];
  const remaining = (completions ?? parallelism) - succeeded;
  return remaining >= parallelism
    ? []
    : [{ name: podSetName, count: parallelism - Math.max(remaining, 0) }];
}
