import { LoggerService } from '@backstage/backend-plugin-api';
import { DeviceClassOffer } from '@gpuaas/backstage-plugin-gpu-common';
import { Knex } from 'knex';
import { ClusterStore } from '../clusters/clusterStore';
import { leasedLoop } from '../database/leasedLoop';
import { Leases } from '../database/leases';
import { RequestStore } from '../requests/requestStore';
import { IntervalRecord } from './intervalRows';

const EVERY_MILLIS = 1_000;
const LEASE = 'ledger-completion';
const BATCH = 1_000;

/**
 * Completes intervals with what the meter cannot know inside its transaction:
 * the share of a GPU its units are, and entity and user where the request is
 * known and its merged file is the registered one (rule 3).
 */
export class IntervalCompletion {
  constructor(
    private readonly options: {
      knex: Knex;
      leases: Leases;
      clusters: Pick<ClusterStore, 'listOffers'>;
      requests: Pick<RequestStore, 'recordMetered'>;
      logger: LoggerService;
      /** Clusters whose Prometheus tells of first samples: there an interval counts as metered with the first sample or its end. */
      observed: string[];
    },
  ) {}

  /** Runs until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await leasedLoop({
      leases: this.options.leases,
      lease: LEASE,
      everyMillis: EVERY_MILLIS,
      signal,
      round: () => this.round(),
      onError: error =>
        this.options.logger.warn(
          'Completing the ledger stopped and will go on',
          error,
        ),
    });
  }

  async round(): Promise<void> {
    await this.completeShares();
    await this.completeOwners();
    await this.markMetered();
  }

  private async completeShares(): Promise<void> {
    const { knex } = this.options;
    const missing: Array<
      Pick<IntervalRecord, 'cluster' | 'flavor' | 'resource'>
    > = await knex('ledger_intervals')
      .whereNull('share_nano')
      .distinct('cluster', 'flavor', 'resource');
    if (missing.length === 0) {
      return;
    }
    const offers = await this.options.clusters.listOffers();
    for (const what of missing) {
      const offer = offers.find(one => offersIt(one, what));
      if (offer) {
        await knex('ledger_intervals')
          .where(what)
          .whereNull('share_nano')
          .update({
            device_class: offer.deviceClass.id,
            ...shareOf(knex, offer.deviceClass.shareNano),
          });
      }
    }
  }

  private async completeOwners(): Promise<void> {
    const { knex } = this.options;
    const verified: Array<{ id: string; entity: string; requester: string }> =
      await knex('ledger_intervals as held')
        .join('requests', join =>
          join
            .on('requests.id', 'held.request_id')
            .andOn('requests.cluster', 'held.cluster')
            .andOn('requests.namespace', 'held.namespace')
            .andOn('requests.name', 'held.job'),
        )
        .whereNull('held.entity')
        .whereNotNull('held.request_id')
        .where('requests.file_check', 'same')
        // What runs under its name after the file has left Git was not brought by Git.
        .whereNull('requests.file_gone_at')
        .distinct('requests.id', 'requests.entity', 'requests.requester')
        .limit(BATCH);
    for (const { id, entity, requester } of verified) {
      await knex('ledger_intervals')
        .where({ request_id: id })
        .whereNull('entity')
        .whereExists(
          knex('requests')
            .where('requests.id', id)
            .whereRaw('requests.cluster = ledger_intervals.cluster')
            .whereRaw('requests.namespace = ledger_intervals.namespace')
            .whereRaw('requests.name = ledger_intervals.job'),
        )
        .update({ entity, requester });
    }
  }

  /** A run is metered when the ledger holds its interval with its share, and its first sample is known or it has ended. */
  private async markMetered(): Promise<void> {
    const { knex, observed } = this.options;
    const runs: Array<{ request_id: string; workload_uid: string }> =
      await knex('request_runs as run')
        .join('requests', 'requests.id', 'run.request_id')
        .whereNull('run.metered_at')
        .whereNotNull('run.placed_at')
        .whereExists(
          knex('ledger_intervals')
            .whereRaw('ledger_intervals.cluster = requests.cluster')
            .whereRaw('ledger_intervals.workload_uid = run.workload_uid')
            .where('kind', 'allocated')
            .whereNotNull('share_nano'),
        )
        .andWhere(ready =>
          ready
            .whereNotNull('run.released_at')
            .orWhereNotIn('requests.cluster', observed)
            .orWhereExists(
              knex('request_pods')
                .whereRaw('request_pods.request_id = run.request_id')
                .whereNotNull('first_sample_at'),
            ),
        )
        .limit(BATCH)
        .select('run.request_id', 'run.workload_uid');
    for (const run of runs) {
      await this.options.requests.recordMetered(
        run.request_id,
        run.workload_uid,
      );
    }
  }
}

/** Columns of an interval whose class is known: what its units are of a GPU, and of GPU time once it is closed. */
function shareOf(knex: Knex, shareNano: number) {
  const share = knex.raw('units * cast(? as bigint)', [shareNano]);
  return {
    share_nano: share,
    gpu_nano_seconds: knex.raw(
      'case when closed_at is null then null else ? * (closed_at - opened_at) end',
      [share],
    ),
  };
}

/** The class follows the flavor: the same resource name means different classes on two flavors. */
function offersIt(
  offer: DeviceClassOffer,
  what: Pick<IntervalRecord, 'cluster' | 'flavor' | 'resource'>,
): boolean {
  return (
    offer.cluster === what.cluster &&
    offer.flavor === what.flavor &&
    offer.deviceClass.resourceName === what.resource
  );
}
