import { KubernetesObject } from '../apiserver/objectStore';
import { HealthStatus } from './health';

export const argoNamespace = 'argocd';
export const argoVersion = 'argoproj.io/v1alpha1';
export const trackingAnnotation = 'argocd.argoproj.io/tracking-id';

/** Where one Application's manifests are and where they go. */
export interface ApplicationTarget {
  cluster: string;
  namespace: string;
}

/**
 * What Kueue changes on a Job while it is queued, admitted and evicted: left
 * alone by comparison and by apply.
 */
export const ignoredPointers = [
  '/spec/suspend',
  '/spec/parallelism',
  '/spec/template/spec/nodeSelector',
  '/spec/template/spec/tolerations',
  '/spec/template/spec/schedulingGates',
  '/spec/template/metadata',
] as const;

export interface Source {
  repoURL: string;
  path: string;
  targetRevision: string;
}

export function applicationName({ cluster, namespace }: ApplicationTarget) {
  return `${cluster}-${namespace}`;
}

export function sourceOf(
  target: ApplicationTarget,
  repoURL: string,
  branch: string,
): Source {
  return {
    repoURL,
    path: `clusters/${target.cluster}/${target.namespace}`,
    targetRevision: branch,
  };
}

export const retryLimit = 5;

/** The Application of one namespace on one spoke, as an ApplicationSet would stamp it out. */
export function applicationObject(
  target: ApplicationTarget,
  source: Source,
): KubernetesObject {
  return {
    apiVersion: argoVersion,
    kind: 'Application',
    metadata: {
      name: applicationName(target),
      namespace: argoNamespace,
      labels: { 'gpuaas.io/cluster': target.cluster },
      // Only commits that touch the Application's own folder refresh it.
      annotations: { 'argocd.argoproj.io/manifest-generate-paths': '.' },
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: {
      project: target.namespace,
      source,
      destination: { name: target.cluster, namespace: target.namespace },
      ignoreDifferences: [
        { group: 'batch', kind: 'Job', jsonPointers: [...ignoredPointers] },
      ],
      syncPolicy: {
        automated: { prune: true },
        syncOptions: ['RespectIgnoreDifferences=true'],
        retry: {
          limit: retryLimit,
          backoff: { duration: '5s', factor: 2, maxDuration: '3m' },
        },
      },
    },
  };
}

export interface Condition {
  type: 'ComparisonError' | 'SyncError' | 'RepeatedResourceWarning';
  message: string;
  lastTransitionTime: string;
}

export interface ResourceStatus {
  group?: string;
  version: string;
  kind: string;
  namespace?: string;
  name: string;
  status: 'Synced' | 'OutOfSync';
  requiresPruning?: boolean;
}

export interface ResourceResult {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  status: 'Synced' | 'SyncFailed' | 'Pruned';
  message: string;
  hookPhase?: 'Running';
  syncPhase: 'Sync';
}

export interface OperationState {
  operation: {
    initiatedBy: { automated: true };
    retry: object;
    sync: { prune: true; revision: string; syncOptions: string[] };
  };
  phase: 'Running' | 'Succeeded' | 'Failed' | 'Error';
  message: string;
  startedAt: string;
  finishedAt?: string;
  retryCount?: number;
  syncResult?: {
    revision: string;
    source: Source;
    resources?: ResourceResult[];
  };
}

export interface HistoryEntry {
  id: number;
  revision: string;
  deployStartedAt: string;
  deployedAt: string;
  initiatedBy: { automated: true };
  source: Source;
}

/** `status` of an Application: the parts that Argo CD fills for such a source. */
export interface ApplicationStatus {
  conditions?: Condition[];
  controllerNamespace: string;
  health: { status: HealthStatus; lastTransitionTime: string };
  history?: HistoryEntry[];
  operationState?: OperationState;
  reconciledAt: string;
  resourceHealthSource: 'appTree';
  resources?: ResourceStatus[];
  sourceHydrator: object;
  sourceType?: 'Directory';
  summary: object;
  sync: {
    status: 'Synced' | 'OutOfSync' | 'Unknown';
    revision?: string;
    comparedTo: {
      destination: object;
      source: Source;
      ignoreDifferences: object[];
    };
  };
}

/** Group and version of an apiVersion. */
export function splitVersion(apiVersion: string): {
  group: string;
  version: string;
} {
  const [first, second] = apiVersion.split('/');
  return second === undefined
    ? { group: '', version: first }
    : { group: first, version: second };
}

/** `<application>:<group>/<kind>:<namespace>/<name>`: how Argo CD marks what it manages. */
export function trackingId(
  application: string,
  object: KubernetesObject,
): string {
  const { group } = splitVersion(object.apiVersion);
  return `${application}:${group}/${object.kind}:${
    object.metadata.namespace ?? ''
  }/${object.metadata.name}`;
}
