/* eslint-disable @typescript-eslint/no-explicit-any */
import { KubernetesObject } from '../apiserver/objectStore';

/** What the admission checks of a Workload with reserved quota say together. */
export type ChecksVerdict =
  | { kind: 'pending' | 'ready' }
  /** `at`: when all that ask for it may be tried again. */
  | { kind: 'retry'; at: Date }
  | { kind: 'rejected'; names: string[] };

export function verdictOf(workload: KubernetesObject): ChecksVerdict {
  const checks: any[] = workload.status?.admissionChecks ?? [];
  const inState = (state: string) =>
    checks.filter(check => check.state === state);
  const rejected = inState('Rejected');
  if (rejected.length > 0) {
    return { kind: 'rejected', names: rejected.map(({ name }) => name) };
  }
  const retries = inState('Retry');
  if (retries.length > 0) {
    const times = retries.map(
      check =>
        Date.parse(check.lastTransitionTime) +
        (check.requeueAfterSeconds ?? 0) * 1000,
    );
    return { kind: 'retry', at: new Date(Math.max(...times)) };
  }
  return {
    kind: inState('Ready').length === checks.length ? 'ready' : 'pending',
  };
}

/** Names of the admission checks a ClusterQueue asks for on these flavors. */
export function checksOf(
  clusterQueue: KubernetesObject | undefined,
  flavors: Set<string>,
): string[] {
  const rules: Array<{ name: string; onFlavors?: string[] }> =
    clusterQueue?.spec?.admissionChecksStrategy?.admissionChecks ?? [];
  return rules
    .filter(
      ({ onFlavors = [] }) =>
        onFlavors.length === 0 || onFlavors.some(name => flavors.has(name)),
    )
    .map(({ name }) => name);
}
