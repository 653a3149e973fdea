import { createHash } from 'node:crypto';

const MAX_LENGTH = 63;

/**
 * A catalog name of several parts, joined by dots: characters the catalog takes,
 * at most 63. What has to be changed or cut gets a short hash, so that two
 * things never share a name.
 */
export function entityName(...parts: string[]): string {
  const joined = parts.join('.');
  const clean = joined.replace(/[^a-zA-Z0-9._-]+/g, '-');
  if (
    clean === joined &&
    clean.length <= MAX_LENGTH &&
    /^[a-zA-Z0-9].*[a-zA-Z0-9]$/.test(clean)
  ) {
    return clean;
  }
  const hash = createHash('sha256').update(joined).digest('hex').slice(0, 8);
  const head = clean
    .slice(0, MAX_LENGTH - hash.length - 1)
    .replace(/^[^a-zA-Z0-9]+|[^a-zA-Z0-9]+$/g, '');
  return head ? `${head}-${hash}` : hash;
}
