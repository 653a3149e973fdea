import { parseEntityRef } from '@backstage/catalog-model';
import { ResponseError } from '@backstage/errors';
import {
  CallOptions,
  EntitySummary,
  GpuApi,
  IntervalQuery,
  Page,
  QueueQuery,
  RequestQuery,
  WorkloadQuery,
} from './client';
import { Cluster } from './clusters';
import { DeviceClassOffer, DeviceClassQuery } from './deviceClasses';
import { FitAnswer, FitQuery } from './fit';
import { UsageInterval } from './intervals';
import { Queue } from './queues';
import { GpuRequest, RequestRegistration } from './requests';
import { Workload } from './workloads';

type QueryValue = string | number | boolean | readonly string[] | undefined;

/**
 * `GpuApi` over HTTP, for the browser (`fetchApi` adds the user's token) and for
 * backends (pass `token`). Every failure is a `ResponseError` that carries the
 * server's name, message and status.
 *
 * @public
 */
export class GpuClient implements GpuApi {
  private readonly discoveryApi: {
    getBaseUrl(pluginId: string): Promise<string>;
  };
  private readonly fetchApi: { fetch: typeof fetch };

  constructor(options: {
    discoveryApi: { getBaseUrl(pluginId: string): Promise<string> };
    fetchApi: { fetch: typeof fetch };
  }) {
    this.discoveryApi = options.discoveryApi;
    this.fetchApi = options.fetchApi;
  }

  getClusters(options?: CallOptions): Promise<{ items: Cluster[] }> {
    return this.get('/v1/clusters', {}, options);
  }

  getDeviceClasses(
    query: DeviceClassQuery = {},
    options?: CallOptions,
  ): Promise<{ items: DeviceClassOffer[] }> {
    return this.get('/v1/device-classes', { ...query }, options);
  }

  getQueues(
    query: QueueQuery = {},
    options?: CallOptions,
  ): Promise<Page<Queue>> {
    return this.get('/v1/queues', { ...query }, options);
  }

  getWorkloads(
    query: WorkloadQuery = {},
    options?: CallOptions,
  ): Promise<Page<Workload>> {
    return this.get('/v1/workloads', { ...query }, options);
  }

  getWorkload(
    cluster: string,
    uid: string,
    options?: CallOptions,
  ): Promise<Workload> {
    return this.get(
      `/v1/workloads/${encodeURIComponent(cluster)}/${encodeURIComponent(uid)}`,
      {},
      options,
    );
  }

  getRequests(
    query: RequestQuery = {},
    options?: CallOptions,
  ): Promise<Page<GpuRequest>> {
    return this.get('/v1/requests', { ...query }, options);
  }

  getRequest(id: string, options?: CallOptions): Promise<GpuRequest> {
    return this.get(`/v1/requests/${encodeURIComponent(id)}`, {}, options);
  }

  putRequest(
    id: string,
    registration: RequestRegistration,
    options?: CallOptions,
  ): Promise<GpuRequest> {
    return this.send(
      'PUT',
      `/v1/requests/${encodeURIComponent(id)}`,
      registration,
      options,
    );
  }

  getEntitySummary(
    entityRef: string,
    options?: CallOptions,
  ): Promise<EntitySummary> {
    const { kind, namespace, name } = parseEntityRef(entityRef);
    const path = [kind, namespace, name].map(encodeURIComponent).join('/');
    return this.get(`/v1/entities/${path}/summary`, {}, options);
  }

  getIntervals(
    query: IntervalQuery = {},
    options?: CallOptions,
  ): Promise<Page<UsageInterval>> {
    return this.get('/v1/intervals', { ...query }, options);
  }

  getFit(query: FitQuery, options?: CallOptions): Promise<FitAnswer> {
    return this.send('POST', '/v1/fit', query, options);
  }

  private get<T>(
    path: string,
    query: Record<string, QueryValue>,
    options?: CallOptions,
  ): Promise<T> {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) {
          params.append(name, String(one));
        }
      }
    }
    const search = params.toString();
    return this.call(
      search ? `${path}?${search}` : path,
      { method: 'GET' },
      options,
    );
  }

  private send<T>(
    method: 'PUT' | 'POST',
    path: string,
    body: unknown,
    options?: CallOptions,
  ): Promise<T> {
    return this.call(
      path,
      {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      },
      options,
    );
  }

  private async call<T>(
    path: string,
    init: RequestInit,
    options?: CallOptions,
  ): Promise<T> {
    const baseUrl = await this.discoveryApi.getBaseUrl('gpu');
    const response = await this.fetchApi.fetch(`${baseUrl}${path}`, {
      ...init,
      headers: {
        ...init.headers,
        ...(options?.token ? { Authorization: `Bearer ${options.token}` } : {}),
      },
      signal: options?.signal,
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return (await response.json()) as T;
  }
}
