import {
  KueueClusterQueue,
  KueueCohort,
  KueueCondition,
  KueueResourceFlavor,
  KueueResourceGroup,
} from './kueueObjects';
import {
  ClusterQueueSpec,
  CohortSpec,
  ResourceFlavorSpec,
  ResourceGroup,
} from './quotaSpec';
import { toEngineUnits } from './resourceUnits';

/** @public */
export function readResourceFlavor({
  metadata,
  spec = {},
}: KueueResourceFlavor): ResourceFlavorSpec {
  const { nodeLabels, nodeTaints, tolerations } = spec;
  return { name: metadata.name, nodeLabels, nodeTaints, tolerations };
}

/** @public */
export function readCohort({ metadata, spec = {} }: KueueCohort): CohortSpec {
  return {
    name: metadata.name,
    parent: spec.parentName || undefined,
    resourceGroups: readGroups(spec.resourceGroups),
  };
}

/**
 * Inactive is what its Active condition says, or its stopPolicy where the
 * condition has not caught up.
 *
 * @public
 */
export function readClusterQueue({
  metadata,
  spec,
  status,
}: KueueClusterQueue): ClusterQueueSpec {
  const inactive = inactiveBecause(spec.stopPolicy, status?.conditions);
  return {
    name: metadata.name,
    cohort: spec.cohortName || undefined,
    resourceGroups: readGroups(spec.resourceGroups),
    queueingStrategy:
      spec.queueingStrategy === 'StrictFIFO' ? 'StrictFIFO' : 'BestEffortFIFO',
    namespaceSelector: spec.namespaceSelector ?? null,
    whenCanBorrow:
      spec.flavorFungibility?.whenCanBorrow === 'TryNextFlavor'
        ? 'TryNextFlavor'
        : 'MayStopSearch',
    reclaimWithinCohort:
      spec.preemption?.reclaimWithinCohort === 'Any' ||
      spec.preemption?.reclaimWithinCohort === 'LowerPriority'
        ? spec.preemption.reclaimWithinCohort
        : 'Never',
    ...(inactive !== undefined && { inactive }),
  };
}

function inactiveBecause(
  stopPolicy?: string,
  conditions?: KueueCondition[],
): string | undefined {
  if (isStopped(stopPolicy)) return "Can't admit new workloads: is stopped.";
  const active = conditions?.find(({ type }) => type === 'Active');
  if (active?.status !== 'False') return undefined;
  return active.message ?? active.reason ?? 'not active';
}

/** Whether a stopPolicy keeps new Workloads out.
 *
 * @public
 */
export function isStopped(stopPolicy?: string): boolean {
  return stopPolicy === 'Hold' || stopPolicy === 'HoldAndDrain';
}

function readGroups(groups: KueueResourceGroup[] = []): ResourceGroup[] {
  const read = (resource: string, quantity?: string | number) =>
    quantity === undefined || quantity === null
      ? undefined
      : toEngineUnits(resource, quantity);
  return groups.map(({ coveredResources, flavors }) => ({
    coveredResources,
    flavors: flavors.map(flavor => ({
      name: flavor.name,
      resources: flavor.resources.map(quota => ({
        name: quota.name,
        nominal: toEngineUnits(quota.name, quota.nominalQuota),
        borrowingLimit: read(quota.name, quota.borrowingLimit),
        lendingLimit: read(quota.name, quota.lendingLimit),
      })),
    })),
  }));
}
