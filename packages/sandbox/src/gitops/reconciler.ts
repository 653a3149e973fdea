import { KubernetesObject } from '../apiserver/objectStore';
import { Clock } from '../clock';
import {
  applicationName,
  ApplicationTarget,
  ignoredPointers,
  OperationState,
  ResourceResult,
  retryLimit,
  Source,
  trackingAnnotation,
  trackingId,
} from './application';
import { ApplicationReport } from './applicationReport';
import { applyManifest, notPermitted, resourceResult } from './applyManifest';
import {
  ClusterClient,
  ClusterError,
  ClusterUnreachable,
  keyOf,
} from './clusterClient';
import { contains, withoutPointers } from './comparison';
import { ManifestError, parseManifests, SourceFile } from './manifests';

/** What Git says about one Application. */
export interface Desired {
  revision: string;
  /** undefined: the folder does not exist. */
  files: SourceFile[] | undefined;
}

interface Pair {
  wanted?: KubernetesObject;
  live?: KubernetesObject;
}

export interface ReconcilerOptions {
  target: ApplicationTarget;
  source: Source;
  hub: ClusterClient;
  spoke: ClusterClient;
  clock: Clock;
  /** The Application as it stands on the hub. */
  object: KubernetesObject;
  /** First wait before a failed sync is tried again, in milliseconds; doubled each time. */
  retryAfter: number;
  /** Asks for another {@link Reconciler.reconcile}. */
  requeue: () => void;
}

const idle = () => {};
const historyLength = 10;
const longestRetryWait = 180_000;

/** Keeps one Application's resources as Git has them, and reports as Argo CD does. */
export class Reconciler {
  readonly name: string;
  private readonly report: ApplicationReport;
  private retryDue = false;
  private cancelRetry: () => void = idle;

  constructor(private readonly options: ReconcilerOptions) {
    this.name = applicationName(options.target);
    this.report = new ApplicationReport(options);
  }

  stop(): void {
    this.cancelRetry();
  }

  /** Revision that the Application was last synced to; undefined when it never was. */
  get syncedRevision(): string | undefined {
    return this.report.status.operationState?.syncResult?.revision;
  }

  /** Reports that Git cannot be read. */
  async gitUnreadable(reason: string): Promise<void> {
    await this.report.comparisonFailed(
      `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = ${reason}`,
    );
  }

  /** Compares, syncs where Git has something new, and reports. */
  async reconcile(desired: Desired): Promise<void> {
    let wanted: KubernetesObject[];
    try {
      wanted = this.wantedObjects(desired);
    } catch (error) {
      if (error instanceof ManifestError) {
        await this.gitUnreadable(error.message);
        return;
      }
      throw error;
    }
    try {
      let pairs = await this.compare(wanted);
      if (pairs.some(pair => !this.inSync(pair)) && this.mayTry(desired)) {
        await this.sync(desired.revision, pairs);
        pairs = await this.compare(wanted);
      }
      await this.report.compared(
        desired.revision,
        wanted,
        pairs.map(pair => ({ ...pair, inSync: this.inSync(pair) })),
      );
    } catch (error) {
      if (
        !(error instanceof ClusterUnreachable || error instanceof ClusterError)
      ) {
        throw error;
      }
      await this.report.comparisonFailed(
        `Failed to load live state: failed to get cluster info for "${this.options.spoke.url}": error synchronizing cache state : ${error.message}`,
      );
      this.options.clock.after(this.options.retryAfter, this.options.requeue);
    }
  }

  private wantedObjects({ files }: Desired): KubernetesObject[] {
    const { source, target } = this.options;
    if (!files) {
      throw new ManifestError(`${source.path}: app path does not exist`);
    }
    return parseManifests(files).map(object => {
      const placed: KubernetesObject = {
        ...object,
        metadata: {
          ...object.metadata,
          namespace: object.metadata.namespace ?? target.namespace,
        },
      };
      placed.metadata.annotations = {
        ...object.metadata.annotations,
        [trackingAnnotation]: trackingId(this.name, placed),
      };
      return placed;
    });
  }

  /** Wanted objects with their live counterparts, then live ones that Git no longer has. */
  private async compare(wanted: readonly KubernetesObject[]): Promise<Pair[]> {
    const { spoke } = this.options;
    const pairs: Pair[] = await Promise.all(
      wanted.map(async object => ({
        wanted: object,
        live: await this.liveOf(object),
      })),
    );
    const ids = new Set(wanted.map(object => trackingId(this.name, object)));
    for (const managed of this.report.status.resources ?? []) {
      const key = {
        apiVersion: managed.group
          ? `${managed.group}/${managed.version}`
          : managed.version,
        kind: managed.kind,
        namespace: managed.namespace,
        name: managed.name,
      };
      const id = `${this.name}:${managed.group ?? ''}/${managed.kind}:${
        managed.namespace ?? ''
      }/${managed.name}`;
      if (!ids.has(id)) {
        const live = await spoke.get(key);
        if (live?.metadata.annotations?.[trackingAnnotation] === id) {
          pairs.push({ live });
        }
      }
    }
    return pairs;
  }

