import { matchesFlavor, untoleratedTaint } from './flavorMatch';
import { FlavorReason } from './pendingMessage';
import { ClusterQueueSpec, ResourceFlavorSpec } from './quotaSpec';
import { QuotaTree } from './quotaTree';
import { saturated } from './resourceUnits';
import { PodSetSpec } from './workloadSpec';

/** A flavor of a group, with what can be known without looking at usage. */
export interface FlavorCandidate {
  flavor: string;
  /** Set: the flavor will never do. */
  mismatch?: FlavorReason;
  /** Pairs of the group's resources, in parallel; empty on a mismatch. */
  pairs: number[];
}

/** The resources of a pod set that get their flavor together. */
export interface GroupPlan {
  kind: 'group';
  resources: string[];
  /** Totals over all pods, in parallel to `resources`. */
  amounts: number[];
  candidates: FlavorCandidate[];
}

export interface UncoveredPlan {
  kind: 'uncovered';
  resource: string;
}

export interface PodSetPlan {
  name: string;
  count: number;
  steps: Array<GroupPlan | UncoveredPlan>;
}

/** A shape of Workload, resolved against one ClusterQueue: what remains is arithmetic. */
export interface WorkloadPlan {
  podSets: PodSetPlan[];
  /** whenCanBorrow: TryNextFlavor. */
  avoidsBorrowing: boolean;
}

/** Resolves pod sets against a ClusterQueue's groups and flavors. */
export function planWorkload(
  tree: QuotaTree,
  clusterQueue: ClusterQueueSpec,
  flavors: Map<string, ResourceFlavorSpec>,
  podSets: PodSetSpec[],
): WorkloadPlan {
  const node = tree.clusterQueue(clusterQueue.name) as number;
  return {
    avoidsBorrowing: clusterQueue.whenCanBorrow === 'TryNextFlavor',
    podSets: podSets.map(podSet => ({
      name: podSet.name,
      count: podSet.count,
      steps: planSteps(tree, node, clusterQueue, flavors, podSet),
    })),
  };
}

function planSteps(
  tree: QuotaTree,
  node: number,
  { resourceGroups }: ClusterQueueSpec,
  flavors: Map<string, ResourceFlavorSpec>,
  podSet: PodSetSpec,
): PodSetPlan['steps'] {
  const totals = totalRequests(podSet, resourceGroups);
  const steps: PodSetPlan['steps'] = [];
  const planned = new Set<string>();
  for (const resource of Object.keys(totals).sort()) {
    if (planned.has(resource)) continue;
    const group = resourceGroups.find(({ coveredResources }) =>
      coveredResources.includes(resource),
    );
    if (!group) {
      // Asking for none of what the queue does not know is no request.
      if (totals[resource] !== 0) steps.push({ kind: 'uncovered', resource });
      continue;
    }
    const resources = group.coveredResources
      .filter(name => totals[name] !== undefined)
      .sort();
    resources.forEach(name => planned.add(name));
    steps.push({
      kind: 'group',
      resources,
      amounts: resources.map(name => totals[name]),
      candidates: group.flavors.map(({ name: flavor }) => {
        const mismatch = flavorMismatch(flavors, flavor, podSet);
        return {
          flavor,
          ...(mismatch && { mismatch }),
          pairs: mismatch
            ? []
            : resources.map(name => tree.pair(node, flavor, name) as number),
        };
      }),
    });
  }
  return steps;
}

function totalRequests(
  podSet: PodSetSpec,
  resourceGroups: ClusterQueueSpec['resourceGroups'],
): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const [resource, perPod] of Object.entries(podSet.requests)) {
    totals[resource] = saturated(perPod * podSet.count);
  }
  // The number of pods can be a quota of its own.
  if (
    resourceGroups.some(({ coveredResources }) =>
      coveredResources.includes('pods'),
    )
  ) {
    totals.pods = podSet.count;
  }
  return totals;
}

function flavorMismatch(
  flavors: Map<string, ResourceFlavorSpec>,
  name: string,
  podSet: PodSetSpec,
): FlavorReason | undefined {
  const flavor = flavors.get(name);
  if (!flavor) return { kind: 'flavor-not-found', flavor: name };
  const taint = untoleratedTaint(flavor, podSet);
  if (taint) return { kind: 'untolerated-taint', flavor: name, taint };
  if (!matchesFlavor(flavor, podSet)) {
    return { kind: 'affinity-mismatch', flavor: name };
  }
  return undefined;
}
