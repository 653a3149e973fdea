/* eslint-disable @typescript-eslint/no-explicit-any */
import type { UserInfo } from './authentication';
import type { ObjectStore } from './objectStore';
import { isAllowed } from './rbac';

/** Path of `kubectl auth can-i` and of clients that ask before they act. */
export const accessReviewPath =
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Answers a SelfSubjectAccessReview. */
export function reviewAccess(
  store: ObjectStore,
  user: UserInfo,
  review: any,
): object {
  const { resourceAttributes, nonResourceAttributes } = review?.spec ?? {};
  const allowed = isAllowed(
    store,
    user,
    nonResourceAttributes ?? {
      ...resourceAttributes,
      namespace: resourceAttributes?.namespace || undefined,
      subresource: resourceAttributes?.subresource || undefined,
      name: resourceAttributes?.name || undefined,
    },
  );
  return {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { creationTimestamp: null },
    spec: review?.spec ?? {},
    status: { allowed },
  };
}
