/* eslint-disable @typescript-eslint/no-explicit-any */
import { randomBytes } from 'node:crypto';
import {
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  PatchStrategy,
  setHeaderOptions,
  type V1Job,
  type V1Pod,
} from '@kubernetes/client-node';
import { until } from '../until';
import type { WorldCluster } from '../world';
import { contractJob, GPU, type JobOptions } from './contractJob';
import { readyNode } from './readyNode';

const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const kueue = { group: 'kueue.x-k8s.io', version: 'v1beta2' };
const flavorLabel = 'contract.gpuaas.io/flavor';

export type Quota =
  | number
  | { nominal: number; borrowingLimit?: number; lendingLimit?: number };

/**
 * Kueue objects with names of their own, so that a suite can run beside others
 * on a cluster that is not its own. Short names are made unique by the bed:
 * `q` becomes `bed-1a2b3c-q`.
 */
export class Testbed {
  readonly id = `bed-${randomBytes(3).toString('hex')}`;
  readonly namespace = this.id;
  readonly batch: BatchV1Api;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
  private readonly clusterScoped: Array<[plural: string, name: string]> = [];
  private readonly nodes: string[] = [];

  constructor(cluster: WorldCluster) {
    this.batch = cluster.admin.makeApiClient(BatchV1Api);
    this.core = cluster.admin.makeApiClient(CoreV1Api);
    this.custom = cluster.admin.makeApiClient(CustomObjectsApi);
  }

  async start(): Promise<void> {
    await this.core.createNamespace({
      body: { metadata: { name: this.namespace, labels: { bed: this.id } } },
    });
  }

  /** Ends all Jobs and takes away all that was made. */
  async remove(): Promise<void> {
    await this.batch.deleteCollectionNamespacedJob({
      namespace: this.namespace,
      propagationPolicy: 'Background',
    });
    for (const [plural, name] of this.clusterScoped.reverse()) {
      await this.custom
        .deleteClusterCustomObject({ ...kueue, plural, name })
        .catch(() => undefined);
    }
    for (const name of this.nodes) await this.core.deleteNode({ name });
    await this.core.deleteNamespace({ name: this.namespace });
  }

  name(short: string): string {
    return `${this.id}-${short}`;
  }

  private at(plural: string) {
    return { ...kueue, plural, namespace: this.namespace };
  }

  async create(kind: string, short: string, body: object): Promise<void> {
    const plural = pluralOf(kind);
    const name = this.name(short);
    this.clusterScoped.push([plural, name]);
    await this.custom.createClusterCustomObject({
      ...kueue,
      plural,
      body: {
        apiVersion: 'kueue.x-k8s.io/v1beta2',
        kind,
        metadata: { name },
        ...body,
      },
    });
  }

  async patch(kind: string, short: string, body: object): Promise<void> {
    await this.custom.patchClusterCustomObject(
      { ...kueue, plural: pluralOf(kind), name: this.name(short), body },
      merge,
    );
  }

  /** A flavor with a node of 64 GPUs behind it. */
  async flavor(short: string): Promise<void> {
    const name = this.name(short);
    await this.create('ResourceFlavor', short, {
      spec: { nodeLabels: { [flavorLabel]: name } },
    });
    const capacity = { cpu: '64', memory: '256Gi', pods: '110', [GPU]: '64' };
    this.nodes.push(name);
    await this.core.createNode({
      body: readyNode(name, { [flavorLabel]: name }, capacity),
    });
  }

  /** A ClusterQueue over flavors that exist, and a LocalQueue of the same short name. */
  async queue(
    short: string,
    flavors: Record<string, Quota>,
    spec: Record<string, any> = {},
  ): Promise<void> {
    const { cohort, ...rest } = spec;
    await this.create('ClusterQueue', short, {
      spec: {
        namespaceSelector: { matchLabels: { bed: this.id } },
        resourceGroups: [this.group(flavors)],
        ...(cohort && { cohortName: this.name(cohort) }),
        ...rest,
      },
    });
    await this.localQueue(short);
  }

  group(flavors: Record<string, Quota>) {
    return {
      coveredResources: [GPU],
      flavors: Object.entries(flavors).map(([flavor, quota]) => {
        const { nominal, ...limits } =
          typeof quota === 'number' ? { nominal: quota } : quota;
        return {
          name: this.name(flavor),
          resources: [{ name: GPU, nominalQuota: nominal, ...limits }],
        };
      }),
    };
  }

  async localQueue(short: string, clusterQueue = short): Promise<void> {
    await this.custom.createNamespacedCustomObject({
      ...this.at('localqueues'),
      body: {
        apiVersion: 'kueue.x-k8s.io/v1beta2',
        kind: 'LocalQueue',
        metadata: { name: short },
        spec: { clusterQueue: this.name(clusterQueue) },
      },
    });
  }

  async patchLocalQueue(name: string, body: object): Promise<void> {
    await this.custom.patchNamespacedCustomObject(
      { ...this.at('localqueues'), name, body },
      merge,
    );
  }

  async localQueueStatus(name: string): Promise<any> {
    const queue: any = await this.custom.getNamespacedCustomObject({
      ...this.at('localqueues'),
      name,
    });
    return queue.status ?? {};
  }

  async clusterQueueStatus(short: string): Promise<any> {
    const queue: any = await this.custom.getClusterCustomObject({
      ...kueue,
      plural: 'clusterqueues',
      name: this.name(short),
    });
    return queue.status ?? {};
  }

  async job(name: string, options: JobOptions = {}): Promise<V1Job> {
    const { nodeSelectorOfFlavor } = options;
    return this.batch.createNamespacedJob({
      namespace: this.namespace,
      body: contractJob(name, {
        ...options,
        ...(nodeSelectorOfFlavor && {
          nodeSelector: { [flavorLabel]: this.name(nodeSelectorOfFlavor) },
        }),
      }),
    });
  }

