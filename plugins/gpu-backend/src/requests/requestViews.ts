import { BackstageCredentials } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import {
  Cluster,
  ENDED_REQUEST_STATES,
  GpuRequest,
  Page,
  PageQuery,
} from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterStore, RowRestriction } from '../clusters/clusterStore';
import { Access } from '../permissions/access';
import { RequestFilter, RequestStore } from './requestStore';

/** Requests as people see them: with what cannot be known just now, and since when. */
export class RequestViews {
  constructor(
    private readonly options: {
      store: RequestStore;
      clusters: Pick<ClusterStore, 'listClusters'>;
      access: Pick<Access, 'caller'>;
    },
  ) {}

  async get(id: string): Promise<GpuRequest | undefined> {
    const request = await this.options.store.get(id);
    return request && (await this.withFreshness([request]))[0];
  }

  async list(
    filter: RequestFilter,
    page: PageQuery,
    restrict?: RowRestriction,
  ): Promise<Page<GpuRequest>> {
    const found = await this.options.store.list(filter, page, restrict);
    return { ...found, items: await this.withFreshness(found.items) };
  }

  /** The user behind the call. @throws InputError for a service. */
  async userOf(credentials: BackstageCredentials): Promise<string> {
    return (await this.person(credentials)).userEntityRef;
  }

  /** The groups of the user behind the call. @throws InputError for a service. */
  async groupsOf(credentials: BackstageCredentials): Promise<string[]> {
    return (await this.person(credentials)).groups;
  }

  private async person(credentials: BackstageCredentials) {
    const caller = await this.options.access.caller(credentials);
    if (!caller) {
      throw new InputError(
        'mine is true, but the caller is a service; accepted is a user, or no "mine"',
      );
    }
    return caller;
  }

  private async withFreshness(requests: GpuRequest[]): Promise<GpuRequest[]> {
    const live = requests.some(isLive);
    const clusters = live ? await this.options.clusters.listClusters() : [];
    const byName = new Map(clusters.map(cluster => [cluster.name, cluster]));
    return requests.map(request =>
      withCluster(request, byName.get(request.cluster)),
    );
  }
}

function isLive({ state }: GpuRequest): boolean {
  return !ENDED_REQUEST_STATES.includes(state);
}

function withCluster(request: GpuRequest, cluster?: Cluster): GpuRequest {
  if (!isLive(request) || cluster?.state === 'connected') {
    return request;
  }
  const why = cluster
    ? `Cluster ${cluster.title} is ${cluster.state} since ${cluster.since}${
        cluster.message ? `: ${cluster.message}` : ''
      }`
    : `Cluster ${request.cluster} is not followed any more`;
  return {
    ...request,
    fresh: false,
    staleReason: [request.staleReason, why].filter(Boolean).join('. '),
  };
}
