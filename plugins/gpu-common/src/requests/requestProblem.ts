/**
 * One thing wrong with a request. The message names field, value and what would be accepted.
 *
 * @public
 */
export interface RequestProblem {
  field: string;
  /** As given; left out where it may be a secret. */
  value?: unknown;
  message: string;
}

/** Collects what is wrong, in the words every message uses. */
export class Problems {
  readonly list: RequestProblem[] = [];

  add(field: string, value: unknown, message: string): void {
    this.list.push({ field, ...(value !== undefined && { value }), message });
  }

  unless(fine: boolean, field: string, value: unknown, accepted: string): void {
    if (!fine) {
      this.add(
        field,
        value,
        `${field} is ${shown(value)}; accepted is ${accepted}`,
      );
    }
  }

  /** Does not repeat the value: it would leave in a log. */
  refuseSecret(field: string, what: string | undefined): void {
    if (what) {
      this.add(
        field,
        undefined,
        `${field} looks like ${what} and would be readable in Git; accepted is a plain value, or a secretKeyRef to a Secret of the team's namespace`,
      );
    }
  }
}

/** JSON, at most 100 characters. */
export function shown(value: unknown): string {
  let json: string;
  try {
    json = JSON.stringify(value) ?? typeof value;
  } catch {
    json = typeof value;
  }
  return json.length > 100 ? `${json.slice(0, 99)}…` : json;
}

/** Names for a message. */
export function list(values: string[]): string {
  return values.length > 0 ? values.join(', ') : 'none';
}
