/**
 * The life of a request, in causal order (docs/architecture.md).
 *
 * @public
 */
export const REQUEST_STEPS = [
  'Requested',
  'Authorised',
  'Placed',
  'Partitioned',
  'Running',
  'Observed',
  'Metered',
  'Released',
] as const;

/** @public */
export type RequestStepName = (typeof REQUEST_STEPS)[number];

/**
 * One step: when it became true, by the clock of the system that made it true.
 *
 * @public
 */
export interface RequestStep {
  name: RequestStepName;
  /** RFC 3339, whole seconds; absent while not yet true. */
  at?: string;
  /** The system whose clock `at` is: `Scaffolder`, the forge's type, `Workload`, `Pod`, `Prometheus`, `ledger`. */
  source?: string;
  /** Who or what made it true: a user reference, a login of the forge, a controller. */
  actor?: string;
  /** One line of fact: queue and flavor, node, pull request number. */
  detail?: string;
  /** Set when `at` is earlier than its cause: seconds by which the clocks disagree. Shown, not an error. */
  clockSkewSeconds?: number;
}

/**
 * Where a request stands, derived from its steps, pull request, delivery and Workload.
 *
 * @public
 */
export type RequestState =
  | 'submitted'
  | 'in-review'
  | 'rejected'
  | 'merged'
  | 'refused'
  | 'queued'
  | 'starting'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'stopped'
  | 'deleted';
