import { ResponseError } from '@backstage/errors';
import { MeteredCluster, readBody } from '@gpuaas/backstage-plugin-gpu-node';

/** A day of samples of one pod is far less. */
const MAX_BYTES = 16 * 1024 * 1024;

/** One series as Prometheus' HTTP API returns it: raw sample times, Unix seconds. */
export interface Series {
  metric: Record<string, string>;
  values: Array<[number, string]>;
}

/**
 * Prometheus' HTTP API, plain selectors only.
 */
export class Prometheus {
  constructor(
    private readonly config: NonNullable<MeteredCluster['prometheus']>,
    private readonly fetchFn: typeof fetch = fetch,
  ) {}

  /**
   * Samples of `selector` in the `seconds` before `end`, with the times they were
   * scraped at.
   *
   * @throws ResponseError, and errors of the connection, after 10 s at the latest.
   */
  async samples(
    selector: string,
    end: number,
    seconds: number,
  ): Promise<Series[]> {
    const query = new URLSearchParams({
      // An instant query over a range gives samples as stored; query_range would make up times.
      query: `${selector}[${Math.ceil(seconds)}s]`,
      time: String(end),
    });
    const { url, bearerToken } = this.config;
    const response = await this.fetchFn(`${url}/api/v1/query?${query}`, {
      headers: bearerToken ? { Authorization: `Bearer ${bearerToken}` } : {},
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response as any);
    }
    const body: {
      status?: string;
      error?: string;
      data?: { resultType?: string; result?: Series[] };
    } | null = JSON.parse(await readBody(response, MAX_BYTES));
    if (body?.status !== 'success' || body.data?.resultType !== 'matrix') {
      throw new Error(
        `Prometheus at ${url} did not answer with samples: ${
          body?.error ?? body?.data?.resultType ?? 'no data'
        }`,
      );
    }
    return body.data.result ?? [];
  }
}

/** A label value in a selector. */
export function quote(value: string): string {
  return JSON.stringify(value);
}
