import { badRequest } from './apiStatus';
import type { UserInfo } from './authentication';
import type { ObjectStore } from './objectStore';
import { readFields, unwrap } from './protobuf';
import { type Attributes, isAllowed } from './rbac';

/** Path of `kubectl auth can-i` and of clients that ask before they act. */
export const accessReviewPath =
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface ReviewSpec {
  resourceAttributes?: Partial<Attributes>;
  nonResourceAttributes?: { path: string; verb: string };
}

/** Field numbers of authorization.k8s.io/v1, generated.proto. */
const resourceFields = [
  'namespace',
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'name',
];
const nonResourceFields = ['path', 'verb'];
const specField = 2;

function texts(message: Buffer, names: readonly string[]) {
  const fields = readFields(message);
  return Object.fromEntries(
    names.map((name, index) => [name, fields.get(index + 1)?.toString() ?? '']),
  );
}

function decodeSpec(body: Buffer): ReviewSpec {
  try {
    const spec = readFields(
      readFields(unwrap(body)).get(specField) ?? Buffer.alloc(0),
    );
    const [resource, nonResource] = [spec.get(1), spec.get(2)];
    return {
      ...(resource && { resourceAttributes: texts(resource, resourceFields) }),
      ...(nonResource && {
        nonResourceAttributes: texts(nonResource, nonResourceFields) as {
          path: string;
          verb: string;
        },
      }),
    };
  } catch {
    throw badRequest('the body of the request is no SelfSubjectAccessReview');
  }
}

/** Answers a SelfSubjectAccessReview: the object as JSON, or its protobuf. */
export function reviewAccess(
  store: ObjectStore,
  user: UserInfo,
  review: { spec?: ReviewSpec } | Buffer | undefined,
): object {
  const spec = Buffer.isBuffer(review)
    ? decodeSpec(review)
    : review?.spec ?? {};
  const { resourceAttributes, nonResourceAttributes } = spec;
  const allowed = isAllowed(
    store,
    user,
    nonResourceAttributes ?? {
      verb: '',
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
    spec,
    status: { allowed },
  };
}
