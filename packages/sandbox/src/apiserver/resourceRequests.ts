import { ApiStatusError, unknownPath } from './apiStatus';
import type { ResourcePath } from './requestInfo';
import {
  existing,
  type ResourceRequest,
  sendObject,
  type Verb,
} from './resourceContext';
import { list, watch } from './resourceReads';
import {
  create,
  evict,
  patch,
  remove,
  removeAll,
  update,
} from './resourceWrites';

const methodVerbs: Readonly<Record<string, { named?: Verb; unnamed?: Verb }>> =
  {
    GET: { named: 'get', unnamed: 'list' },
    POST: { unnamed: 'create' },
    PUT: { named: 'update' },
    PATCH: { named: 'patch' },
    DELETE: { named: 'delete', unnamed: 'deletecollection' },
  };

/** The verb of a request, as RBAC calls it. Throws 405 for a method that does not fit the path. */
export function verbOf(
  method: string,
  path: ResourcePath,
  query: URLSearchParams,
): Verb {
  if (path.subresource === 'eviction' && method === 'POST') {
    return 'create';
  }
  const verb = methodVerbs[method]?.[path.name ? 'named' : 'unnamed'];
  const onWhole = path.type.namespaced && !path.namespace && !path.name;
  if (!verb || (onWhole && verb === 'create')) {
    throw new ApiStatusError({
      code: 405,
      reason: 'MethodNotAllowed',
      message:
        'the server does not allow this method on the requested resource',
      details: {},
    });
  }
  const watches = ['true', '1'].includes(query.get('watch') ?? '');
  return method === 'GET' && watches ? 'watch' : verb;
}

const handlers: Record<
  Verb,
  (context: ResourceRequest) => void | Promise<void>
> = {
  get: context => sendObject(context, 200, existing(context)),
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeAll,
};

/** Does what a request asks and answers it. Throws ApiStatusError for the server to send. */
export async function handleResource(context: ResourceRequest): Promise<void> {
  const { path, verb } = context;
  if (path.subresource === 'eviction' && path.type.kind === 'Pod') {
    await evict(context);
    return;
  }
  const isStatus = path.subresource === 'status' && path.type.hasStatus;
  if (path.subresource && !isStatus) {
    throw unknownPath();
  }
  await handlers[verb](context);
}
