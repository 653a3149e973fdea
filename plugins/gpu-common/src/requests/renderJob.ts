import { JsonObject } from '@backstage/types';
import { fileDigest } from './digest';
import { manifestYaml } from './manifestYaml';
import { jobName } from './names';
import { RequestEnv, RequestSpec } from './spec';

/**
 * A Job as it goes into Git.
 *
 * @public
 */
export interface RenderedJob {
  name: string;
  manifest: JsonObject;
  /** The file's text: same spec, same bytes. */
  yaml: string;
  /** `sha256:<64 hex>` of `yaml`. */
  digest: string;
}

/**
 * Renders the Job of a request that passed `checkRequest`.
 *
 * The node selector holds every node label of the flavor, because Kueue looks
 * only at keys a flavor defines. Never set are `suspend` (Kueue's), `generateName`
 * and `ttlSecondsAfterFinished` (Git would create the Job again).
 *
 * @throws InputError when the short name or request id cannot make a Job name.
 * @public
 */
export function renderJob(spec: RequestSpec): RenderedJob {
  const name = jobName(spec.slug, spec.requestId);
  const pods = spec.pods ?? 1;
  const manifest: JsonObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: spec.namespace,
      labels: labels(spec),
      annotations: {
        'gpuaas.io/request-id': spec.requestId,
        'gpuaas.io/entity': spec.entity,
        'gpuaas.io/requester': spec.requester,
        'gpuaas.io/kind': spec.kind,
      },
    },
    spec: {
      parallelism: pods,
      completions: pods,
      // Pods that work together need to know which one they are.
      ...(pods > 1 && { completionMode: 'Indexed' }),
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
          nodeSelector: sorted(spec.nodeLabels),
          containers: [container(spec)],
          ...(spec.claim && { volumes: [volume(spec.claim)] }),
        },
      },
    },
  };
  const yaml = manifestYaml(manifest);
  return { name, manifest, yaml, digest: fileDigest(yaml) };
}

function labels(spec: RequestSpec): JsonObject {
  return {
    'kueue.x-k8s.io/queue-name': spec.queue,
    ...(spec.priorityClass && {
      'kueue.x-k8s.io/priority-class': spec.priorityClass,
    }),
    ...(spec.maxDurationSeconds && {
      'kueue.x-k8s.io/max-exec-time-seconds': String(spec.maxDurationSeconds),
    }),
  };
}

function container(spec: RequestSpec): JsonObject {
  const units = { [spec.resourceName]: String(spec.count) };
  const covered = new Set(spec.coveredResources);
  return {
    name: 'main',
    image: spec.image,
    ...(spec.command?.length && { command: spec.command }),
    ...(spec.args?.length && { args: spec.args }),
    ...(spec.env?.length && { env: spec.env.map(environment) }),
    resources: {
      requests: {
        ...(spec.cpu && covered.has('cpu') && { cpu: spec.cpu }),
        ...(spec.memory && covered.has('memory') && { memory: spec.memory }),
        ...units,
      },
      limits: units,
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    ...(spec.claim && {
      volumeMounts: [
        {
          name: 'data',
          mountPath: spec.claim.mountPath,
          ...(spec.claim.readOnly && { readOnly: true }),
        },
      ],
    }),
  };
}

function environment(env: RequestEnv): JsonObject {
  return 'secretKeyRef' in env
    ? {
        name: env.name,
        valueFrom: {
          secretKeyRef: {
            name: env.secretKeyRef.name,
            key: env.secretKeyRef.key,
          },
        },
      }
    : { name: env.name, value: env.value };
}

function volume(claim: NonNullable<RequestSpec['claim']>): JsonObject {
  return {
    name: 'data',
    persistentVolumeClaim: {
      claimName: claim.name,
      ...(claim.readOnly && { readOnly: true }),
    },
  };
}

/** Keys in code-unit order, so that the order of the cluster's answer does not change the bytes. */
function sorted(map: Record<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
