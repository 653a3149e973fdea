import {
  LedgerTransaction,
  MeteredWorkload,
  UsageMeter,
  UsageMeterContext,
  WorkloadObservation,
} from '@gpuaas/backstage-plugin-gpu-node';
import { heldIntervals } from './intervals/heldIntervals';
import {
  hasEnded,
  NO_HISTORY,
  withObservation,
  WorkloadHistory,
} from './intervals/workloadHistory';
import { FirstSamples } from './observed/firstSamples';

/**
 * Meters what Kueue gives: allocation by its conditions, and the first metric
 * sample of each pod.
 *
 * A MultiKueue manager's Workload (`status.clusterName`) holds no GPU of its
 * cluster: the worker's copy is metered instead.
 */
export class KueueUsageMeter implements UsageMeter {
  readonly name = 'kueue';

  async onWorkloads(
    observations: WorkloadObservation[],
    ledger: LedgerTransaction,
  ): Promise<void> {
    const groups = new Map<string, WorkloadObservation[]>();
    for (const observation of observations) {
      if (!isDispatched(observation)) {
        const { cluster, uid } = observation.workload;
        const key = `${cluster}/${uid}`;
        groups.set(key, [...(groups.get(key) ?? []), observation]);
      }
    }
    const byCluster = new Map<string, WorkloadObservation[][]>();
    for (const group of groups.values()) {
      const { cluster } = group[0].workload;
      byCluster.set(cluster, [...(byCluster.get(cluster) ?? []), group]);
    }
    for (const [cluster, workloads] of byCluster) {
      const states = await ledger.readStates(
        cluster,
        workloads.map(([{ workload }]) => workload.uid),
      );
      for (const group of workloads) {
        await meter(group, states.get(group[0].workload.uid), ledger);
      }
    }
  }

  async start(context: UsageMeterContext): Promise<void> {
    await new FirstSamples(context).start();
  }
}

async function meter(
  observations: WorkloadObservation[],
  state: string | undefined,
  ledger: LedgerTransaction,
): Promise<void> {
  const known: WorkloadHistory | undefined = state && JSON.parse(state);
  const history = observations.reduce(withObservation, known ?? NO_HISTORY);
  const text = JSON.stringify(history);
  if (text === state) {
    return;
  }
  const workload: MeteredWorkload =
    observations[observations.length - 1].workload;
  const intervals = heldIntervals(history);
  if (known || intervals.length > 0 || history.reserved.length > 0) {
    await ledger.writeState(
      workload.cluster,
      workload.uid,
      text,
      hasEnded(history),
    );
    // Without notes of our own an earlier history may have been pruned: then nothing is taken away.
    await ledger.writeIntervals(workload, intervals, known !== undefined);
  }
}

function isDispatched({ object }: WorkloadObservation): boolean {
  const status = object.status as { clusterName?: string } | undefined;
  return Boolean(status?.clusterName);
}
