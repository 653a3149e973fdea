import { createHash } from 'node:crypto';

/** SHA-256 of a value's JSON: the part of a checkpoint's key that says "the same effect". */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
