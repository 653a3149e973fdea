import { KubernetesObject } from '../apiserver/objectStore';
import {
  ApplicationTarget,
  ignoredPointers,
  ResourceResult,
  splitVersion,
} from './application';
import { ClusterClient, keyOf } from './clusterClient';
import { applyPatch, withoutPointers } from './comparison';

const lastAppliedAnnotation =
  'kubectl.kubernetes.io/last-applied-configuration';

/** An entry of `syncResult.resources`. */
export function resourceResult(
  object: KubernetesObject,
  status: ResourceResult['status'],
  message: string,
): ResourceResult {
  return {
    ...splitVersion(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    status,
    message,
    ...(status === 'Synced' && { hookPhase: 'Running' as const }),
    syncPhase: 'Sync',
  };
}

/** Why a manifest must not be applied for this namespace at all; undefined when it may. */
export async function notPermitted(
  client: ClusterClient,
  target: ApplicationTarget,
  object: KubernetesObject,
): Promise<string | undefined> {
  const { group } = splitVersion(object.apiVersion);
  const served = await client.resource(object.apiVersion, object.kind);
  if (!served) {
    return `The Kubernetes API could not find ${group}/${object.kind} for requested resource ${object.metadata.namespace}/${object.metadata.name}. Make sure the "${object.kind}" CRD is installed on the destination cluster.`;
  }
  if (!served.namespaced) {
    return `resource ${group}:${object.kind} is not permitted in project ${target.namespace}`;
  }
  return object.metadata.namespace === target.namespace
    ? undefined
    : `namespace ${object.metadata.namespace} is not permitted in project '${target.namespace}'`;
}

/**
 * What `kubectl apply` does: creates the object, or patches what differs from
 * what is wanted.
 *
 * @returns kubectl's word for it, `job.batch/x created` for instance
 * @throws ClusterError with the API server's refusal
 */
export async function applyManifest(
  client: ClusterClient,
  wanted: KubernetesObject,
  live: KubernetesObject | undefined,
): Promise<string> {
  const { group } = splitVersion(wanted.apiVersion);
  const kind = wanted.kind.toLowerCase();
  const label = `${group ? `${kind}.${group}` : kind}/${wanted.metadata.name}`;
  const withRecord: KubernetesObject = {
    ...wanted,
    metadata: {
      ...wanted.metadata,
      annotations: {
        ...wanted.metadata.annotations,
        [lastAppliedAnnotation]: `${JSON.stringify(wanted)}\n`,
      },
    },
  };
  if (!live) {
    await client.create(withRecord);
    return `${label} created`;
  }
  const record = live.metadata.annotations?.[lastAppliedAnnotation];
  const patch = applyPatch(
    record ? withoutPointers(JSON.parse(record), ignoredPointers) : undefined,
    withoutPointers(wanted, ignoredPointers),
    live,
  );
  if (!patch) {
    return `${label} unchanged`;
  }
  await client.mergePatch(keyOf(wanted), {
    ...patch,
    metadata: {
      ...(patch.metadata as object),
      annotations: {
        ...(patch.metadata as { annotations?: object })?.annotations,
        [lastAppliedAnnotation]:
          withRecord.metadata.annotations![lastAppliedAnnotation],
      },
    },
  });
  return `${label} configured`;
}
