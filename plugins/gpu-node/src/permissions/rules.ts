import {
  createConditionExports,
  createPermissionRule,
  PermissionResourceRef,
} from '@backstage/plugin-permission-node';
import { z } from 'zod';
import {
  GpuResource,
  GpuResourceFilter,
  gpuQueueResourceRef,
  gpuRequestResourceRef,
  gpuWorkloadResourceRef,
} from './resourceRefs';

// The only file that uses zod 4: permission rules take no schema of an older zod.

type GpuResourceRef<T extends string> = PermissionResourceRef<
  GpuResource,
  GpuResourceFilter,
  T,
  'gpu'
>;

const isTeamMember = <T extends string>(resourceRef: GpuResourceRef<T>) =>
  createPermissionRule({
    name: 'IS_TEAM_MEMBER',
    description: 'The queue is owned by one of these groups',
    resourceRef,
    paramsSchema: z.object({
      teams: z
        .array(z.string())
        .describe(
          'Group references; in RBAC $ownerRefs: the groups of the user',
        ),
    }),
    apply: (resource, { teams }) =>
      resource.team !== undefined && teams.includes(resource.team),
    toQuery: ({ teams }) => ({ column: 'team', values: teams }),
  });

const isRequester = <T extends string>(resourceRef: GpuResourceRef<T>) =>
  createPermissionRule({
    name: 'IS_REQUESTER',
    description: 'One of these users asked for it',
    resourceRef,
    paramsSchema: z.object({
      requesters: z
        .array(z.string())
        .describe('User references; in RBAC $currentUser: the user'),
    }),
    apply: (resource, { requesters }) =>
      resource.requester !== undefined &&
      requesters.includes(resource.requester),
    toQuery: ({ requesters }) => ({ column: 'requester', values: requesters }),
  });

const hasCluster = <T extends string>(resourceRef: GpuResourceRef<T>) =>
  createPermissionRule({
    name: 'HAS_CLUSTER',
    description: 'It is on one of these clusters',
    resourceRef,
    paramsSchema: z.object({
      clusters: z.array(z.string()).describe('Names under gpu.clusters'),
    }),
    apply: (resource, { clusters }) => clusters.includes(resource.cluster),
    toQuery: ({ clusters }) => ({ column: 'cluster', values: clusters }),
  });

const anyOfThem = <T extends string>(resourceRef: GpuResourceRef<T>) =>
  createPermissionRule({
    name: 'ANY',
    description:
      'Always true: keeps a wide role wide where conditions come before plain permissions',
    resourceRef,
    apply: () => true,
    toQuery: (): GpuResourceFilter => ({ column: 'any', values: [] }),
  });

/** @public */
export const gpuQueueRules = {
  isTeamMember: isTeamMember(gpuQueueResourceRef),
  hasCluster: hasCluster(gpuQueueResourceRef),
  any: anyOfThem(gpuQueueResourceRef),
};

/** @public */
export const gpuWorkloadRules = {
  isTeamMember: isTeamMember(gpuWorkloadResourceRef),
  isRequester: isRequester(gpuWorkloadResourceRef),
  hasCluster: hasCluster(gpuWorkloadResourceRef),
  any: anyOfThem(gpuWorkloadResourceRef),
};

/** @public */
export const gpuRequestRules = {
  isTeamMember: isTeamMember(gpuRequestResourceRef),
  isRequester: isRequester(gpuRequestResourceRef),
  hasCluster: hasCluster(gpuRequestResourceRef),
  any: anyOfThem(gpuRequestResourceRef),
};

const queueExports = createConditionExports({
  resourceRef: gpuQueueResourceRef,
  rules: gpuQueueRules,
});
const workloadExports = createConditionExports({
  resourceRef: gpuWorkloadResourceRef,
  rules: gpuWorkloadRules,
});
const requestExports = createConditionExports({
  resourceRef: gpuRequestResourceRef,
  rules: gpuRequestRules,
});

/**
 * Conditions a permission policy may return for queues.
 *
 * @public
 */
export const gpuQueueConditions = queueExports.conditions;

/** @public */
export const createGpuQueueConditionalDecision =
  queueExports.createConditionalDecision;

/**
 * Conditions a permission policy may return for workloads.
 *
 * @public
 */
export const gpuWorkloadConditions = workloadExports.conditions;

/** @public */
export const createGpuWorkloadConditionalDecision =
  workloadExports.createConditionalDecision;

/**
 * Conditions a permission policy may return for requests.
 *
 * @public
 */
export const gpuRequestConditions = requestExports.conditions;

/** @public */
export const createGpuRequestConditionalDecision =
  requestExports.createConditionalDecision;
