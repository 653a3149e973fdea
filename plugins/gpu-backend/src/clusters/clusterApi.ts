import { request as httpRequest, RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { KubeConfig, Watch } from '@kubernetes/client-node';
import { KubernetesObject } from './kubernetesObject';

/** What an API server, or the way to it, answered instead of success. */
export class ClusterApiError extends Error {
  constructor(
    message: string,
    /** HTTP status; absent when there was no answer. */
    readonly statusCode?: number,
  ) {
    // What a server says can hold anything; a database and a log take one line of text.
    super(message.replace(/\p{Cc}+/gu, ' '));
    this.name = 'ClusterApiError';
  }
}

/** What a watch reported: `ERROR` carries a Status. */
export type WatchCallback = (
  type: string,
  object: KubernetesObject | undefined,
) => void;

/** The two ways a reflector reads: faked in tests. */
export interface ClusterApi {
  /**
   * GET, a JSON object.
   * @throws ClusterApiError for anything else, and after `timeoutMillis` without an answer.
   */
  get<T = any>(
    path: string,
    options?: {
      query?: Record<string, string | number | undefined>;
      signal?: AbortSignal;
      timeoutMillis?: number;
    },
  ): Promise<T>;
  /**
   * Opens a watch; resolves once the server has accepted it. `done` comes
   * exactly once, after the last event, also after `abort`.
   */
  watch(
    path: string,
    query: Record<string, string | number | boolean | undefined>,
    onEvent: WatchCallback,
    done: (error?: unknown) => void,
  ): Promise<{ abort(): void }>;
}

const DEFAULT_TIMEOUT_MILLIS = 30_000;
/** Far more than a page of a list; what is larger would cost the other clusters their memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The API of one cluster through client-node's credentials and its Watch. */
export class KubeConfigClusterApi implements ClusterApi {
  private readonly watcher: Watch;

  constructor(
    private readonly kubeConfig: KubeConfig,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.watcher = new Watch(kubeConfig);
  }

  async get<T>(
    path: string,
    options: {
      query?: Record<string, string | number | undefined>;
      signal?: AbortSignal;
      timeoutMillis?: number;
    } = {},
  ): Promise<T> {
    const url = new URL(this.kubeConfig.getCurrentCluster()!.server + path);
    for (const [key, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) {
        url.searchParams.set(key, String(value));
      }
    }
    const timeout = options.timeoutMillis ?? DEFAULT_TIMEOUT_MILLIS;
    const signals = [AbortSignal.timeout(timeout)];
    if (options.signal) {
      signals.push(options.signal);
    }
    const request: RequestOptions = { method: 'GET' };
    await this.kubeConfig.applyToHTTPSOptions(request);
    request.headers = { ...request.headers, accept: 'application/json' };
    request.signal = AbortSignal.any(signals);
    try {
      const { statusCode, body } = await send(url, request, this.maxBytes);
      if (statusCode !== 200) {
        throw new ClusterApiError(
          `${statusCode} ${statusMessage(body)} (GET ${path})`,
          statusCode,
        );
      }
      const answer = JSON.parse(body);
      if (
        answer === null ||
        typeof answer !== 'object' ||
        Array.isArray(answer)
      ) {
        throw new Error('The answer is not a JSON object');
      }
      return answer;
    } catch (error) {
      if (error instanceof ClusterApiError) {
        throw error;
      }
      throw new ClusterApiError(
        signals[0].aborted
          ? `No answer within ${timeout / 1000} s (GET ${path})`
          : `${(error as Error).message} (GET ${path})`,
      );
    }
  }

  async watch(
    path: string,
    query: Record<string, string | number | boolean | undefined>,
    onEvent: WatchCallback,
    done: (error?: unknown) => void,
  ): Promise<{ abort(): void }> {
    return this.watcher.watch(path, query, onEvent, done);
  }
}

function send(
  url: URL,
  options: RequestOptions,
  maxBytes: number,
): Promise<{ statusCode: number; body: string }> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = start(url, options, response => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', chunk => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) {
          request.destroy(
            new Error(`The answer is larger than ${maxBytes} bytes`),
          );
        }
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          statusCode: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

/** The message of a Kubernetes Status, else the beginning of whatever came. */
function statusMessage(body: string): string {
  try {
    const { message, reason } = JSON.parse(body);
    return String(message ?? reason ?? '').slice(0, 500);
  } catch {
    return body.slice(0, 200).trim();
  }
}
