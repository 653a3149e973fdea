import { Knex } from 'knex';
import { Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterConfig } from '../clusters/clusterConfig';
import {
  Change,
  ClusterObserver,
  Delivery,
  GpuPod,
  ObservedWorkload,
} from '../clusters/clusterObserver';
import { conditionOf } from '../clusters/kubernetesObject';
import { deliveryOf } from './deliveryMatch';
import { PodFacts, RequestRow, RequestStore, RunFacts } from './requestStore';

/**
 * Carries what clusters report into the requests that made it, in the
 * transaction that stores the report. A Job belongs to a request when it bears
 * the name the request was registered with; its Workload must also bear the
 * request's id.
 */
export class RequestObserver implements ClusterObserver {
  readonly name = 'requests';

  constructor(
    private readonly store: RequestStore,
    private readonly configs: ClusterConfig[],
    private readonly now: () => Date = () => new Date(),
  ) {}

  async onWorkloads(
    changes: Change<ObservedWorkload>[],
    trx: Knex.Transaction,
  ): Promise<void> {
    const ofJobs = changes.filter(({ now }) => now.workload.job);
    const requests = await this.requestsOf(
      ofJobs.map(({ now: { workload } }) => ({
        cluster: workload.cluster,
        namespace: workload.namespace,
        name: workload.job!.name,
      })),
      trx,
    );
    for (const { type, now } of ofJobs) {
      const { workload } = now;
      const request = requests.get(
        key(workload.cluster, workload.namespace, workload.job!.name),
      );
      if (request && request.id === workload.requestId) {
        const deletedAt =
          type === 'deleted' ? this.now().toISOString() : undefined;
        await this.store.recordRun(request.id, runFacts(now, deletedAt), trx);
      }
    }
  }

  async onPods(
    changes: Change<GpuPod>[],
    trx: Knex.Transaction,
  ): Promise<void> {
    const ofJobs = changes.filter(({ now }) => now.owner?.kind === 'Job');
    const requests = await this.requestsOf(
      ofJobs.map(({ now: pod }) => ({
        cluster: pod.cluster,
        namespace: pod.namespace,
        name: pod.owner!.name,
      })),
      trx,
    );
    for (const { now: pod } of ofJobs) {
      const request = requests.get(
        key(pod.cluster, pod.namespace, pod.owner!.name),
      );
      if (request) {
        await this.store.recordPod(request.id, podFacts(pod), trx);
      }
    }
  }

  async onDeliveries(
    changes: Change<Delivery>[],
    trx: Knex.Transaction,
  ): Promise<void> {
    const undelivered = await this.store.listUndelivered(trx);
    for (const { type, now: delivery } of changes) {
      for (const request of type === 'deleted' ? [] : undelivered) {
        const found = deliveryOf(request, delivery, this.configs);
        if (found) {
          await this.store.recordDelivery(request.id, found, trx);
        }
      }
    }
  }

  private async requestsOf(
    jobs: Array<{ cluster: string; namespace: string; name: string }>,
    trx: Knex.Transaction,
  ): Promise<Map<string, RequestRow>> {
    const found = jobs.length > 0 ? await this.store.findByJobs(jobs, trx) : [];
    return new Map(
      found.map(request => [
        key(request.cluster, request.namespace, request.name),
        request,
      ]),
    );
  }
}

function key(cluster: string, namespace: string, name: string): string {
  return `${cluster}/${namespace}/${name}`;
}

/** @param deletedAt - when we learned that it is gone; counts only where it has no stamp of its own. */
export function runFacts(
  { workload, object }: ObservedWorkload,
  deletedAt?: string,
): RunFacts {
  return {
    workloadUid: workload.uid,
    name: workload.name,
    phase: workload.phase,
    outcome: outcomeOf(workload),
    clusterQueue: workload.clusterQueue,
    flavors: gpuFlavors(workload),
    pods: workload.podSets.reduce(
      (sum, podSet) => sum + (podSet.assignment?.count ?? podSet.count),
      0,
    ),
    waiting: workload.waiting,
    createdAt: workload.createdAt,
    placedAt: workload.admittedAt,
    releasedAt: releasedAt(workload, object, deletedAt),
  };
}

export function podFacts(pod: GpuPod): PodFacts {
  return {
    uid: pod.uid,
    cluster: pod.cluster,
    namespace: pod.namespace,
    name: pod.name,
    workload: pod.workload,
    node: pod.node,
    scheduledAt: pod.scheduledAt,
    readyAt: pod.readyAt,
    finishedAt: pod.finishedAt,
  };
}

function outcomeOf({ phase }: Workload): RunFacts['outcome'] {
  return phase === 'succeeded' || phase === 'failed' ? phase : undefined;
}

/** Finished gives quota back; so does a deactivation once the Job has stopped, and at last the deletion. */
function releasedAt(
  workload: Workload,
  object: ObservedWorkload['object'],
  deletedAt?: string,
): string | undefined {
  if (workload.finishedAt) {
    return workload.finishedAt;
  }
  if (workload.phase === 'deactivated' && !object.status?.admission) {
    return (conditionOf(object, 'Admitted') ?? conditionOf(object, 'Evicted'))
      ?.lastTransitionTime;
  }
  return deletedAt;
}

function gpuFlavors(workload: Workload): string | undefined {
  const flavors = new Set(
    workload.podSets.flatMap(({ assignment }) =>
      Object.entries(assignment?.flavors ?? {})
        .filter(([resource]) => resource.includes('/'))
        .map(([, flavor]) => flavor),
    ),
  );
  return flavors.size > 0 ? [...flavors].sort().join(',') : undefined;
}
