/* eslint-disable @typescript-eslint/no-explicit-any */

/** Fields that others may change without the object being out of sync, as JSON pointers. */
export type IgnoredPointers = readonly string[];

function isMap(value: unknown): value is Record<string, any> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * Whether everything that is wanted is there. The server adds defaults and
 * others add fields of their own, so more than what is wanted is no difference.
 */
export function contains(live: any, wanted: any): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, index) => contains(live[index], item))
    );
  }
  if (isMap(wanted)) {
    return Object.entries(wanted).every(([key, value]) =>
      value === null ? live?.[key] === undefined : contains(live?.[key], value),
    );
  }
  return live === wanted || sameQuantity(live, wanted);
}

/** `"1"` and `1`: servers print quantities as strings, people write numbers. */
function sameQuantity(live: unknown, wanted: unknown): boolean {
  return (
    typeof wanted === 'number' &&
    typeof live === 'string' &&
    live === String(wanted)
  );
}

/** A copy without the fields that pointers name. */
export function withoutPointers<T>(object: T, pointers: IgnoredPointers): T {
  const copy = structuredClone(object);
  for (const pointer of pointers) {
    const path = pointer.split('/').slice(1);
    const last = path.pop()!;
    let at: any = copy;
    for (const part of path) {
      at = at?.[part];
    }
    if (isMap(at)) {
      delete at[last];
    }
  }
  return copy;
}

/**
 * The merge patch that `kubectl apply` would send: what is wanted and not
 * there, and null for what was wanted the last time and no longer is.
 *
 * @returns undefined when there is nothing to change
 */
export function applyPatch(
  last: any,
  wanted: any,
  live: any,
): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wanted)) {
    if (isMap(value) && isMap(live?.[key])) {
      const inner = applyPatch(last?.[key], value, live[key]);
      if (inner) {
        patch[key] = inner;
      }
    } else if (!contains(live?.[key], value)) {
      patch[key] = value;
    }
  }
  for (const key of Object.keys(isMap(last) ? last : {})) {
    if (!(key in wanted) && live?.[key] !== undefined) {
      patch[key] = null;
    }
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
