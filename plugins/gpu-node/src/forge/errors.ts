import { ConflictError, CustomErrorBase } from '@backstage/errors';

/**
 * Why a forge did not do what it was asked.
 *
 * - `unauthorised`: 401. `forbidden`: 403. `missing`: 404. `conflict`: 409.
 * - `invalid`: 400, 422 and every other 4xx.
 * - `rate-limited`: 429 (or GitHub's 403) that asks to wait longer than we do.
 * - `unavailable`: 5xx, no connection, or an answer that makes no sense.
 * - `timeout`: no answer in time.
 *
 * @public
 */
export type ForgeErrorKind =
  | 'unauthorised'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'invalid'
  | 'rate-limited'
  | 'unavailable'
  | 'timeout';

/**
 * A forge refused, is down, slow or makes no sense. The message names host,
 * repository and what to do.
 *
 * @public
 */
export class ForgeError extends CustomErrorBase {
  readonly kind: ForgeErrorKind;
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** The forge's own words. */
  readonly said?: string;
  /** How long a `rate-limited` caller was asked to wait. */
  readonly retryAfterSeconds?: number;

  constructor(
    message: string,
    options: {
      kind: ForgeErrorKind;
      status?: number;
      said?: string;
      retryAfterSeconds?: number;
      cause?: unknown;
    },
  ) {
    super(message, options.cause);
    this.kind = options.kind;
    this.status = options.status;
    this.said = options.said;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * A branch is no longer where it was read: read again.
 *
 * @public
 */
export class HeadMovedError extends ConflictError {
  constructor(repository: string, branch: string, cause?: unknown) {
    super(
      `Branch ${branch} of ${repository} was changed by somebody else meanwhile`,
      cause,
    );
  }
}
