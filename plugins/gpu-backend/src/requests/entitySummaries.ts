import {
  ENDED_REQUEST_STATES,
  EntitySummary,
  RequestState,
} from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterStore, RowRestriction } from '../clusters/clusterStore';
import { LedgerReader } from '../ledger/ledgerReader';
import { RequestStore } from './requestStore';
import { RequestViews } from './requestViews';

const RUNNING: RequestState[] = ['starting', 'running'];
const LATEST = 5;

/** What the GPU tab of a component shows. */
export class EntitySummaries {
  constructor(
    private readonly options: {
      store: RequestStore;
      views: RequestViews;
      clusters: Pick<ClusterStore, 'listClusters'>;
      ledger: LedgerReader;
    },
  ) {}

  /**
   * @param restrict - which requests the caller may see.
   * @param workloads - which Workloads; undefined: none, and what they hold is not known.
   */
  async summarise(
    entity: string,
    restrict: RowRestriction | undefined,
    workloads: { restrict?: RowRestriction } | undefined,
  ): Promise<EntitySummary> {
    const { store, views, clusters, ledger } = this.options;
    const states = await store.countStates(entity, restrict);
    const latest = await views.list({ entity }, { limit: LATEST }, restrict);
    const usage =
      workloads && (await ledger.totals({ entity }, workloads.restrict));
    const count = (matches: (state: RequestState) => boolean) =>
      [...states]
        .filter(([state]) => matches(state))
        .reduce((sum, [, n]) => sum + n, 0);
    const ended = count(state => ENDED_REQUEST_STATES.includes(state));
    const running = count(state => RUNNING.includes(state));
    const active = count(() => true) - ended;
    const pictures = (await clusters.listClusters()).map(
      cluster => cluster.freshAt ?? cluster.since,
    );
    return {
      entity,
      requests: { active, running, waiting: active - running, ended },
      gpusNowNano: usage?.nowNano,
      gpuNanoSeconds: usage?.gpuNanoSeconds,
      latest: latest.items,
      freshAt: pictures.sort()[0] ?? new Date().toISOString(),
    };
  }
}
