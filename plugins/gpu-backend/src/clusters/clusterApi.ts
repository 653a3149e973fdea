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
    super(message);
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
   * GET, JSON.
   * @throws ClusterApiError for anything but 200, and after `timeoutMillis` without an answer.
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

/** The API of one cluster through client-node's credentials and its Watch. */
export class KubeConfigClusterApi implements ClusterApi {
  private readonly watcher: Watch;

  constructor(private readonly kubeConfig: KubeConfig) {
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
      const { statusCode, body } = await send(url, request);
      if (statusCode !== 200) {
        throw new ClusterApiError(
          `${statusCode} ${statusMessage(body)} (GET ${path})`,
          statusCode,
        );
      }
      return JSON.parse(body) as T;
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
): Promise<{ statusCode: number; body: string }> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = start(url, options, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
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
