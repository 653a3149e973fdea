import { createBackendModule } from '@backstage/backend-plugin-api';
import {
  AuthorizeResult,
  isPermission,
  isResourcePermission,
  isUpdatePermission,
  isDeletePermission,
  Permission,
  PolicyDecision,
} from '@backstage/plugin-permission-common';
import {
  PermissionPolicy,
  PolicyQuery,
  PolicyQueryUser,
} from '@backstage/plugin-permission-node';
import { policyExtensionPoint } from '@backstage/plugin-permission-node/alpha';
import {
  gpuQueueReadPermission,
  gpuQueueUsePermission,
  gpuRequestReadPermission,
  gpuWorkloadReadPermission,
} from '@gpuaas/backstage-plugin-gpu-common';
import {
  createGpuQueueConditionalDecision,
  createGpuRequestConditionalDecision,
  createGpuWorkloadConditionalDecision,
  gpuQueueConditions,
  gpuRequestConditions,
  gpuWorkloadConditions,
} from '@gpuaas/backstage-plugin-gpu-node';

const PLATFORM = 'group:default/platform';
const FINOPS = 'group:default/finops';

const ALLOW: PolicyDecision = { result: AuthorizeResult.ALLOW };
const DENY: PolicyDecision = { result: AuthorizeResult.DENY };

/**
 * Who may see what in the development hub: the platform team everything,
 * FinOps reads everything, everybody else what is their team's or their own.
 * A deployment says the same with RBAC (docs/rbac.md).
 */
export class DevelopmentPolicy implements PermissionPolicy {
  async handle(
    { permission }: PolicyQuery,
    user?: PolicyQueryUser,
  ): Promise<PolicyDecision> {
    if (!user) return DENY;
    const groups = user.info.ownershipEntityRefs;
    if (groups.includes(PLATFORM)) return ALLOW;
    if (isPermission(permission, gpuQueueUsePermission)) return DENY;
    if (groups.includes(FINOPS) && isGpu(permission)) return ALLOW;
    if (isGpu(permission)) {
      return decideForTeam(permission, groups, user.info.userEntityRef);
    }
    // The catalog is kept in Git: nobody else edits it by hand.
    const edits =
      isUpdatePermission(permission) || isDeletePermission(permission);
    return permission.name.startsWith('catalog.') && edits ? DENY : ALLOW;
  }
}

function isGpu(permission: Permission): boolean {
  return permission.name.startsWith('gpu.');
}

function decideForTeam(
  permission: Permission,
  teams: string[],
  userRef: string,
): PolicyDecision {
  if (!isResourcePermission(permission)) return ALLOW;
  if (isPermission(permission, gpuQueueReadPermission)) {
    return createGpuQueueConditionalDecision(
      permission,
      gpuQueueConditions.isTeamMember({ teams }),
    );
  }
  if (isPermission(permission, gpuWorkloadReadPermission)) {
    return createGpuWorkloadConditionalDecision(permission, {
      anyOf: [
        gpuWorkloadConditions.isTeamMember({ teams }),
        gpuWorkloadConditions.isRequester({ requesters: [userRef] }),
      ],
    });
  }
  if (isPermission(permission, gpuRequestReadPermission)) {
    return createGpuRequestConditionalDecision(permission, {
      anyOf: [
        gpuRequestConditions.isTeamMember({ teams }),
        gpuRequestConditions.isRequester({ requesters: [userRef] }),
      ],
    });
  }
  return DENY;
}

/** Installs the policy. */
export default createBackendModule({
  pluginId: 'permission',
  moduleId: 'development-policy',
  register(registration) {
    registration.registerInit({
      deps: { policy: policyExtensionPoint },
      async init({ policy }) {
        policy.setPolicy(new DevelopmentPolicy());
      },
    });
  },
});
