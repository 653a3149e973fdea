import { JsonObject } from '@backstage/types';
import {
  LedgerStore,
  UsageMeter,
  WorkloadObservation,
} from '@gpuaas/backstage-plugin-gpu-node';
import { Knex } from 'knex';
import {
  Change,
  ClusterObserver,
  ObservedWorkload,
} from '../clusters/clusterObserver';

/** Hands what clusters report of Workloads to the usage meter, inside the transaction that stores it. */
export class LedgerObserver implements ClusterObserver {
  readonly name = 'ledger';

  constructor(
    private readonly meter: UsageMeter,
    private readonly ledger: LedgerStore,
    private readonly now: () => number = () => Math.floor(Date.now() / 1000),
  ) {}

  async onWorkloads(
    changes: Change<ObservedWorkload>[],
    trx: Knex.Transaction,
  ): Promise<void> {
    await this.meter.onWorkloads(
      changes.map(change => this.observation(change)),
      this.ledger.within(trx),
    );
  }

  private observation({
    type,
    now: { workload, object },
    gap,
  }: Change<ObservedWorkload>): WorkloadObservation {
    return {
      type,
      workload: {
        cluster: workload.cluster,
        uid: workload.uid,
        name: workload.name,
        namespace: workload.namespace,
        job: workload.job?.name,
        queue: workload.queue,
        clusterQueue: workload.clusterQueue,
        team: workload.team,
        requestId: workload.requestId,
      },
      resourceVersion: object.metadata.resourceVersion,
      object: object as unknown as JsonObject,
      observedAt: this.now(),
      gap: gap && { from: unix(gap.from), to: unix(gap.to) },
    };
  }
}

function unix(rfc3339: string): number {
  return Math.floor(Date.parse(rfc3339) / 1000);
}
