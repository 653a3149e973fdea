/* eslint-disable @typescript-eslint/no-explicit-any */

function isMap(value: unknown): value is Record<string, any> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** JSON merge patch (RFC 7386): a new value; neither argument is changed. */
export function mergePatch(target: any, patch: any): any {
  if (!isMap(patch)) {
    return patch;
  }
  const result: Record<string, any> = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else {
      result[key] = mergePatch(result[key], value);
    }
  }
  return result;
}
