/** Labels, annotations and names of Kueue. */
export const prefix = 'kueue.x-k8s.io';

export const queueNameLabel = `${prefix}/queue-name`;
export const priorityClassLabel = `${prefix}/priority-class`;
export const maxExecTimeLabel = `${prefix}/max-exec-time-seconds`;
export const jobUidLabel = `${prefix}/job-uid`;
export const clusterQueueLabel = `${prefix}/cluster-queue-name`;
export const localQueueLabel = `${prefix}/local-queue-name`;
export const podSetLabel = `${prefix}/podset`;

export const gatedByAnnotation = `${prefix}/admission-gated-by`;
export const minParallelismAnnotation = `${prefix}/job-min-parallelism`;
export const equalCompletionsAnnotation = `${prefix}/job-completions-equal-parallelism`;
export const workloadAnnotation = `${prefix}/workload`;

export const inUseFinalizer = `${prefix}/resource-in-use`;

export const kueueApi = `${prefix}/v1beta2`;
/** Who Kueue's controllers are to RBAC and admission. */
export const kueueUser =
  'system:serviceaccount:kueue-system:kueue-controller-manager';
/** LocalQueue that Jobs without a queue get where it exists. */
export const defaultLocalQueue = 'default';
export const podSetName = 'main';
