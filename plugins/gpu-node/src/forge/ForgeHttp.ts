import { setTimeout as wait } from 'node:timers/promises';
import { readBody } from '../http';
import { ForgeError, ForgeErrorKind } from './errors';

/**
 * How patient a forge client is.
 *
 * @public
 */
export interface ForgeHttpOptions {
  /** Milliseconds one call may take; 10,000 when absent. */
  timeoutMs?: number;
  /** Longest Retry-After that is honoured, seconds; 20 when absent. */
  maxRetryAfterSeconds?: number;
  /** Milliseconds before the first retry of a read that failed, doubled for the next; 250 when absent. */
  retryDelayMs?: number;
  /** Ends every call and every wait. */
  signal?: AbortSignal;
  fetch?: typeof fetch;
}

const RETRIES = 2;
/** Far more than a page of pull requests, or a file. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Answers kept to be confirmed: more than one poll asks for. */
const KEPT_ANSWERS = 200;

/** JSON over HTTP with one forge: time limits, bounded retries, errors that say what to do. */
export class ForgeHttp {
  readonly #options: ForgeHttpOptions;
  /** By path, the longest unused first. GitHub does not count what it only confirms (304) against its limit. */
  readonly #kept = new Map<string, { etag: string; text: string }>();

  constructor(
    private readonly forge: {
      /** Name of the product, for messages. */
      title: string;
      /** `<host>/<owner>/<repository>`, for messages. */
      repository: string;
      apiUrl: string;
      /** Asked before each call, because tokens of apps expire. */
      headers: () => Promise<Record<string, string>>;
      /** Where the token comes from, for messages. */
      tokenHint: string;
    },
    options: ForgeHttpOptions = {},
  ) {
    this.#options = options;
  }

