/* eslint-disable @typescript-eslint/no-explicit-any */
import { randomBytes } from 'node:crypto';
import type { KubernetesObject } from '../apiserver/objectStore';
import { hasEnded } from './podState';

/** Finalizer of a pod whose end its Job has not counted yet. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** Whether the pod's end is still to be counted. */
export function isTracked(pod: KubernetesObject): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Whether the pod runs or is about to. */
export function isActive(pod: KubernetesObject): boolean {
  return !hasEnded(pod) && !pod.metadata.deletionTimestamp;
}

const indexKey = 'batch.kubernetes.io/job-completion-index';

/** The completion index of an Indexed Job's pod. */
export function completionIndex(pod: KubernetesObject): number | undefined {
  const text = pod.metadata.annotations?.[indexKey];
  return text === undefined ? undefined : Number(text);
}

/** A new pod of a Job, as its controller makes it from the template. */
export function podOfJob(
  job: KubernetesObject,
  index?: number,
): KubernetesObject {
  const { template } = job.spec;
  const suffix = randomBytes(3).toString('hex').slice(0, 5);
  const { name, namespace, uid = '' } = job.metadata;
  const base = index === undefined ? name : `${name}-${index}`;
  const pod: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${base}-${suffix}`,
      namespace,
      labels: { ...template.metadata?.labels },
      annotations: { ...template.metadata?.annotations },
      finalizers: [trackingFinalizer],
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
    spec: template.spec,
  };
  if (index !== undefined) {
    pod.metadata.annotations![indexKey] = String(index);
    pod.metadata.labels![indexKey] = String(index);
    pod.spec = {
      ...template.spec,
      hostname: base,
      containers: template.spec.containers.map((container: any) => ({
        ...container,
        env: [
          ...(container.env ?? []),
          { name: 'JOB_COMPLETION_INDEX', value: String(index) },
        ],
      })),
    };
  }
  return pod;
}

/** Reads `0-2,5` as Kubernetes writes completed indexes. */
export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',').filter(Boolean)) {
    const [first, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index++) {
      indexes.add(index);
    }
  }
  return indexes;
}

/** Writes indexes as `0-2,5`: runs of three or more, and of two, with a dash or comma as upstream. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === sorted[end] + 1) {
      end += 1;
    }
    const length = end - at + 1;
    if (length === 1) {
      parts.push(String(sorted[at]));
    } else {
      const dash = length === 2 ? ',' : '-';
      parts.push(`${sorted[at]}${dash}${sorted[end]}`);
    }
    at = end + 1;
  }
  return parts.join(',');
}
