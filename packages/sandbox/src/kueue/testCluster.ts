/* eslint-disable @typescript-eslint/no-explicit-any */
import { MemoryStore } from '../apiserver/memoryStore';
import { StoreSnapshot } from '../apiserver/storeSnapshot';
import { KubernetesObject } from '../apiserver/objectStore';
import { builtinRules } from '../apiserver/rules/builtinRules';
import { servedTypes } from '../apiserver/types/servedTypes';
import { ManualClock } from '../manualClock';
import { queueNameLabel } from './names';
import { startKueue } from './startKueue';

const GPU = 'nvidia.com/gpu';
const TEAM = 'team';

export interface TestJob {
  gpus?: number;
  pods?: number;
  queue?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  requests?: Record<string, string | number>;
  nodeSelector?: Record<string, string>;
}

/** A small cluster with Kueue and the smallest of Job controllers, for tests. */
export class TestCluster {
  readonly store: MemoryStore;
  readonly errors: string[] = [];
  private readonly kueue: { stop: () => void };

  constructor(
    snapshot?: StoreSnapshot,
    readonly clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z')),
  ) {
    this.store = new MemoryStore({
      types: servedTypes,
      rules: builtinRules,
      clock: this.clock,
      snapshot,
    });
    if (!snapshot) {
      this.create('v1', 'Namespace', TEAM, {
        spec: { finalizers: ['kubernetes'] },
      });
    }
    this.kueue = this.startKueue();
    this.store.watch('Job', ({ type, object: job }) => {
      if (type !== 'DELETED') this.runPods(job);
    });
    this.settle();
  }

  /** Everything that is due now, and what follows from it. */
  settle(milliseconds = 0): void {
    this.clock.advance(milliseconds);
  }

  stopKueue(): void {
    this.kueue.stop();
  }

  create(
    apiVersion: string,
    kind: string,
    name: string,
    rest: Record<string, any> = {},
  ): KubernetesObject {
    const isNamespaced = this.store.type(kind).namespaced;
    const { metadata, ...body } = rest;
    const created = this.store.create({
      apiVersion,
      kind,
      metadata: {
        name,
        ...(isNamespaced && { namespace: TEAM }),
        ...metadata,
      },
      ...body,
    });
    return created;
  }

  kueueObject(kind: string, name: string, rest: Record<string, any> = {}) {
    const created = this.create('kueue.x-k8s.io/v1beta2', kind, name, rest);
    this.settle();
    return created;
  }

  /** A ClusterQueue over flavors (created when missing), and a LocalQueue of the same name. */
  queue(
    name: string,
    flavors: Record<string, Record<string, any> | number>,
    spec: Record<string, any> = {},
  ): void {
    for (const flavor of Object.keys(flavors)) {
      if (!this.store.get('ResourceFlavor', flavor)) {
        this.kueueObject('ResourceFlavor', flavor, {
          spec: { nodeLabels: { model: flavor } },
        });
      }
    }
    this.kueueObject('ClusterQueue', name, {
      spec: {
        namespaceSelector: {},
        resourceGroups: [
          {
            coveredResources: [GPU],
            flavors: Object.entries(flavors).map(([flavor, quota]) => ({
              name: flavor,
              resources: [
                {
                  name: GPU,
                  ...(typeof quota === 'number'
                    ? { nominalQuota: quota }
                    : quota),
                },
              ],
            })),
          },
        ],
        ...spec,
      },
    });
    this.kueueObject('LocalQueue', name, { spec: { clusterQueue: name } });
  }

  job(name: string, options: TestJob = {}): KubernetesObject {
    const {
      gpus = 1,
      pods = 1,
      queue = 'q',
      labels,
      annotations,
      requests = { [GPU]: gpus },
      nodeSelector,
    } = options;
    // Creation stamps are whole seconds, and decide who goes first.
    this.settle(1000);
    const job = this.create('batch/v1', 'Job', name, {
      metadata: { labels: { [queueNameLabel]: queue, ...labels }, annotations },
      spec: {
        parallelism: pods,
        completions: pods,
        template: {
          spec: {
            restartPolicy: 'Never',
            ...(nodeSelector && { nodeSelector }),
            containers: [
              {
                name: 'main',
                image: 'busybox',
                resources: { requests, limits: requests },
              },
            ],
          },
        },
      },
    });
    this.settle();
    return job;
  }

  getJob(name: string): KubernetesObject {
    return this.store.get('Job', name, TEAM) as KubernetesObject;
  }

  /** The Workload of a Job, whether or not the Job still exists. */
  workload(job: string): KubernetesObject {
    return this.store
      .list('Workload', { namespace: TEAM })
      .find(({ metadata }) =>
        metadata.name.startsWith(`job-${job}-`),
      ) as KubernetesObject;
  }

  conditions(job: string): Record<string, string> {
    const conditions: any[] = this.workload(job)?.status?.conditions ?? [];
    return Object.fromEntries(
      conditions.map(({ type, status, reason, message }) => [
        type,
        `${status}/${reason} ${message}`,
      ]),
    );
  }

  /** Message of a waiting Job's QuotaReserved condition. */
  waitsFor(job: string): string | undefined {
    return this.conditions(job).QuotaReserved;
  }

  isRunning(job: string): boolean {
    return this.getJob(job)?.spec.suspend === false;
  }

  running(...jobs: string[]): string[] {
    return jobs.filter(job => this.isRunning(job));
  }

  patch(
    kind: string,
    name: string,
    change: (object: any) => void,
    subresource?: 'status',
  ): void {
    this.store.modify(
      kind,
      name,
      this.store.type(kind).namespaced ? TEAM : undefined,
      change,
      { subresource },
    );
    this.settle();
  }

  /** The Job's pods have ended. */
  finish(name: string, type: 'Complete' | 'Failed' = 'Complete'): void {
    this.patch(
      'Job',
      name,
      job => {
        job.status = {
          ...job.status,
          active: 0,
          succeeded: type === 'Complete' ? job.spec.completions : 0,
          conditions: [
            {
              type,
              status: 'True',
              message:
                type === 'Complete'
                  ? 'Reached expected number of succeeded pods'
                  : 'Job has reached the specified backoff limit',
            },
          ],
        };
      },
      'status',
    );
  }

  events(reason: string): string[] {
    return this.store
      .list('Event')
      .filter(event => event.reason === reason)
      .map(({ message }) => message);
  }

  private startKueue() {
    return startKueue(this.store, this.clock, {
      onError: (what, error) => this.errors.push(`${what}: ${error}`),
    });
  }

  /** Pods appear and go at once: active follows suspension. */
  private runPods({ metadata, spec, status }: KubernetesObject): void {
    const isDone = (status?.conditions?.length ?? 0) > 0;
    const active = spec.suspend || isDone ? 0 : spec.parallelism;
    if ((status?.active ?? 0) === active || isDone) return;
    this.store.modify(
      'Job',
      metadata.name,
      metadata.namespace,
      job => {
        job.status = { ...job.status, active };
        if (active > 0) {
          job.status.startTime ??= this.clock.now().toISOString();
        }
      },
      { subresource: 'status' },
    );
  }
}
