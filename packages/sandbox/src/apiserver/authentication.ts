import { ApiStatusError } from './apiStatus';

/** Who asks. */
export interface UserInfo {
  name: string;
  groups: string[];
}

/** Bearer tokens and who holds them. A Map, so that a test can let a token expire. */
export type TokenTable = Map<string, UserInfo>;

/** Members may do everything. */
export const mastersGroup = 'system:masters';

/** The user that a pod with this ServiceAccount is. */
export function serviceAccountUser(namespace: string, name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
  };
}

/** A user with every right, by membership of system:masters. */
export function masterUser(name: string): UserInfo {
  return { name, groups: [mastersGroup, 'system:authenticated'] };
}

const anonymous: UserInfo = {
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
};

/** 401 as the API server answers it. */
export function unauthorized(): ApiStatusError {
  return new ApiStatusError({
    code: 401,
    reason: 'Unauthorized',
    message: 'Unauthorized',
  });
}

/**
 * The token of an Authorization header. Beside `Bearer <token>` it may be the
 * password of basic authentication: kubectl sends no bearer token over plain
 * HTTP, but it does send what stands in the server's URL.
 */
function tokenOf(authorization: string): string | undefined {
  const [, scheme, credentials] = /^(\w+)\s+(.+)$/.exec(authorization) ?? [];
  switch (scheme?.toLowerCase()) {
    case 'bearer':
      return credentials;
    case 'basic':
      return Buffer.from(credentials, 'base64').toString().split(':')[1];
    default:
      return undefined;
  }
}

/** The user of an Authorization header; anonymous without one. Throws 401 for a token nobody holds. */
export function authenticate(
  tokens: TokenTable,
  authorization: string | undefined,
): UserInfo {
  const token = tokenOf(authorization ?? '');
  if (!token) {
    return anonymous;
  }
  const user = tokens.get(token);
  if (!user) {
    throw unauthorized();
  }
  return user;
}