  /**
   * Waits for the next whole second: creation stamps have no finer grain, and
   * who came first decides who goes first.
   */
  async nextSecond(): Promise<void> {
    const second = () => Math.floor(Date.now() / 1000);
    const now = second();
    await until('the next second', () => second() > now);
  }

  getJob(name: string): Promise<V1Job> {
    return this.batch.readNamespacedJob({ namespace: this.namespace, name });
  }

  patchJob(name: string, body: object): Promise<V1Job> {
    return this.batch.patchNamespacedJob(
      { namespace: this.namespace, name, body },
      merge,
    );
  }

  async deleteJob(
    name: string,
    propagationPolicy?: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    await this.batch.deleteNamespacedJob({
      namespace: this.namespace,
      name,
      ...(propagationPolicy && { propagationPolicy }),
    });
  }

  async podsOf(job: string): Promise<V1Pod[]> {
    const { items } = await this.core.listNamespacedPod({
      namespace: this.namespace,
      labelSelector: `batch.kubernetes.io/job-name=${job}`,
    });
    return items;
  }

  /** Takes the finalizers off a Job's pods. */
  async letGo(job: string): Promise<void> {
    for (const { metadata } of await this.podsOf(job)) {
      await this.core.patchNamespacedPod(
        {
          namespace: this.namespace,
          name: metadata?.name ?? '',
          body: { metadata: { finalizers: null } },
        },
        merge,
      );
    }
  }

  /** All Workloads of the bed. */
  async workloads(labelSelector?: string): Promise<any[]> {
    const list: any = await this.custom.listNamespacedCustomObject({
      ...this.at('workloads'),
      ...(labelSelector && { labelSelector }),
    });
    return list.items;
  }

  /** The Workload of a Job, by the Job's name; undefined: there is none (yet). */
  async workload(job: string): Promise<any | undefined> {
    const pattern = new RegExp(`^job-${job}-[0-9a-f]{5}$`);
    return (await this.workloads()).find(({ metadata }) =>
      pattern.test(metadata.name),
    );
  }

  async patchWorkload(job: string, body: object): Promise<void> {
    const { metadata } = await this.workload(job);
    await this.custom.patchNamespacedCustomObject(
      { ...this.at('workloads'), name: metadata.name, body },
      merge,
    );
  }

  async deleteWorkload(job: string): Promise<void> {
    const { metadata } = await this.workload(job);
    await this.custom.deleteNamespacedCustomObject({
      ...this.at('workloads'),
      name: metadata.name,
    });
  }

  /** Writes a Workload's status, as an admission check controller does. */
  async patchWorkloadStatus(job: string, status: object): Promise<void> {
    const { metadata } = await this.workload(job);
    await this.custom.patchNamespacedCustomObjectStatus(
      { ...this.at('workloads'), name: metadata.name, body: { status } },
      merge,
    );
  }

  /** An admission check whose controller is this suite. */
  async admissionCheck(short: string): Promise<void> {
    await this.create('AdmissionCheck', short, {
      spec: { controllerName: `contract.gpuaas.io/${this.id}` },
    });
    await this.custom.patchClusterCustomObjectStatus(
      {
        ...kueue,
        plural: 'admissionchecks',
        name: this.name(short),
        body: {
          status: {
            conditions: [
              {
                type: 'Active',
                status: 'True',
                reason: 'Active',
                message: 'answered by the contract',
                lastTransitionTime: new Date().toISOString(),
              },
            ],
          },
        },
      },
      merge,
    );
  }

  /** Waits until a Job's Workload satisfies `test`, and returns it. */
  untilWorkload(
    job: string,
    what: string,
    test: (workload: any) => unknown,
  ): Promise<any> {
    return until(`Workload of ${job} ${what}`, async () => {
      const found = await this.workload(job);
      return found && test(found) ? found : undefined;
    });
  }

  /** Waits until a Job's Workload has a condition of a status and reason. */
  async untilCondition(
    job: string,
    type: string,
    status: string,
    reason?: string,
  ): Promise<any> {
    const workload = await this.untilWorkload(
      job,
      `has ${type}=${status}${reason ? `/${reason}` : ''}`,
      found => {
        const condition = conditionOf(found, type);
        return (
          condition?.status === status &&
          (reason === undefined || condition.reason === reason)
        );
      },
    );
    return conditionOf(workload, type);
  }

  async untilRunning(job: string): Promise<V1Job> {
    return until(`Job ${job} runs`, async () => {
      const found = await this.getJob(job);
      return !found.spec?.suspend && found.status?.active ? found : undefined;
    });
  }

  async untilStopped(job: string): Promise<V1Job> {
    return until(`Job ${job} is stopped`, async () => {
      const found = await this.getJob(job);
      return found.spec?.suspend && !found.status?.active ? found : undefined;
    });
  }

  /** Message of a waiting Workload, once it says something that matches. */
  async untilWaiting(job: string, message: RegExp): Promise<any> {
    const workload = await this.untilWorkload(
      job,
      `waits because of ${message}`,
      found => {
        const condition = conditionOf(found, 'QuotaReserved');
        return condition?.status === 'False' && message.test(condition.message);
      },
    );
    return conditionOf(workload, 'QuotaReserved');
  }
}

export function conditionOf(object: any, type: string): any | undefined {
  return object.status?.conditions?.find((each: any) => each.type === type);
}

function pluralOf(kind: string): string {
  return kind.endsWith('Class')
    ? `${kind.toLowerCase()}es`
    : `${kind.toLowerCase()}s`;
}
