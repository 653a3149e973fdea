import { ClusterQueueSpec, CohortSpec, ResourceGroup } from './quotaSpec';

/** A node of the quota tree: a ClusterQueue or a Cohort. */
export interface NodeSpec {
  name: string;
  /** Name of the Cohort above. */
  parent?: string;
  resourceGroups: ResourceGroup[];
}

/** All nodes: the ClusterQueues in the order given, then the Cohorts, also those that are only named. */
export function nodeSpecs(
  clusterQueues: ClusterQueueSpec[],
  cohorts: CohortSpec[],
): NodeSpec[] {
  const cohortSpecs = new Map<string, NodeSpec>();
  for (const { name, parent, resourceGroups = [] } of cohorts) {
    cohortSpecs.set(name, { name, parent, resourceGroups });
  }
  // A Cohort object is optional: naming one makes it.
  const named = [
    ...clusterQueues.map(({ cohort }) => cohort),
    ...cohorts.map(({ parent }) => parent),
  ];
  for (const name of named) {
    if (name !== undefined && !cohortSpecs.has(name)) {
      cohortSpecs.set(name, { name, resourceGroups: [] });
    }
  }
  return [
    ...clusterQueues.map(({ name, cohort, resourceGroups }) => ({
      name,
      parent: cohort,
      resourceGroups,
    })),
    ...cohortSpecs.values(),
  ];
}

/** Quotas of a node, pair by pair. */
export function* quotasOf(spec: NodeSpec) {
  for (const { flavors } of spec.resourceGroups) {
    for (const { name: flavor, resources } of flavors) {
      for (const quota of resources) {
        yield { flavor, resource: quota.name, quota };
      }
    }
  }
}
