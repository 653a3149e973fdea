/* eslint-disable @typescript-eslint/no-explicit-any */

/** A private, changeable copy of a JSON value; members that are undefined are left out. */
export function cloneTree<T>(value: T): T {
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(cloneTree) as T;
  }
  const copy: any = {};
  for (const key of Object.keys(value)) {
    const member = (value as any)[key];
    if (member !== undefined) {
      copy[key] = cloneTree(member);
    }
  }
  return copy;
}

/** Whether two JSON values are the same; the order of members does not count. */
export function sameTree(a: any, b: any): boolean {
  if (a === b) {
    return true;
  }
  if (
    a === null ||
    b === null ||
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    Array.isArray(a) !== Array.isArray(b)
  ) {
    return false;
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => key in b && sameTree(a[key], b[key]))
  );
}

/**
 * Freezes `next` to its leaves, putting the parts of `previous` that are equal
 * in the place of its own: versions of an object share what did not change, so
 * that keeping many of them costs little. `previous` must be frozen already.
 */
export function freezeSharing<T>(next: T, previous?: any): T {
  if (next === null || typeof next !== 'object' || Object.isFrozen(next)) {
    return next;
  }
  const old = previous && typeof previous === 'object' ? previous : undefined;
  const members: any = next;
  const keys = Object.keys(members);
  let same =
    old !== undefined &&
    Array.isArray(old) === Array.isArray(next) &&
    Object.keys(old).length === keys.length;
  for (const key of keys) {
    members[key] = freezeSharing(members[key], old?.[key]);
    same &&= key in old && members[key] === old[key];
  }
  return same ? old : Object.freeze(next);
}
