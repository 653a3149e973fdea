import { ClusterQueueSpec, ResourceFlavorSpec } from './quotaSpec';
import { QuotaTree } from './quotaTree';
import { planWorkload, WorkloadPlan } from './workloadPlan';
import { WorkloadQueue } from './workloadQueue';
import { PodSetSpec } from './workloadSpec';

const MAX_PLANS = 10_000;

/** A configured ClusterQueue at work: its place in the tree and what waits in it. */
export class LiveQueue {
  private readonly plans = new Map<number, WorkloadPlan>();

  constructor(
    readonly spec: ClusterQueueSpec,
    readonly node: number,
    readonly queue: WorkloadQueue,
    private readonly tree: QuotaTree,
    private readonly flavors: Map<string, ResourceFlavorSpec>,
  ) {}

  /** The plan of a shape, made once. */
  plan(shape: number, podSets: PodSetSpec[]): WorkloadPlan {
    let plan = this.plans.get(shape);
    if (!plan) {
      plan = planWorkload(this.tree, this.spec, this.flavors, podSets);
      if (this.plans.size >= MAX_PLANS) this.plans.clear();
      this.plans.set(shape, plan);
    }
    return plan;
  }
}