  private async liveOf(
    wanted: KubernetesObject,
  ): Promise<KubernetesObject | undefined> {
    const { spoke, target } = this.options;
    return wanted.metadata.namespace === target.namespace
      ? spoke.get(keyOf(wanted))
      : undefined;
  }

  private inSync({ wanted, live }: Pair): boolean {
    return (
      wanted !== undefined &&
      live !== undefined &&
      contains(live, withoutPointers(wanted, ignoredPointers))
    );
  }

  /** One automated attempt a revision; after a failure as many more as the policy has. */
  private mayTry({ revision }: Desired): boolean {
    const last = this.report.status.operationState;
    if (last?.syncResult?.revision !== revision) {
      this.cancelRetry();
      this.retryDue = false;
      return true;
    }
    if (last.phase === 'Running') {
      // After a restart nobody waits for the next attempt any more.
      return this.retryDue || this.cancelRetry === idle;
    }
    return false;
  }

  private async sync(revision: string, pairs: readonly Pair[]): Promise<void> {
    const { spoke, target, source } = this.options;
    const last = this.report.status.operationState;
    const again =
      last?.syncResult?.revision === revision && last.phase === 'Running';
    const startedAt = again ? last.startedAt : this.report.now();
    const retryCount = again ? (last.retryCount ?? 0) + 1 : 0;
    this.retryDue = false;

    const refusals = await Promise.all(
      pairs.map(({ wanted }) => wanted && notPermitted(spoke, target, wanted)),
    );
    let resources: ResourceResult[];
    let problem: string | undefined;
    if (refusals.some(Boolean)) {
      // As with Argo CD, one task that is not valid keeps all of them back.
      resources = pairs.flatMap(({ wanted }, index) =>
        wanted && refusals[index]
          ? [resourceResult(wanted, 'SyncFailed', refusals[index])]
          : [],
      );
      problem = 'one or more synchronization tasks are not valid';
    } else {
      resources = await Promise.all(pairs.map(pair => this.carryOut(pair)));
      const failed = resources.find(({ status }) => status === 'SyncFailed');
      problem =
        failed &&
        `one or more objects failed to apply, reason: ${failed.message}`;
    }

    const operation: OperationState['operation'] = {
      initiatedBy: { automated: true },
      retry: this.options.object.spec?.syncPolicy?.retry ?? {},
      sync: {
        prune: true,
        revision,
        syncOptions: ['RespectIgnoreDifferences=true'],
      },
    };
    const common = {
      operation,
      startedAt,
      ...(retryCount > 0 && { retryCount }),
      syncResult: { revision, source, resources },
    };
    if (!problem) {
      this.succeed({
        ...common,
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        finishedAt: this.report.now(),
      });
    } else if (retryCount >= retryLimit) {
      this.report.status.operationState = {
        ...common,
        phase: 'Failed',
        message: `${problem} (retried ${retryCount} times).`,
        finishedAt: this.report.now(),
      };
    } else {
      this.report.status.operationState = {
        ...common,
        phase: 'Running',
        message: `${problem}. Retrying attempt #${
          retryCount + 1
        } at ${clockTime(this.waitForRetry(retryCount))}.`,
      };
    }
  }

  private async carryOut({ wanted, live }: Pair): Promise<ResourceResult> {
    const { spoke } = this.options;
    const object = (wanted ?? live)!;
    try {
      if (!wanted) {
        await spoke.delete(keyOf(object), 'Foreground');
        return resourceResult(object, 'Pruned', 'pruned');
      }
      const message = await applyManifest(spoke, wanted, live);
      return resourceResult(object, 'Synced', message);
    } catch (error) {
      if (error instanceof ClusterUnreachable) {
        throw error;
      }
      return resourceResult(object, 'SyncFailed', (error as Error).message);
    }
  }

  private waitForRetry(retryCount: number): Date {
    const wait = Math.min(
      this.options.retryAfter * 2 ** retryCount,
      longestRetryWait,
    );
    this.cancelRetry();
    this.cancelRetry = this.options.clock.after(wait, () => {
      this.retryDue = true;
      this.options.requeue();
    });
    return new Date(this.options.clock.now().getTime() + wait);
  }

  private succeed(state: OperationState): void {
    const { source } = this.options;
    const history = this.report.status.history ?? [];
    this.report.status.operationState = state;
    this.report.status.history = [
      ...history,
      {
        id: (history.at(-1)?.id ?? -1) + 1,
        revision: state.syncResult!.revision,
        deployStartedAt: state.startedAt,
        deployedAt: state.finishedAt!,
        initiatedBy: { automated: true as const },
        source,
      },
    ].slice(-historyLength);
  }
}

/** `3:04PM`, as Argo CD writes the time of its next attempt. */
function clockTime(date: Date): string {
  const hours = date.getUTCHours();
  return `${hours % 12 || 12}:${String(date.getUTCMinutes()).padStart(2, '0')}${
    hours < 12 ? 'AM' : 'PM'
  }`;
}
