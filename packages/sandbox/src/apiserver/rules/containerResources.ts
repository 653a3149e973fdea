import {
  formatQuantity,
  NANO,
  parseQuantity,
  quantityFormat,
} from '@gpuaas/backstage-plugin-gpu-common';
import { badRequest, FieldError, invalidValue, required } from '../apiStatus';

const nativeResources = ['cpu', 'memory', 'ephemeral-storage'];
const integerOnly = (name: string) => name.includes('/');

/** Nano-units of a quantity; 400 in the words of the real decoder when it is none. */
function nanoUnits(value: unknown): bigint {
  try {
    return parseQuantity(value as string | number);
  } catch {
    throw badRequest(
      `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    );
  }
}

/** Writes every quantity of a resource list as the decoder of the real server does: a text, in canonical form. Throws 400. */
export function canonicalQuantities(
  quantities: Record<string, unknown> = {},
): void {
  for (const [name, value] of Object.entries(quantities)) {
    quantities[name] = formatQuantity(
      nanoUnits(value),
      quantityFormat(value as string | number),
    );
  }
}

function quantityErrors(
  path: string,
  quantities: Record<string, unknown>,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(quantities)) {
    const field = `${path}[${name}]`;
    const hugePages = name.startsWith('hugepages-');
    if (!name.includes('/') && !nativeResources.includes(name) && !hugePages) {
      errors.push(
        invalidValue(field, name, 'must be a standard resource for containers'),
      );
    }
    const nano = nanoUnits(value);
    if (nano < 0n) {
      errors.push(
        invalidValue(
          field,
          String(value),
          'must be greater than or equal to 0',
        ),
      );
    }
    if (integerOnly(name) && nano % NANO !== 0n) {
      errors.push(invalidValue(field, String(value), 'must be an integer'));
    }
  }
  return errors;
}

/**
 * What is wrong with a container's resources, as core's
 * ValidateContainerResourceRequirements says it: extended resources such as
 * GPUs are whole, have a limit, and request exactly that.
 */
export function resourceErrors(
  path: string,
  resources: {
    requests?: Record<string, unknown>;
    limits?: Record<string, unknown>;
  } = {},
): FieldError[] {
  const { requests = {}, limits = {} } = resources;
  const errors = [
    ...quantityErrors(`${path}.limits`, limits),
    ...quantityErrors(`${path}.requests`, requests),
  ];
  for (const [name, value] of Object.entries(requests)) {
    const requested = nanoUnits(value);
    const exact = name.includes('/');
    if (name in limits) {
      const limit = nanoUnits(limits[name]);
      if (exact && requested !== limit) {
        errors.push(
          invalidValue(
            `${path}.requests`,
            String(value),
            `must be equal to ${name} limit of ${limits[name]}`,
          ),
        );
      } else if (requested > limit) {
        errors.push(
          invalidValue(
            `${path}.requests`,
            String(value),
            `must be less than or equal to ${name} limit of ${limits[name]}`,
          ),
        );
      }
    } else if (exact) {
      errors.push(
        required(
          `${path}.limits`,
          'Limit must be set for non overcommitable resources',
        ),
      );
    }
  }
  return errors;
}
