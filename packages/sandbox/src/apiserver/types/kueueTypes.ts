import type { ResourceType } from '../objectStore';
import { age, conditionStatus, integer, text, wideText } from './columns';

const kueue = {
  group: 'kueue.x-k8s.io',
  version: 'v1beta2',
  generation: true,
} as const;

/** Kinds of Kueue v1beta2; columns and short names as its CRDs have them. */
export const kueueTypes: readonly ResourceType[] = [
  {
    ...kueue,
    resource: 'resourceflavors',
    kind: 'ResourceFlavor',
    namespaced: false,
    shortNames: ['flavor', 'flavors', 'rf'],
  },
  {
    ...kueue,
    resource: 'clusterqueues',
    kind: 'ClusterQueue',
    namespaced: false,
    shortNames: ['cq'],
    hasStatus: true,
    columns: [
      text('Cohort', queue => queue.spec?.cohortName),
      wideText('Strategy', queue => queue.spec?.queueingStrategy),
      integer('Pending Workloads', queue => queue.status?.pendingWorkloads),
      {
        ...integer(
          'Admitted Workloads',
          queue => queue.status?.admittedWorkloads,
        ),
        wide: true,
      },
    ],
  },
  {
    ...kueue,
    resource: 'cohorts',
    kind: 'Cohort',
    namespaced: false,
    shortNames: ['co'],
    hasStatus: true,
  },
  {
    ...kueue,
    resource: 'localqueues',
    kind: 'LocalQueue',
    namespaced: true,
    shortNames: ['queue', 'queues', 'lq'],
    hasStatus: true,
    columns: [
      text('ClusterQueue', queue => queue.spec?.clusterQueue),
      integer('Pending Workloads', queue => queue.status?.pendingWorkloads),
      integer('Admitted Workloads', queue => queue.status?.admittedWorkloads),
    ],
  },
  {
    ...kueue,
    resource: 'workloads',
    kind: 'Workload',
    namespaced: true,
    shortNames: ['kwl', 'kueueworkload', 'kueueworkloads'],
    hasStatus: true,
    fields: workload => ({
      'status.admission.clusterQueue':
        workload.status?.admission?.clusterQueue ?? '',
    }),
    columns: [
      text('Queue', workload => workload.spec?.queueName),
      text('Reserved in', workload => workload.status?.admission?.clusterQueue),
      text('Admitted', conditionStatus('Admitted')),
      text('Finished', conditionStatus('Finished')),
      age,
    ],
  },
  {
    ...kueue,
    resource: 'workloadpriorityclasses',
    kind: 'WorkloadPriorityClass',
    namespaced: false,
    shortNames: ['wpc'],
    columns: [integer('Value', priorityClass => priorityClass.value)],
  },
  {
    ...kueue,
    resource: 'admissionchecks',
    kind: 'AdmissionCheck',
    namespaced: false,
    shortNames: ['ac'],
    hasStatus: true,
  },
  {
    ...kueue,
    resource: 'topologies',
    kind: 'Topology',
    namespaced: false,
    shortNames: ['topo'],
  },
];
