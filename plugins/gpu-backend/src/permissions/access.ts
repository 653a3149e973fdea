import {
  BackstageCredentials,
  PermissionsRegistryService,
  PermissionsService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import { NotAllowedError } from '@backstage/errors';
import {
  AuthorizeResult,
  BasicPermission,
  PermissionCriteria,
  ResourcePermission,
} from '@backstage/plugin-permission-common';
import {
  ConditionTransformer,
  createConditionTransformer,
} from '@backstage/plugin-permission-node';
import {
  gpuQueueUsePermission,
  Queue,
  RESOURCE_TYPE_GPU_QUEUE,
  RESOURCE_TYPE_GPU_REQUEST,
  RESOURCE_TYPE_GPU_WORKLOAD,
} from '@gpuaas/backstage-plugin-gpu-common';
import {
  GpuResource,
  GpuResourceFilter,
  gpuQueueResourceRef,
  gpuRequestResourceRef,
  gpuWorkloadResourceRef,
} from '@gpuaas/backstage-plugin-gpu-node';
import { RowRestriction } from '../clusters/clusterStore';
import { matchesCriteria, whereCriteria } from './criteria';

/** What the caller may see of one resource type: as SQL, and for one resource. */
export interface Sight {
  /** Absent: everything. */
  restrict?: RowRestriction;
  sees(resource: GpuResource): boolean;
}

const EVERYTHING: Sight = { sees: () => true };

/**
 * Every permission decision of the plugin, for the router and for actions alike.
 */
export class Access {
  private readonly transformers: Record<
    string,
    ConditionTransformer<GpuResourceFilter>
  >;

  constructor(
    private readonly options: {
      permissions: PermissionsService;
      permissionsRegistry: PermissionsRegistryService;
      userInfo: UserInfoService;
      /** `permission.enabled`: without it nobody can have been given a permission. */
      permissionsEnabled: boolean;
    },
  ) {
    const registry = options.permissionsRegistry;
    const transformer = (
      ref:
        | typeof gpuQueueResourceRef
        | typeof gpuWorkloadResourceRef
        | typeof gpuRequestResourceRef,
    ) => createConditionTransformer(registry.getPermissionRuleset(ref as any));
    this.transformers = {
      [RESOURCE_TYPE_GPU_QUEUE]: transformer(gpuQueueResourceRef),
      [RESOURCE_TYPE_GPU_WORKLOAD]: transformer(gpuWorkloadResourceRef),
      [RESOURCE_TYPE_GPU_REQUEST]: transformer(gpuRequestResourceRef),
    } as Record<string, ConditionTransformer<GpuResourceFilter>>;
  }

  /** @throws NotAllowedError */
  async require(
    credentials: BackstageCredentials,
    permission: BasicPermission,
  ): Promise<void> {
    const [{ result }] = await this.options.permissions.authorize(
      [{ permission }],
      { credentials },
    );
    if (result !== AuthorizeResult.ALLOW) {
      throw notAllowed(permission.name);
    }
  }

  /** @throws NotAllowedError when nothing of the type may be seen. */
  async sight(
    credentials: BackstageCredentials,
    permission: ResourcePermission,
  ): Promise<Sight> {
    const [decision] = await this.options.permissions.authorizeConditional(
      [{ permission }],
      { credentials },
    );
    if (decision.result === AuthorizeResult.ALLOW) {
      return EVERYTHING;
    }
    if (!('conditions' in decision)) {
      throw notAllowed(permission.name);
    }
    const criteria: PermissionCriteria<GpuResourceFilter> = this.transformers[
      permission.resourceType
    ](decision.conditions);
    return {
      restrict: query => whereCriteria(query, criteria),
      sees: resource => matchesCriteria(resource, criteria),
    };
  }

  /** Like `sight`; undefined when nothing of the type may be seen. */
  async sightIfAny(
    credentials: BackstageCredentials,
    permission: ResourcePermission,
  ): Promise<Sight | undefined> {
    try {
      return await this.sight(credentials, permission);
    } catch (error) {
      if (error instanceof NotAllowedError) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Whether the caller may submit to a queue: a member of its owner group may, a
   * service may (it has checked its own caller), and whoever holds
   * `gpu.queue.use` for it.
   *
   * @throws NotAllowedError naming queue and owner.
   */
  async requireQueueUse(
    credentials: BackstageCredentials,
    queue: Pick<Queue, 'cluster' | 'namespace' | 'name' | 'owner'>,
  ): Promise<void> {
    const caller = await this.caller(credentials);
    if (!caller || (queue.owner && caller.groups.includes(queue.owner))) {
      return;
    }
    if (this.options.permissionsEnabled) {
      const resource = {
        cluster: queue.cluster,
        namespace: queue.namespace,
        queue: queue.name,
        team: queue.owner,
      };
      const sight = await this.sightIfAny(credentials, gpuQueueUsePermission);
      if (sight?.sees(resource)) {
        return;
      }
    }
    throw new NotAllowedError(
      `Queue ${queue.namespace}/${queue.name} on ${queue.cluster} belongs to ${
        queue.owner ?? 'nobody'
      }; accepted is a queue of your own team, or permission gpu.queue.use`,
    );
  }

  /** The user behind the call; undefined for a service. */
  async caller(
    credentials: BackstageCredentials,
  ): Promise<{ userEntityRef: string; groups: string[] } | undefined> {
    const principal = credentials.principal as { type?: string };
    if (principal.type !== 'user') {
      return undefined;
    }
    const { userEntityRef, ownershipEntityRefs } =
      await this.options.userInfo.getUserInfo(credentials);
    return { userEntityRef, groups: ownershipEntityRefs };
  }
}

function notAllowed(permission: string): NotAllowedError {
  return new NotAllowedError(`Permission ${permission} is missing`);
}
