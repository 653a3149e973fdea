import { CohortSpec } from './quotaSpec';

/**
 * Cohorts whose chain of parents never ends, each with the sentence that names
 * the cycle. Kueue admits nothing below them.
 *
 * @public
 */
export function findCohortCycles(cohorts: CohortSpec[]): Map<string, string> {
  const parents = new Map(cohorts.map(({ name, parent }) => [name, parent]));
  const cyclic = new Map<string, string>();
  for (const { name } of cohorts) {
    const path: string[] = [];
    let current: string | undefined = name;
    while (current !== undefined && !path.includes(current)) {
      path.push(current);
      current = parents.get(current);
    }
    if (current === undefined) continue;
    const cycle = path.slice(path.indexOf(current));
    // Written from its smallest name, so that every member tells the same story.
    const first = cycle.indexOf([...cycle].sort()[0]);
    const ordered = [...cycle.slice(first), ...cycle.slice(0, first)];
    cyclic.set(
      name,
      `Cohorts form a cycle: ${[...ordered, ordered[0]].join(' -> ')}`,
    );
  }
  return cyclic;
}
