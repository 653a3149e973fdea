import { masterUser, serviceAccountUser, TokenTable } from './apiserver';
import { people } from './fleet/fleet';
import { AccessToken, Account } from './forge/accounts';

/** Accounts of the forge: the people, and the programs that work for them. */
export const forgeAccounts: readonly Account[] = [
  {
    login: 'developer-hub',
    fullName: 'Developer Hub',
    email: 'developer-hub@example.com',
    access: 'write',
  },
  {
    login: 'argocd',
    fullName: 'Argo CD',
    email: 'argocd@example.com',
    access: 'read',
  },
  ...people.map(({ login, name, email, maintainer }) => ({
    login,
    fullName: name,
    email,
    access: maintainer ? ('admin' as const) : ('write' as const),
    person: true,
  })),
  {
    login: 'admin',
    fullName: 'Sandbox administrator',
    email: 'admin@example.com',
    access: 'admin',
  },
  {
    login: 'guest',
    fullName: 'Guest without rights',
    email: 'guest@example.com',
    access: 'none',
  },
];

/** `sandbox-<login>` each, and one token that was given no scopes. */
export const forgeTokens: readonly AccessToken[] = [
  ...forgeAccounts.map(({ login }) => ({ token: `sandbox-${login}`, login })),
  { token: 'sandbox-no-scopes', login: 'developer-hub', withoutScopes: true },
];

export const clusterTokens = {
  /** What deploy/rbac gives the portal, no more. */
  portal: 'sandbox-portal',
  argocd: 'sandbox-argocd',
  admin: 'sandbox-admin',
} as const;

/** Who a cluster's tokens are. */
export function clusterTokenTable(): TokenTable {
  return new Map([
    [clusterTokens.portal, serviceAccountUser('gpuaas', 'gpu-portal')],
    [
      clusterTokens.argocd,
      masterUser('system:serviceaccount:argocd:argocd-application-controller'),
    ],
    [clusterTokens.admin, masterUser('admin')],
  ]);
}
