import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiStatusError, badRequest } from './apiStatus';
import { unauthorized } from './authentication';

/** What can be wrong with a cluster's API server. */
export interface FaultSettings {
  /** Connections are reset before an answer, watches included. */
  refuse?: boolean;
  /** Every request is answered 401. */
  unauthorized?: boolean;
  /** Every request is answered with this code. */
  answer?: { code: number; retryAfterSeconds?: number };
  /** Every answer waits that long. */
  delayMilliseconds?: number;
  /** All of this heals itself after so many seconds. */
  forSeconds?: number;
}

const reasons: Readonly<Record<number, [reason: string, message: string]>> = {
  429: ['TooManyRequests', 'Too many requests, please try again later.'],
  500: [
    'InternalError',
    'Internal error occurred: etcdserver: request timed out',
  ],
  503: ['ServiceUnavailable', 'apiserver not ready'],
  504: [
    'Timeout',
    'Timeout: request did not complete within the allotted timeout',
  ],
};

/** The faults that are on; off at start. */
export class Faults {
  private settings: FaultSettings = {};
  private healing?: NodeJS.Timeout;

  get current(): FaultSettings {
    return this.settings;
  }

  /** Replaces what was on before. */
  set(settings: FaultSettings): void {
    clearTimeout(this.healing);
    this.settings = settings;
    if (settings.forSeconds) {
      this.healing = setTimeout(
        () => this.clear(),
        settings.forSeconds * 1000,
      ).unref();
    }
  }

  clear(): void {
    clearTimeout(this.healing);
    this.settings = {};
  }

  /** Lets a request suffer; true when it has been dealt with. Throws what it is to be answered with. */
  async strike(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const { refuse, answer, delayMilliseconds } = this.settings;
    if (refuse) {
      request.socket.destroy();
      return true;
    }
    if (delayMilliseconds) {
      await new Promise(resolve => {
        setTimeout(resolve, delayMilliseconds);
      });
    }
    if (this.settings.unauthorized) {
      throw unauthorized();
    }
    if (answer) {
      const { code, retryAfterSeconds } = answer;
      const [reason, message] = reasons[code] ?? [
        'Unknown',
        `the server answers ${code}`,
      ];
      if (retryAfterSeconds !== undefined) {
        response.setHeader('Retry-After', String(retryAfterSeconds));
      }
      throw new ApiStatusError({
        code,
        reason,
        message,
        details: { ...(retryAfterSeconds && { retryAfterSeconds }) },
      });
    }
    return false;
  }
}

/** A request to the fault switch: what lasts, and what happens once. */
export interface FaultRequest extends FaultSettings {
  /** Break open watches in the middle of an event. */
  cutWatches?: boolean;
  /** Forget the event history now: old resourceVersions answer 410. */
  compact?: boolean;
  /** Set the cluster's clock ahead (or, negative, behind). */
  skewSeconds?: number;
}

const accepted: Readonly<Record<keyof FaultRequest, string>> = {
  refuse: 'boolean',
  unauthorized: 'boolean',
  answer: 'object',
  delayMilliseconds: 'number',
  forSeconds: 'number',
  cutWatches: 'boolean',
  compact: 'boolean',
  skewSeconds: 'number',
};

/** Checks the body of `POST /sandbox/faults`. Throws 400 naming the field. */
export function parseFaultRequest(body: unknown): FaultRequest {
  if (body === null || typeof body !== 'object') {
    throw badRequest('faults: accepted is a JSON object');
  }
  for (const [field, value] of Object.entries(body)) {
    const type = accepted[field as keyof FaultRequest];
    if (!type) {
      throw badRequest(
        `faults.${field}: unknown; accepted are ${Object.keys(accepted).join(
          ', ',
        )}`,
      );
    }
    // eslint-disable-next-line valid-typeof
    if (typeof value !== type) {
      throw badRequest(
        `faults.${field}: ${JSON.stringify(value)} is no ${type}`,
      );
    }
  }
  const { answer } = body as FaultRequest;
  if (answer && !(answer.code >= 400 && answer.code <= 599)) {
    throw badRequest(
      `faults.answer.code: ${answer.code} is no error; accepted is 400 to 599`,
    );
  }
  return body as FaultRequest;
}
