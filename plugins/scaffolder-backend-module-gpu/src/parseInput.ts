import { InputError } from '@backstage/errors';
import { z } from 'zod/v3';

/**
 * Checks an action's input again and fills in defaults: the Scaffolder itself looks
 * only at the JSON Schema made of `schema`, where defaults and refinements are lost.
 *
 * @throws InputError that names field, value and what is accepted, one line for each.
 */
export function parseInput<T extends z.ZodTypeAny>(
  schema: (zod: typeof z) => T,
  input: unknown,
): z.output<T> {
  const result = schema(z).safeParse(input);
  if (result.success) {
    return result.data;
  }
  throw new InputError(
    result.error.issues
      .map(({ path, message }) => {
        const field = path.join('.') || 'input';
        return `${field} is ${valueAt(input, path)}; accepted: ${message}`;
      })
      .join('\n'),
  );
}

/** As JSON and at most 100 characters. A variable's value may be a secret, and is not repeated. */
function valueAt(input: unknown, path: Array<string | number>): string {
  if (path.some(key => key === 'env' || key === 'token')) {
    return 'not as it should be';
  }
  const value = path.reduce<any>((node, key) => node?.[key], input);
  const json = JSON.stringify(value) ?? 'absent';
  return json.length > 100 ? `${json.slice(0, 99)}…` : json;
}
