import { ClusterName, NodeLayout, poolUnits } from './layouts';
import { Team } from './teams';

export interface QuotaSplit {
  /** Units of each team's ClusterQueue, by team name. */
  nominal: Record<string, number>;
  /** Units left at the root cohort, borrowed by whoever needs them. */
  root: number;
}

/**
 * Half of a pool is nominal quota of the teams by weight, rounded down; the
 * rest, the roundings included, sits at the root cohort. So
 * Σ nominal + root = pool, exactly.
 *
 * @param pool - units of one resource in one flavor, a whole number
 */
export function splitQuota(
  pool: number,
  teams: readonly Pick<Team, 'name' | 'weight'>[],
): QuotaSplit {
  const totalWeight = teams.reduce((sum, team) => sum + team.weight, 0);
  const nominal: Record<string, number> = {};
  let given = 0;
  for (const team of teams) {
    // Half a pool times a weight stays far below 2^53: the division is the
    // only step that rounds.
    const units = Math.floor((pool * team.weight) / (2 * totalWeight));
    nominal[team.name] = units;
    given += units;
  }
  return { nominal, root: pool - given };
}

/** {@link splitQuota} of each resource that a layout offers on a cluster. */
export function layoutQuota(
  layout: NodeLayout,
  cluster: ClusterName,
  teams: readonly Team[],
): Record<string, QuotaSplit> {
  return Object.fromEntries(
    Object.entries(poolUnits(layout, cluster)).map(([resource, units]) => [
      resource,
      splitQuota(units, teams),
    ]),
  );
}
