import { LabelSelector, LabelSelectorRequirement } from './quotaSpec';

/**
 * Whether labels match a Kubernetes label selector; an empty selector matches
 * everything, null matches nothing.
 *
 * @public
 */
export function matchesLabelSelector(
  selector: LabelSelector | null,
  labels: Record<string, string>,
): boolean {
  if (selector === null) return false;
  return (
    Object.entries(selector.matchLabels ?? {}).every(
      ([key, value]) => labels[key] === value,
    ) &&
    (selector.matchExpressions ?? []).every(requirement =>
      matchesRequirement(requirement, labels),
    )
  );
}

/** One requirement of a label or node selector; Gt and Lt compare integers as node selectors do. */
export function matchesRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  labels: Record<string, string>,
): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && isInteger(values[0]) && +value > +values[0];
    case 'Lt':
      return isInteger(value) && isInteger(values[0]) && +value < +values[0];
    default:
      return false;
  }
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^[+-]?\d+$/.test(text);
}
