/* eslint-disable @typescript-eslint/no-explicit-any */
import {
  fromEngineUnits,
  PodSetAssignment,
  PodSetSpec,
} from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject } from '../apiserver/objectStore';
import { findCondition, isTrue, setCondition } from './conditions';

/**
 * Changes of a Workload's status as Kueue's controllers make them, on a
 * private copy. `now` is a stamp.
 */

/** Quota is reserved; without admission checks the Workload is admitted by the same write. */
export function reserveQuota(
  workload: KubernetesObject,
  clusterQueue: string,
  podSets: PodSetAssignment[],
  checks: string[],
  now: string,
): void {
  const status = (workload.status ??= {});
  status.admission = {
    clusterQueue,
    podSetAssignments: podSets.map(podSet => ({
      name: podSet.name,
      ...(Object.keys(podSet.flavors).length > 0 && {
        flavors: podSet.flavors,
        resourceUsage: quantities(podSet.usage),
      }),
      count: podSet.count,
    })),
  };
  delete status.resourceRequests;
  setCondition(
    workload,
    {
      type: 'QuotaReserved',
      status: 'True',
      reason: 'QuotaReserved',
      message: `Quota reserved in ClusterQueue ${clusterQueue}`,
    },
    now,
  );
  for (const type of ['Evicted', 'Preempted']) {
    const past = findCondition(workload, type);
    if (past?.status === 'True') {
      setCondition(
        workload,
        {
          type,
          status: 'False',
          reason: 'QuotaReserved',
          message: `Previously: ${past.message}`,
        },
        now,
      );
    }
  }
  if (checks.length > 0) {
    const known: any[] = status.admissionChecks ?? [];
    status.admissionChecks = checks.map(
      name =>
        known.find(check => check.name === name) ?? {
          name,
          state: 'Pending',
          lastTransitionTime: now,
          message: '',
        },
    );
  } else {
    delete status.admissionChecks;
    admit(workload, now);
  }
}

export function admit(workload: KubernetesObject, now: string): void {
  setCondition(
    workload,
    {
      type: 'Admitted',
      status: 'True',
      reason: 'Admitted',
      message: 'The workload is admitted',
    },
    now,
  );
}

/** Considered and not admitted; `podSets`: what it asked for. False: nothing new to say. */
export function refuse(
  workload: KubernetesObject,
  message: string,
  podSets: PodSetSpec[],
  now: string,
): void {
  markPending(workload, 'Pending', message, now);
  workload.status.resourceRequests = podSets.map(
    ({ name, count, requests }) => ({
      name,
      resources: quantities(
        Object.fromEntries(
          Object.entries(requests).map(([key, value]) => [key, value * count]),
        ),
      ),
    }),
  );
}

/** QuotaReserved=False. */
export function markPending(
  workload: KubernetesObject,
  reason: 'Pending' | 'Inadmissible' | 'AdmissionGated',
  message: string,
  now: string,
): void {
  setCondition(
    workload,
    { type: 'QuotaReserved', status: 'False', reason, message },
    now,
  );
}

/**
 * An eviction begins: admission and Admitted stay until the Job has stopped.
 *
 * @param cause - what lies under a deactivation, for example MaximumExecutionTimeExceeded
 */
export function evict(
  workload: KubernetesObject,
  reason: string,
  message: string,
  cause: string | undefined,
  now: string,
): void {
  setCondition(
    workload,
    { type: 'Evicted', status: 'True', reason, message },
    now,
  );
  const counted = reason.startsWith('Deactivated') ? 'Deactivated' : reason;
  const stats = (workload.status.schedulingStats ??= {});
  const evictions: any[] = (stats.evictions ??= []);
  const known = evictions.find(
    each => each.reason === counted && each.underlyingCause === (cause ?? ''),
  );
  if (known) known.count += 1;
  else {
    evictions.push({
      reason: counted,
      underlyingCause: cause ?? '',
      count: 1,
    });
  }
}

/** The evicted Workload's Job has stopped: its quota is given back. */
export function releaseQuota(workload: KubernetesObject, now: string): void {
  const { status } = workload;
  const evicted = findCondition(workload, 'Evicted');
  const admitted = findCondition(workload, 'Admitted');
  const reason = evicted?.reason ?? 'Pending';
  const message = evicted?.message ?? 'The workload has no reservation';
  delete status.admission;
  if (admitted?.status === 'True') {
    const ran =
      (Date.parse(now) - Date.parse(admitted.lastTransitionTime)) / 1000;
    status.accumulatedPastExecutionTimeSeconds =
      (status.accumulatedPastExecutionTimeSeconds ?? 0) + ran;
    setCondition(
      workload,
      {
        type: 'Admitted',
        status: 'False',
        reason: 'NoReservation',
        message: 'The workload has no reservation',
      },
      now,
    );
  }
  if (reason === 'DeactivatedDueToMaximumExecutionTimeExceeded') {
    delete status.accumulatedPastExecutionTimeSeconds;
  }
  markPending(workload, 'Pending', message, now);
  if (evicted) {
    const isRequeued = reason === 'Preempted';
    setRequeued(workload, isRequeued, reason, message, now);
  }
  for (const check of status.admissionChecks ?? []) {
    if (check.state === 'Retry') check.retryCount = (check.retryCount ?? 0) + 1;
    if (check.state !== 'Pending') {
      check.state = 'Pending';
      check.message = `Reset to Pending after eviction. Previously: ${reason}`;
      check.lastTransitionTime = now;
    }
  }
}

export function setRequeued(
  workload: KubernetesObject,
  requeued: boolean,
  reason: string,
  message: string,
  now: string,
): void {
  setCondition(
    workload,
    {
      type: 'Requeued',
      status: requeued ? 'True' : 'False',
      reason,
      message,
    },
    now,
  );
}

export function finish(
  workload: KubernetesObject,
  reason: 'Succeeded' | 'Failed' | 'OwnerNotFound',
  message: string,
  now: string,
): void {
  setCondition(
    workload,
    { type: 'Finished', status: 'True', reason, message },
    now,
  );
}

/** Whether a Workload holds quota. */
export function holdsQuota(workload: KubernetesObject): boolean {
  return (
    Boolean(workload.status?.admission) &&
    isTrue(workload, 'QuotaReserved') &&
    !isTrue(workload, 'Finished')
  );
}

function quantities(units: Record<string, number>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(units).map(([resource, value]) => [
      resource,
      fromEngineUnits(resource, value),
    ]),
  );
}
