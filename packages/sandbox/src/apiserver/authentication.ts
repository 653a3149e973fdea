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

/** The user of an Authorization header; anonymous without one. Throws 401 for a token nobody holds. */
export function authenticate(
  tokens: TokenTable,
  authorization: string | undefined,
): UserInfo {
  const [, token] = /^bearer\s+(.+)$/i.exec(authorization ?? '') ?? [];
  if (!token) {
    return anonymous;
  }
  const user = tokens.get(token);
  if (!user) {
    throw unauthorized();
  }
  return user;
}
