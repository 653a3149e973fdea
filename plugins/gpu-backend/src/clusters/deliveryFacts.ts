import { Delivery } from './clusterObserver';
import { conditionOf, KubernetesObject } from './kubernetesObject';

/** What an Argo CD Application reports, reduced to what a request's life needs. */
export function applicationDelivery(
  cluster: string,
  application: KubernetesObject,
): Delivery {
  const { metadata, spec = {}, status = {} } = application;
  const source = spec.source ?? spec.sources?.[0];
  const operation = status.operationState;
  const results: any[] = operation?.syncResult?.resources ?? [];
  return {
    cluster,
    kind: 'Application',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    source: source?.repoURL,
    path: source?.path,
    targetRevision: source?.targetRevision,
    destination: spec.destination && {
      server: spec.destination.server,
      name: spec.destination.name,
      namespace: spec.destination.namespace,
    },
    revision: status.sync?.revision,
    sync: status.sync?.status ?? 'Unknown',
    health: status.health?.status,
    operation: operation?.phase,
    operationFinishedAt: operation?.finishedAt,
    message: failureOf(status),
    history: (status.history ?? []).map((entry: any) => ({
      revision: entry.revision,
      deployedAt: entry.deployedAt,
    })),
    resources: (status.resources ?? []).map((resource: any) => {
      const result = results.find(
        ({ kind, namespace, name }) =>
          kind === resource.kind &&
          namespace === resource.namespace &&
          name === resource.name,
      );
      return {
        kind: resource.kind,
        namespace: resource.namespace,
        name: resource.name,
        // The last sync's verdict on one object is more exact than its drift.
        status:
          result?.status === 'SyncFailed' ? 'SyncFailed' : resource.status,
        health: resource.health?.status,
        message: result?.message ?? resource.health?.message,
      };
    }),
  };
}

/** What a Flux Kustomization reports. It lists what it owns, without a verdict on each. */
export function kustomizationDelivery(
  cluster: string,
  kustomization: KubernetesObject,
): Delivery {
  const { metadata, spec = {}, status = {} } = kustomization;
  const ready = conditionOf(kustomization, 'Ready');
  return {
    cluster,
    kind: 'Kustomization',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    source: spec.sourceRef?.name,
    path: spec.path,
    destination: spec.targetNamespace && { namespace: spec.targetNamespace },
    revision: commitOf(status.lastAppliedRevision),
    sync: fluxSync(ready?.status),
    health: ready?.reason,
    operation: ready?.reason,
    operationFinishedAt: ready?.lastTransitionTime,
    message: ready?.status === 'False' ? ready.message : undefined,
    history: status.lastAppliedRevision
      ? [
          {
            revision: commitOf(status.lastAppliedRevision)!,
            deployedAt: ready?.lastTransitionTime ?? '',
          },
        ]
      : [],
    resources: (status.inventory?.entries ?? []).map(
      ({ id }: { id: string }) => {
        // <namespace>_<name>_<group>_<kind>
        const [namespace, name, , kind] = id.split('_');
        return { kind, namespace: namespace || undefined, name };
      },
    ),
  };
}

function failureOf(status: any): string | undefined {
  const operation = status.operationState;
  if (operation && ['Failed', 'Error'].includes(operation.phase)) {
    return operation.message;
  }
  return (
    (status.conditions ?? [])
      .filter(({ type }: { type: string }) => type.endsWith('Error'))
      .map(({ message }: { message: string }) => message)
      .join('; ') || undefined
  );
}

function fluxSync(ready: string | undefined): Delivery['sync'] {
  if (ready === 'True') {
    return 'Synced';
  }
  return ready === 'False' ? 'OutOfSync' : 'Unknown';
}

/** Flux: `main@sha1:3f2a…`, or `main/3f2a…` before v2. */
function commitOf(revision: string | undefined): string | undefined {
  return revision?.split(/[:/@]/).at(-1);
}
