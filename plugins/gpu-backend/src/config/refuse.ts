import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';

/** @throws InputError naming key, value and what is accepted. */
export function refuse(key: string, value: unknown, accepted: string): never {
  throw new InputError(
    value === undefined || value === null
      ? `${key} is missing; accepted: ${accepted}`
      : `${key}: ${JSON.stringify(
          value,
        )} is not accepted; accepted: ${accepted}`,
  );
}

/** @throws InputError for a key that nobody reads. */
export function onlyKeys(entry: Config, key: string, accepted: string[]): void {
  for (const found of entry.keys()) {
    if (!accepted.includes(found)) {
      throw new InputError(
        `${key}.${found} is not a known key; accepted: ${accepted.join(', ')}`,
      );
    }
  }
}
