import { PodSetSpec } from './workloadSpec';

const MAX_SHAPES = 50_000;

/** Numbers the shapes of Workloads: equal pod sets get the same number. */
export class WorkloadShapes {
  private next = 0;
  private readonly byText = new Map<string, number>();
  private readonly byObject = new WeakMap<PodSetSpec[], number>();

  numberOf(podSets: PodSetSpec[]): number {
    const known = this.byObject.get(podSets);
    if (known !== undefined) return known;
    const text = JSON.stringify(podSets.map(sorted));
    let shape = this.byText.get(text);
    if (shape === undefined) {
      // Forgetting only costs that equals are met one by one.
      if (this.byText.size >= MAX_SHAPES) this.byText.clear();
      shape = this.next++;
      this.byText.set(text, shape);
    }
    this.byObject.set(podSets, shape);
    return shape;
  }
}

function sorted(podSet: PodSetSpec) {
  return [
    podSet.name,
    podSet.count,
    sortedEntries(podSet.requests),
    sortedEntries(podSet.nodeSelector ?? {}),
    podSet.requiredNodeAffinity ?? [],
    podSet.tolerations ?? [],
  ];
}

function sortedEntries(record: Record<string, unknown>) {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
