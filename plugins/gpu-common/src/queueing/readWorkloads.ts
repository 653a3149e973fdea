import { KueuePodSpec, KueueWorkload } from './kueueObjects';
import { podRequests } from './podRequests';
import { toEngineUnits } from './resourceUnits';
import { PodSetAssignment, PodSetSpec, WorkloadSpec } from './workloadSpec';

/**
 * A Workload as the queue sees it. Its place is its creation, or its eviction
 * by an admission check; seconds since 1970.
 *
 * @public
 */
export function readWorkload(
  { metadata, spec, status }: KueueWorkload,
  clusterQueue: string,
  namespaceLabels?: Record<string, string>,
): WorkloadSpec {
  const evicted = status?.conditions?.find(({ type }) => type === 'Evicted');
  const since =
    evicted?.status === 'True' && evicted.reason === 'AdmissionCheck'
      ? evicted.lastTransitionTime
      : metadata.creationTimestamp;
  return {
    uid: metadata.uid ?? `${metadata.namespace}/${metadata.name}`,
    clusterQueue,
    priority: spec.priority ?? 0,
    timestamp: since ? Math.floor(Date.parse(since) / 1000) : 0,
    podSets: spec.podSets.map(podSet =>
      readPodSet(
        podSet.name,
        podSet.count - reclaimable(status, podSet.name),
        podSet.template.spec,
      ),
    ),
    ...(namespaceLabels && { namespaceLabels }),
  };
}

/**
 * Pods of one shape, from the spec of their template.
 *
 * @public
 */
export function readPodSet(
  name: string,
  count: number,
  pod: KueuePodSpec,
): PodSetSpec {
  const terms =
    pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
      ?.nodeSelectorTerms;
  return {
    name,
    count,
    requests: podRequests(pod),
    ...(pod.nodeSelector && { nodeSelector: pod.nodeSelector }),
    ...(terms && { requiredNodeAffinity: terms }),
    ...(pod.tolerations && { tolerations: pod.tolerations }),
  };
}

/**
 * What a Workload holds now: its admission, less what its finished pods and a
 * scale-down have given back. Undefined: it holds no quota.
 *
 * @public
 */
export function heldAdmission({
  spec,
  status,
}: KueueWorkload): PodSetAssignment[] | undefined {
  if (!status?.admission || isTrue(status, 'Finished')) return undefined;
  if (!isTrue(status, 'QuotaReserved')) return undefined;
  return (status.admission.podSetAssignments ?? []).map(assigned => {
    const wanted = spec.podSets.find(({ name }) => name === assigned.name);
    const count = assigned.count ?? wanted?.count ?? 0;
    const left = Math.max(
      0,
      Math.min(count, wanted?.count ?? count) -
        reclaimable(status, assigned.name),
    );
    return {
      name: assigned.name,
      count: left,
      flavors: assigned.flavors ?? {},
      usage: Object.fromEntries(
        Object.entries(assigned.resourceUsage ?? {}).map(([name, quantity]) => {
          const total = toEngineUnits(name, quantity);
          return [name, count > 0 ? Math.floor(total / count) * left : total];
        }),
      ),
    };
  });
}

function reclaimable(status: KueueWorkload['status'], podSet: string): number {
  return (
    status?.reclaimablePods?.find(({ name }) => name === podSet)?.count ?? 0
  );
}

/**
 * Whether a Workload without quota may be given some: it is not finished,
 * deactivated, gated, or set aside after an eviction.
 *
 * @public
 */
export function canBeAdmitted({
  metadata,
  spec,
  status,
}: KueueWorkload): boolean {
  const requeued = status?.conditions?.find(({ type }) => type === 'Requeued');
  const reserved = status?.conditions?.find(
    ({ type }) => type === 'QuotaReserved',
  );
  return (
    spec.active !== false &&
    metadata.deletionTimestamp === undefined &&
    !isTrue(status, 'Finished') &&
    requeued?.status !== 'False' &&
    reserved?.reason !== 'AdmissionGated'
  );
}

function isTrue(status: KueueWorkload['status'], type: string): boolean {
  return Boolean(
    status?.conditions?.some(
      condition => condition.type === type && condition.status === 'True',
    ),
  );
}
