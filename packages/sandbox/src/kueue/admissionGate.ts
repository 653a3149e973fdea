import {
  FieldError,
  forbiddenField,
  invalidValue,
} from '../apiserver/apiStatus';
import { KubernetesObject } from '../apiserver/objectStore';
import { gatedByAnnotation } from './names';

const field = `metadata.annotations[${gatedByAnnotation}]`;
const MAX_LENGTH = 63;
const DOMAIN_PREFIXED =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$/;

/** Names of the gates that hold a Job or Workload back; "" is none. */
export function gatesOf(object: KubernetesObject): string[] {
  const text = object.metadata.annotations?.[gatedByAnnotation];
  return text ? text.split(',').map(gate => gate.trim()) : [];
}

/** Gates are set at creation and afterwards only removed. */
export function gateErrors(
  object: KubernetesObject,
  old?: KubernetesObject,
): FieldError[] {
  const gates = gatesOf(object);
  const errors: FieldError[] = [];
  if (old) {
    const before = gatesOf(old);
    if (before.length === 0 && gates.length > 0) {
      errors.push(
        forbiddenField(field, 'cannot add admission gate after creation'),
      );
    } else if (gates.some(gate => !before.includes(gate))) {
      errors.push(
        forbiddenField(field, 'can only remove gates, not add new ones'),
      );
    }
  }
  const text = object.metadata.annotations?.[gatedByAnnotation];
  gates.forEach((gate, index) => {
    if (gate === '') {
      errors.push(invalidValue(field, text, 'cannot contain empty gate names'));
    } else if (gates.indexOf(gate) < index) {
      errors.push(invalidValue(field, text, `duplicate gate name: ${gate}`));
    } else if (gate.length > MAX_LENGTH) {
      errors.push(
        invalidValue(
          field,
          gate,
          `must be no more than ${MAX_LENGTH} characters`,
        ),
      );
    } else if (!DOMAIN_PREFIXED.test(gate)) {
      errors.push(
        invalidValue(
          field,
          gate,
          'must be a domain-prefixed path (such as "acme.io/foo")',
        ),
      );
    }
  });
  return errors;
}
