import type { KubernetesObject, ResourceType } from '../objectStore';
import { humanDuration, integer, text, wideText } from './columns';

function jobStatus(job: KubernetesObject): string {
  const isTrue = (type: string) =>
    job.status?.conditions?.some(
      (condition: { type: string; status: string }) =>
        condition.type === type && condition.status === 'True',
    );
  if (isTrue('Complete')) {
    return 'Complete';
  }
  if (isTrue('Failed')) {
    return 'Failed';
  }
  if (job.metadata.deletionTimestamp) {
    return 'Terminating';
  }
  if (isTrue('Suspended')) {
    return 'Suspended';
  }
  return isTrue('FailureTarget') ? 'FailureTarget' : 'Running';
}

function jobCompletions(job: KubernetesObject): string {
  const succeeded = job.status?.succeeded ?? 0;
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (completions !== undefined) {
    return `${succeeded}/${completions}`;
  }
  return parallelism > 1
    ? `${succeeded}/1 of ${parallelism}`
    : `${succeeded}/1`;
}

function jobDuration(job: KubernetesObject): string | undefined {
  const { startTime, completionTime } = job.status ?? {};
  return startTime
    ? humanDuration(
        startTime,
        completionTime ? Date.parse(completionTime) : Date.now(),
      )
    : undefined;
}

function containers(
  object: KubernetesObject,
): Array<{ name: string; image: string }> {
  return object.spec?.template?.spec?.containers ?? [];
}

const podColumns = [
  wideText('Containers', object =>
    containers(object)
      .map(container => container.name)
      .join(','),
  ),
  wideText('Images', object =>
    containers(object)
      .map(container => container.image)
      .join(','),
  ),
  wideText('Selector', object =>
    Object.entries(object.spec?.selector?.matchLabels ?? {})
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
  ),
];

/** Kinds that run pods, and what orders them. */
export const workTypes: readonly ResourceType[] = [
  {
    group: 'batch',
    version: 'v1',
    resource: 'jobs',
    kind: 'Job',
    namespaced: true,
    categories: ['all'],
    hasStatus: true,
    generation: true,
    fields: job => ({
      'status.successful': String(job.status?.succeeded ?? 0),
    }),
    columns: [
      text('Status', jobStatus),
      text('Completions', jobCompletions),
      text('Duration', jobDuration),
      {
        name: 'Age',
        type: 'date',
        value: job => job.metadata.creationTimestamp,
      },
      ...podColumns,
    ],
  },
  {
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    hasStatus: true,
    generation: true,
    columns: [
      text(
        'Ready',
        deployment =>
          `${deployment.status?.readyReplicas ?? 0}/${
            deployment.spec?.replicas ?? 1
          }`,
      ),
      integer(
        'Up-to-date',
        deployment => deployment.status?.updatedReplicas ?? 0,
      ),
      integer(
        'Available',
        deployment => deployment.status?.availableReplicas ?? 0,
      ),
      {
        name: 'Age',
        type: 'date',
        value: deployment => deployment.metadata.creationTimestamp,
      },
      ...podColumns,
    ],
  },
  {
    group: 'scheduling.k8s.io',
    version: 'v1',
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    namespaced: false,
    shortNames: ['pc'],
    generation: true,
    columns: [
      integer('Value', priorityClass => priorityClass.value),
      text('Global-default', priorityClass =>
        String(priorityClass.globalDefault ?? false),
      ),
      {
        name: 'Age',
        type: 'date',
        value: priorityClass => priorityClass.metadata.creationTimestamp,
      },
      text(
        'PreemptionPolicy',
        priorityClass =>
          priorityClass.preemptionPolicy ?? 'PreemptLowerPriority',
      ),
    ],
  },
];
