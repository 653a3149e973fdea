import { LoggerService, SchedulerService } from '@backstage/backend-plugin-api';
import { ClusterConfig } from '../clusters/clusterConfig';
import { ClusterStore } from '../clusters/clusterStore';
import { deliveryOf } from './deliveryMatch';
import { podFacts, runFacts } from './requestObserver';
import { RequestRow, RequestStore } from './requestStore';

const EVERY = { seconds: 30 };
/** Requests one round looks at; the others have their turn in the next. */
const BATCH = 500;

/**
 * Derives living requests anew from what is stored of their clusters. Observers
 * tell them at once; this repairs what came in an order they cannot foresee: a
 * request registered after its Job ran, a merge heard of after its delivery.
 */
export class RequestReconciliation {
  /** Where the last round stopped. */
  private last?: string;

  constructor(
    private readonly options: {
      store: RequestStore;
      clusters: Pick<
        ClusterStore,
        'listWorkloads' | 'getWorkload' | 'listPods' | 'listDeliveries'
      >;
      configs: ClusterConfig[];
      logger: LoggerService;
    },
  ) {}

  async start(scheduler: SchedulerService): Promise<void> {
    await scheduler.scheduleTask({
      id: 'gpu-request-reconciliation',
      frequency: EVERY,
      timeout: EVERY,
      initialDelay: { seconds: 15 },
      scope: 'global',
      fn: () => this.round(),
    });
  }

  async round(): Promise<void> {
    const { store, clusters, logger } = this.options;
    const living = await store.listLiving(BATCH, this.last);
    // Behind the last one the first has its turn again.
    this.last = living.length < BATCH ? undefined : living.at(-1)?.id;
    const deliveries = living.length > 0 ? await clusters.listDeliveries() : [];
    for (const request of living) {
      try {
        await this.readRuns(request);
        for (const delivery of deliveries) {
          const found = deliveryOf(request, delivery, this.options.configs);
          if (found && found.state !== 'waiting') {
            await store.recordDelivery(request.id, found);
          }
        }
      } catch (error) {
        logger.warn(
          `Request ${request.id} could not be reconciled`,
          error as Error,
        );
      }
    }
  }

  private async readRuns(request: RequestRow): Promise<void> {
    const { store, clusters } = this.options;
    const { items } = await clusters.listWorkloads(
      {
        cluster: request.cluster,
        namespace: request.namespace,
        requestId: request.id,
      },
      { limit: 20 },
    );
    for (const { uid, name, job } of items) {
      const observed = await clusters.getWorkload(uid);
      if (observed && job?.name === request.name) {
        await store.recordRun(
          request.id,
          runFacts(
            observed,
            observed.workload.phase === 'deleted'
              ? observed.workload.finishedAt ?? observed.workload.freshAt
              : undefined,
          ),
        );
        const pods = await clusters.listPods({
          cluster: request.cluster,
          namespace: request.namespace,
          workload: name,
        });
        for (const pod of pods) {
          await store.recordPod(request.id, podFacts(pod));
        }
      }
    }
  }
}
