import { InputError } from '@backstage/errors';

/**
 * Keyset cursors: the sort key of the last row of a page, opaque to the caller.
 */
export function encodeCursor(key: Array<string | number>): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** @throws InputError when it is not one `encodeCursor` made of such parts. */
export function decodeCursor(
  cursor: string,
  parts: Array<'text' | 'integer'>,
): Array<string | number> {
  try {
    const key = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (
      Array.isArray(key) &&
      key.length === parts.length &&
      key.every((part, index) =>
        parts[index] === 'integer'
          ? Number.isSafeInteger(part)
          : // PostgreSQL takes no NUL in text.
            typeof part === 'string' && !part.includes('\u0000'),
      )
    ) {
      return key;
    }
  } catch {
    // Not ours: said below.
  }
  throw new InputError(
    `cursor is ${JSON.stringify(
      cursor,
    )}; accepted is nextCursor of the page before`,
  );
}
