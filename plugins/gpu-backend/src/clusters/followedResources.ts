import { KubernetesObject, ObjectMeta } from './kubernetesObject';

/** Resource types a follower watches, by their plural. */
export const FOLLOWED_RESOURCES = [
  'namespaces',
  'nodes',
  'resourceflavors',
  'workloadpriorityclasses',
  'cohorts',
  'clusterqueues',
  'localqueues',
  'jobs',
  'workloads',
  'pods',
  'applications',
  'kustomizations',
] as const;

export type FollowedResource = (typeof FOLLOWED_RESOURCES)[number];

export interface ResourceRule {
  group: string;
  /** Versions we understand, preferred first. */
  versions: string[];
  /** When the API server does not serve it: `kueue` makes the cluster `no-kueue`, `fine` changes nothing. */
  absent: 'kueue' | 'fine';
  labelSelector?: string;
  /**
   * What others are derived from is read first: a Workload is understood with
   * the help of its queue, namespace, flavor and Job.
   */
  stage: 1 | 2 | 3;
  /** What we keep of an object. */
  trim(object: KubernetesObject): KubernetesObject;
}

const KUEUE = 'kueue.x-k8s.io';

/** v1beta2 is the only version Kueue 0.16 and later store; v1beta1 has other field names. */
const kueue = {
  group: KUEUE,
  versions: ['v1beta2'],
  absent: 'kueue' as const,
  stage: 1 as const,
  trim: (object: KubernetesObject) => ({
    metadata: trimMeta(object.metadata),
    spec: object.spec,
    status: object.status,
  }),
};

export const RESOURCE_RULES: Record<FollowedResource, ResourceRule> = {
  namespaces: {
    group: '',
    versions: ['v1'],
    absent: 'fine',
    stage: 1,
    trim: object => ({ metadata: trimMeta(object.metadata) }),
  },
  nodes: {
    group: '',
    versions: ['v1'],
    absent: 'fine',
    stage: 1,
    trim: trimNode,
  },
  resourceflavors: kueue,
  workloadpriorityclasses: {
    ...kueue,
    trim: object => ({
      metadata: trimMeta(object.metadata),
      value: object.value,
      description: object.description,
    }),
  },
  cohorts: kueue,
  clusterqueues: kueue,
  localqueues: kueue,
  jobs: {
    group: 'batch',
    versions: ['v1'],
    absent: 'fine',
    labelSelector: 'kueue.x-k8s.io/queue-name',
    stage: 2,
    trim: object => ({
      metadata: trimMeta(object.metadata),
      spec: object.spec,
      status: object.status,
    }),
  },
  workloads: { ...kueue, stage: 3, trim: trimWorkload },
  pods: {
    group: '',
    versions: ['v1'],
    absent: 'fine',
    stage: 3,
    trim: object => object,
  },
  applications: {
    group: 'argoproj.io',
    versions: ['v1alpha1'],
    absent: 'fine',
    stage: 3,
    trim: object => object,
  },
  kustomizations: {
    group: 'kustomize.toolkit.fluxcd.io',
    versions: ['v1', 'v1beta2'],
    absent: 'fine',
    stage: 3,
    trim: object => object,
  },
};

/** `/api/v1/nodes`, `/apis/batch/v1/jobs`. */
export function resourcePath(
  resource: FollowedResource,
  version: string,
): string {
  const { group } = RESOURCE_RULES[resource];
  return group === ''
    ? `/api/${version}/${resource}`
    : `/apis/${group}/${version}/${resource}`;
}

function trimMeta(meta: ObjectMeta): ObjectMeta {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...rest } =
    meta.annotations ?? {};
  return {
    name: meta.name,
    namespace: meta.namespace,
    uid: meta.uid,
    creationTimestamp: meta.creationTimestamp,
    deletionTimestamp: meta.deletionTimestamp,
    labels: meta.labels,
    annotations: Object.keys(rest).length > 0 ? rest : undefined,
    ownerReferences: meta.ownerReferences,
  };
}

/** Heartbeats, images and addresses change often and matter to nobody here. */
function trimNode(node: KubernetesObject): KubernetesObject {
  return {
    metadata: { ...trimMeta(node.metadata), annotations: undefined },
    spec: {
      taints: node.spec?.taints,
      unschedulable: node.spec?.unschedulable,
    },
    status: {
      capacity: node.status?.capacity,
      allocatable: node.status?.allocatable,
      conditions: (node.status?.conditions ?? [])
        .filter((condition: { type: string }) => condition.type === 'Ready')
        .map(({ type, status, reason, message, lastTransitionTime }: any) => ({
          type,
          status,
          reason,
          message,
          lastTransitionTime,
        })),
    },
  };
}

/** A pod template is kept as far as quota and placement depend on it. */
function trimWorkload(workload: KubernetesObject): KubernetesObject {
  return {
    metadata: {
      ...trimMeta(workload.metadata),
      // Orders what the ledger hears of one Workload.
      resourceVersion: workload.metadata.resourceVersion,
    },
    spec: {
      ...workload.spec,
      podSets: (workload.spec?.podSets ?? []).map((podSet: any) => ({
        ...podSet,
        template: {
          spec: {
            containers: trimContainers(podSet.template?.spec?.containers),
            initContainers: trimContainers(
              podSet.template?.spec?.initContainers,
            ),
            overhead: podSet.template?.spec?.overhead,
            nodeSelector: podSet.template?.spec?.nodeSelector,
            affinity: podSet.template?.spec?.affinity,
            tolerations: podSet.template?.spec?.tolerations,
          },
        },
      })),
    },
    status: workload.status,
  };
}

function trimContainers(
  containers: Array<Record<string, unknown>> | undefined,
): Array<Record<string, unknown>> | undefined {
  return containers?.map(({ name, resources, restartPolicy }) => ({
    name,
    resources,
    restartPolicy,
  }));
}
