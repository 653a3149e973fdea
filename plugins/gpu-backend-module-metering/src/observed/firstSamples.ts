import {
  MeteredCluster,
  UnobservedPod,
  UsageMeterContext,
} from '@gpuaas/backstage-plugin-gpu-node';
import { Prometheus, quote } from './prometheus';

/** Exported for every GPU and MIG slice by default; the second by AMD's exporter. */
const METRICS = ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'gpu_gfx_activity'];
/** With and without Prometheus' honorLabels. */
const LABELS = [
  { pod: 'pod', namespace: 'namespace' },
  { pod: 'exported_pod', namespace: 'exported_namespace' },
];
const BATCH = 100;
/** A pod that ended is given up when no sample came within this many seconds; clocks are taken to differ by no more. */
const LATEST = 900;
/** Seconds looked back at most; Prometheus may have been down meanwhile. */
const WINDOW = 86_400;

/** Finds the first metric sample of each pod after it was ready: step "Observed". */
export class FirstSamples {
  constructor(
    private readonly context: UsageMeterContext,
    private readonly options: {
      fetchFn?: typeof fetch;
      now?: () => number;
    } = {},
  ) {}

  /** A task for each cluster: a Prometheus that is slow or down costs its own cluster only. */
  async start(): Promise<void> {
    for (const cluster of this.context.clusters) {
      if (cluster.prometheus) {
        await this.context.scheduler.scheduleTask({
          id: `gpu-first-samples-${cluster.name}`,
          frequency: { seconds: 3 },
          timeout: { seconds: 30 },
          initialDelay: { seconds: 3 },
          scope: 'global',
          fn: signal => this.round(cluster, signal),
        });
      }
    }
  }

  /** One look at the pods of a cluster without a sample. */
  async round(
    { name, prometheus }: MeteredCluster,
    signal?: AbortSignal,
  ): Promise<void> {
    if (!prometheus) {
      return;
    }
    const { ledger, logger } = this.context;
    const pods = await ledger.listUnobservedPods({
      cluster: name,
      endedAfter: this.now() - LATEST,
      limit: BATCH,
    });
    const client = new Prometheus(prometheus, this.options.fetchFn);
    try {
      for (const pod of pods) {
        if (signal?.aborted) {
          return;
        }
        await this.look(client, pod);
      }
    } catch (error) {
      logger.warn(`Prometheus of ${name} cannot be asked: ${error}`);
    }
  }

  private async look(client: Prometheus, pod: UnobservedPod): Promise<void> {
    const end = this.now();
    // Ready in the future: the cluster's clock is ahead, and every sample of the pod seems too early.
    const isAhead = pod.readyAt > end;
    const from = isAhead ? end - LATEST : pod.readyAt;
    const seconds = Math.min(WINDOW, end - from + 1);
    for (const metric of METRICS) {
      for (const labels of LABELS) {
        const series = await client.samples(
          `${metric}{${labels.namespace}=${quote(pod.namespace)},${
            labels.pod
          }=${quote(pod.name)}}`,
          end,
          seconds,
        );
        const first = series
          .flatMap(({ values }) => values.map(([at]) => at))
          .filter(at => at >= from && at <= end)
          .sort((a, b) => a - b)[0];
        if (first !== undefined) {
          await this.context.ledger.recordFirstSample(pod, first, metric);
          return;
        }
      }
    }
  }

  private now(): number {
    return (this.options.now ?? (() => Math.floor(Date.now() / 1000)))();
  }
}
