import { matchesRequirement } from './labelSelector';
import { ResourceFlavorSpec, Taint, Toleration } from './quotaSpec';
import { PodSetSpec } from './workloadSpec';

/**
 * The first taint of a flavor that keeps pods away and that neither the pods
 * nor the flavor's own tolerations tolerate. PreferNoSchedule is no obstacle.
 */
export function untoleratedTaint(
  flavor: ResourceFlavorSpec,
  podSet: PodSetSpec,
): Taint | undefined {
  const tolerations = [
    ...(podSet.tolerations ?? []),
    ...(flavor.tolerations ?? []),
  ];
  return flavor.nodeTaints?.find(
    taint =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some(toleration => tolerates(toleration, taint)),
  );
}

/**
 * Whether pods may go to a flavor's nodes by nodeSelector and required node
 * affinity. Only label keys the flavor itself defines are looked at: what it
 * does not say is left to the scheduler.
 */
export function matchesFlavor(
  flavor: ResourceFlavorSpec,
  podSet: PodSetSpec,
): boolean {
  const labels = flavor.nodeLabels ?? {};
  const isDefined = (key: string) => Object.hasOwn(labels, key);
  const selected = Object.entries(podSet.nodeSelector ?? {}).every(
    ([key, value]) => !isDefined(key) || labels[key] === value,
  );
  if (!selected) return false;

  const terms = (podSet.requiredNodeAffinity ?? []).map(term =>
    (term.matchExpressions ?? []).filter(({ key }) => isDefined(key)),
  );
  // Terms are alternatives: one about which the flavor says nothing is satisfied by it.
  return (
    terms.length === 0 ||
    terms.some(term =>
      term.every(requirement => matchesRequirement(requirement, labels)),
    )
  );
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (
    Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '')
  );
}