  /** Like `call`, with undefined for 404. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.call<T>('GET', path);
    } catch (error) {
      if (error instanceof ForgeError && error.kind === 'missing') {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Reads are repeated after a failure of the server; writes only after a 429, which
   * says that nothing was done.
   *
   * @param path - below the API's address, encoded.
   * @throws ForgeError
   */
  async call<T>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
  ): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once<T>(method, path, body);
      } catch (error) {
        const delayMs =
          error instanceof ForgeError && attempt < RETRIES
            ? this.#retryDelay(error, method, attempt)
            : undefined;
        if (delayMs === undefined) {
          throw error;
        }
        await this.#wait(delayMs);
      }
    }
  }

  #retryDelay(
    error: ForgeError,
    method: string,
    attempt: number,
  ): number | undefined {
    if (error.retryAfterSeconds !== undefined) {
      const limit = this.#options.maxRetryAfterSeconds ?? 20;
      return error.retryAfterSeconds <= limit
        ? error.retryAfterSeconds * 1000
        : undefined;
    }
    return error.kind === 'unavailable' && method === 'GET'
      ? this.#backOff(attempt)
      : undefined;
  }

  /** Waits before looking again, twice as long each time. */
  pause(attempt: number): Promise<void> {
    return this.#wait(this.#backOff(attempt));
  }

  #backOff(attempt: number): number {
    return (this.#options.retryDelayMs ?? 250) * 2 ** attempt;
  }

  #wait(delayMs: number): Promise<void> {
    return wait(delayMs, undefined, { signal: this.#options.signal });
  }

  async #once<T>(method: string, path: string, body: unknown): Promise<T> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? 10_000);
    const { signal } = this.#options;
    const kept = method === 'GET' ? this.#kept.get(path) : undefined;
    let response: Response;
    let text: string;
    try {
      response = await (this.#options.fetch ?? fetch)(
        `${this.forge.apiUrl}${path}`,
        {
          method,
          headers: {
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(kept && { 'if-none-match': kept.etag }),
            ...(await this.forge.headers()),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        },
      );
      text = await readBody(response, MAX_BYTES);
    } catch (error) {
      signal?.throwIfAborted();
      throw timeout.aborted
        ? this.#error('timeout', { cause: error })
        : this.#error('unavailable', { cause: error });
    }
    if (response.status === 304 && kept) {
      text = kept.text;
    } else if (!response.ok) {
      throw this.#refusal(response, said(text));
    }
    if (method === 'GET') {
      this.#keep(path, response.headers.get('etag') ?? kept?.etag, text);
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#error('unavailable', {
        status: response.status,
        said: 'something that is not JSON',
        cause: error,
      });
    }
  }

  #keep(path: string, etag: string | undefined, text: string): void {
    this.#kept.delete(path);
    if (etag) {
      this.#kept.set(path, { etag, text });
    }
    if (this.#kept.size > KEPT_ANSWERS) {
      const [oldest] = this.#kept.keys();
      this.#kept.delete(oldest);
    }
  }

  #refusal(response: Response, words: string | undefined): ForgeError {
    const { status } = response;
    const seconds = retryAfterSeconds(response.headers);
    if (status === 429 || (status === 403 && seconds !== undefined)) {
      return this.#error('rate-limited', {
        status,
        said: words,
        retryAfterSeconds: seconds ?? 1,
      });
    }
    return this.#error(kindOf(status), { status, said: words });
  }

  /** For an answer whose JSON is not what the API documents. */
  nonsense(what: string): ForgeError {
    return this.#error('unavailable', { said: what });
  }

  #error(
    kind: ForgeErrorKind,
    facts: Omit<ConstructorParameters<typeof ForgeError>[1], 'kind'>,
  ): ForgeError {
    return new ForgeError(this.#message(kind, facts.status, facts.said), {
      kind,
      ...facts,
    });
  }

  #message(kind: ForgeErrorKind, status?: number, words?: string): string {
    const { title, repository, tokenHint } = this.forge;
    const seconds = (this.#options.timeoutMs ?? 10_000) / 1000;
    const sentence: Record<ForgeErrorKind, string> = {
      unauthorised: `does not accept the token; check ${tokenHint}`,
      forbidden: `does not let the token do this; give its account write access to the repository, or check ${tokenHint}`,
      missing: `has no such repository, branch or page, or the token may not see it; check the repository's address and ${tokenHint}`,
      conflict: `reports a conflict; look at the pull request there, then run this again`,
      invalid: `does not accept the change`,
      'rate-limited': `asks to wait longer than this step does; run it again later`,
      unavailable: `cannot be reached or has failed; run this again when it is back`,
      timeout: `gave no answer within ${seconds} s; run this again when it is back`,
    };
    const code = status === undefined ? '' : ` (${status})`;
    const quote = words ? `. It said: ${words}` : '';
    return `${title}, repository ${repository}: it ${sentence[kind]}${code}${quote}`;
  }
}

function kindOf(status: number): ForgeErrorKind {
  const kinds: Record<number, ForgeErrorKind> = {
    401: 'unauthorised',
    403: 'forbidden',
    404: 'missing',
    409: 'conflict',
  };
  return kinds[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
}

/** Retry-After in seconds or as a date; GitHub's primary limit gives a reset time instead. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = /^\d+$/.test(after)
      ? Number(after)
      : (Date.parse(after) - Date.now()) / 1000;
    return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
  }
  if (headers.get('x-ratelimit-remaining') === '0') {
    const reset = Number(headers.get('x-ratelimit-reset'));
    return Number.isFinite(reset)
      ? Math.max(0, reset - Date.now() / 1000)
      : undefined;
  }
  return undefined;
}

/** The forge's message, one line, at most 300 characters. */
function said(text: string): string | undefined {
  let words = text;
  try {
    const body = JSON.parse(text);
    const details = Array.isArray(body.errors)
      ? body.errors.map((e: { message?: string } | string) =>
          typeof e === 'string' ? e : e?.message,
        )
      : [];
    words = [body.message, ...details].filter(Boolean).join('; ');
  } catch {
    // Not JSON: a proxy's page, perhaps. Its words are better than none.
  }
  return (
    words
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 300) || undefined
  );
}
