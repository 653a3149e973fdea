import { BatchV1Api, KubeConfig, V1Job } from '@kubernetes/client-node';

/** A cluster of the running portal, with an administrator's rights. */
export function adminOf(url: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'cluster', server: url, skipTLSVerify: true }],
    users: [{ name: 'admin', token: 'sandbox-admin' }],
    contexts: [{ name: 'default', cluster: 'cluster', user: 'admin' }],
    currentContext: 'default',
  });
  return config;
}

/** A one-GPU Job as a team would submit it itself, without the portal. */
export function plainJob(options: {
  name: string;
  namespace: string;
  seconds: number;
  resource: string;
  nodeSelector: Record<string, string>;
  count?: number;
}): V1Job {
  const resources = {
    cpu: '1',
    memory: '1Gi',
    [options.resource]: String(options.count ?? 1),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: options.name,
      namespace: options.namespace,
      labels: { 'kueue.x-k8s.io/queue-name': 'gpu' },
    },
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          nodeSelector: options.nodeSelector,
          containers: [
            {
              name: 'main',
              image: 'registry.example.com/train:1',
              command: ['sh', '-c', `sleep ${options.seconds}`],
              resources: { requests: resources, limits: resources },
            },
          ],
        },
      },
    },
  };
}

/** Creates Jobs, a bounded number at a time. */
export async function createJobs(
  config: KubeConfig,
  jobs: V1Job[],
  atOnce = 16,
): Promise<V1Job[]> {
  const api = config.makeApiClient(BatchV1Api);
  const created: V1Job[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < jobs.length) {
        const body = jobs[next];
        next += 1;
        created.push(
          await api.createNamespacedJob({
            namespace: body.metadata!.namespace!,
            body,
          }),
        );
      }
    }),
  );
  return created;
}
