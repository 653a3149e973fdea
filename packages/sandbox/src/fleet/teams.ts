export interface Team {
  /** Group, namespace and ClusterQueue alike: `team-07`. */
  name: string;
  department: string;
  weight: number;
  /** The team keeps what it does not use: lendingLimit 0. */
  lends: boolean;
  /** WorkloadPriorityClasses the team may use. */
  priorityClasses: readonly string[];
}

export interface PriorityClass {
  name: string;
  value: number;
  description: string;
}

export const priorityClasses: readonly PriorityClass[] = [
  { name: 'low', value: 100, description: 'Waits for everybody else' },
  { name: 'normal', value: 500, description: 'Ordinary work' },
  { name: 'high', value: 1000, description: 'Urgent work of chosen teams' },
];

/** Weights of the eight teams of a department, by place. */
const weights = [1, 1, 1, 2, 2, 2, 4, 4] as const;
/** Places (from 0) in a department that lend nothing, and that may use `high`. */
const keepers = new Set([4, 6]);
const urgent = new Set([3, 7]);

export const departments: readonly string[] = [1, 2, 3, 4, 5].map(
  number => `department-${number}`,
);

/** Forty teams, eight to a department: team-01 to team-08 are department-1. */
export const teams: readonly Team[] = departments.flatMap(
  (department, departmentIndex) =>
    weights.map((weight, place) => ({
      name: `team-${String(departmentIndex * 8 + place + 1).padStart(2, '0')}`,
      department,
      weight,
      lends: !keepers.has(place),
      priorityClasses: urgent.has(place)
        ? ['low', 'normal', 'high']
        : ['low', 'normal'],
    })),
);

/** The team of mira and enzo; the background load leaves it quiet. */
export const quietTeam = 'team-07';
