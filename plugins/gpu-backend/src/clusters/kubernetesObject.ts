/* eslint-disable @typescript-eslint/no-explicit-any */

/**
 * A Kubernetes object as it travels: metadata typed, the rest as each kind has
 * it. What we keep of it is trimmed (followedResources.ts).
 */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  [field: string]: any;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion?: string;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: Array<{
    apiVersion?: string;
    kind: string;
    name: string;
    uid: string;
    controller?: boolean;
  }>;
}

/** One entry of `status.conditions`. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  /** RFC 3339, whole seconds: the cluster's clock. */
  lastTransitionTime: string;
}

export function conditionOf(
  object: KubernetesObject,
  type: string,
): Condition | undefined {
  return (object.status?.conditions as Condition[] | undefined)?.find(
    condition => condition.type === type,
  );
}
