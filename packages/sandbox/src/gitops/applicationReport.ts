import { isDeepStrictEqual } from 'node:util';
import { KubernetesObject } from '../apiserver/objectStore';
import { Clock, stamp } from '../clock';
import {
  ApplicationStatus,
  argoNamespace,
  argoVersion,
  Condition,
  OperationState,
  ResourceStatus,
  Source,
  splitVersion,
} from './application';
import { ClusterClient } from './clusterClient';
import { HealthStatus, healthOf, worstHealth } from './health';

/** A wanted object, a live one, or both. */
export interface Compared {
  wanted?: KubernetesObject;
  live?: KubernetesObject;
  inSync: boolean;
}

export interface ReportOptions {
  source: Source;
  hub: ClusterClient;
  clock: Clock;
  /** The Application as it stands on the hub. */
  object: KubernetesObject;
}

/** The status of one Application, written to the hub when it means something new. */
export class ApplicationReport {
  status: Partial<ApplicationStatus>;
  private written?: ApplicationStatus;

  constructor(private readonly options: ReportOptions) {
    this.status = options.object.status ?? {};
  }

  now(): string {
    return stamp(this.options.clock.now());
  }

  /** Reports what a comparison has found. */
  async compared(
    revision: string,
    wanted: readonly KubernetesObject[],
    pairs: readonly Compared[],
  ): Promise<void> {
    const resources = pairs.map<ResourceStatus>(pair => {
      const object = (pair.wanted ?? pair.live)!;
      const { group, version } = splitVersion(object.apiVersion);
      return {
        ...(group && { group }),
        version,
        kind: object.kind,
        namespace: object.metadata.namespace,
        name: object.metadata.name,
        status: pair.inSync ? 'Synced' : 'OutOfSync',
        ...(!pair.wanted && { requiresPruning: true }),
      };
    });
    const health = worstHealth(
      pairs
        .filter(pair => pair.wanted)
        .map(({ live }) => (live ? healthOf(live) ?? 'Healthy' : 'Missing')),
    );
    await this.write({
      conditions: this.conditions(wanted),
      resources,
      health,
      sync: resources.every(({ status }) => status === 'Synced')
        ? 'Synced'
        : 'OutOfSync',
      revision,
    });
  }

  private conditions(wanted: readonly KubernetesObject[]) {
    const conditions: Array<Omit<Condition, 'lastTransitionTime'>> = [];
    const state = this.status.operationState;
    if (state?.phase === 'Failed' || state?.phase === 'Error') {
      conditions.push({
        type: 'SyncError',
        message: `Failed last sync attempt to ${state.syncResult?.revision}: ${state.message}`,
      });
    }
    const seen = new Map<string, number>();
    for (const object of wanted) {
      const { group } = splitVersion(object.apiVersion);
      const id = `${group}/${object.kind}/${object.metadata.namespace}/${object.metadata.name}`;
      seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    for (const [id, times] of seen) {
      if (times > 1) {
        conditions.push({
          type: 'RepeatedResourceWarning',
          message: `Resource ${id} appeared ${times} times among application resources.`,
        });
      }
    }
    return conditions;
  }

  /** Reports that Git and cluster could not be compared; what was known stays. */
  comparisonFailed(message: string): Promise<void> {
    return this.write({
      conditions: [{ type: 'ComparisonError', message }],
      resources: this.status.resources ?? [],
      health: this.status.health?.status ?? 'Healthy',
      sync: 'Unknown',
      revision: this.status.sync?.revision,
    });
  }

  private async write(found: {
    conditions: Array<Omit<Condition, 'lastTransitionTime'>>;
    resources: ResourceStatus[];
    health: HealthStatus;
    sync: ApplicationStatus['sync']['status'];
    revision: string | undefined;
  }): Promise<void> {
    const { hub, object, source } = this.options;
    const now = this.now();
    const old = this.status;
    const status: ApplicationStatus = {
      ...old,
      controllerNamespace: argoNamespace,
      conditions: found.conditions.map(condition => ({
        ...condition,
        lastTransitionTime:
          old.conditions?.find(
            ({ type, message }) =>
              type === condition.type && message === condition.message,
          )?.lastTransitionTime ?? now,
      })),
      health: {
        status: found.health,
        lastTransitionTime:
          old.health?.status === found.health
            ? old.health.lastTransitionTime
            : now,
      },
      reconciledAt: now,
      resourceHealthSource: 'appTree',
      resources: found.resources,
      sourceHydrator: {},
      sourceType: 'Directory',
      summary: {},
      sync: {
        status: found.sync,
        ...(found.revision && { revision: found.revision }),
        comparedTo: {
          destination: object.spec.destination,
          source,
          ignoreDifferences: object.spec.ignoreDifferences,
        },
      },
    };
    const { reconciledAt: _new, ...meaning } = status;
    const { reconciledAt: _old, ...oldMeaning } = this.written ?? {};
    if (isDeepStrictEqual(meaning, oldMeaning)) {
      return;
    }
    this.status = status;
    await hub.mergePatch(
      {
        apiVersion: argoVersion,
        kind: 'Application',
        namespace: argoNamespace,
        name: object.metadata.name,
      },
      {
        status: {
          ...status,
          // A merge patch leaves what it does not name.
          conditions: status.conditions?.length ? status.conditions : null,
          operationState: replaced(status.operationState),
        },
      },
    );
    this.written = structuredClone(status);
  }
}

/** An operation state whose absent parts are removed by a merge patch. */
function replaced(state: OperationState | undefined) {
  return (
    state && {
      ...state,
      finishedAt: state.finishedAt ?? null,
      retryCount: state.retryCount ?? null,
    }
  );
}
