import { IncomingMessage } from 'node:http';
import { ForgeError } from './forgeError';

/** What an account may do in the repositories of the forge. */
export type Access = 'none' | 'read' | 'write' | 'admin';

export interface Account {
  login: string;
  fullName: string;
  email: string;
  access: Access;
  /** Offered on the sign-in page. */
  person?: boolean;
}

export interface AccessToken {
  token: string;
  login: string;
  /** A token that was given no scopes can prove who it is, and nothing more. */
  withoutScopes?: boolean;
}

export interface SignedIn {
  account: Account;
  withoutScopes: boolean;
}

const ranks: readonly Access[] = ['none', 'read', 'write', 'admin'];

export function mayAtLeast(account: Account | undefined, access: Access) {
  return ranks.indexOf(account?.access ?? 'none') >= ranks.indexOf(access);
}

/** Who the accounts are and which token is whose. */
export class Accounts {
  private readonly byLogin: Map<string, Account>;
  private readonly byToken: Map<string, AccessToken>;

  constructor(
    readonly all: readonly Account[],
    tokens: readonly AccessToken[],
  ) {
    this.byLogin = new Map(all.map(account => [account.login, account]));
    this.byToken = new Map(tokens.map(entry => [entry.token, entry]));
    for (const { login } of tokens) {
      if (!this.byLogin.has(login)) {
        throw new Error(
          `a token belongs to "${login}", who is no account of the forge; accounts are ${[
            ...this.byLogin.keys(),
          ].join(', ')}`,
        );
      }
    }
  }

  find(login: string): Account | undefined {
    return this.byLogin.get(login);
  }

  /** Gitea's numeric id: stable, from 1. */
  id(login: string): number {
    return this.all.findIndex(account => account.login === login) + 1;
  }

  /**
   * Who sends a request: `token x`, `Bearer x`, or basic with the token as
   * password (or as user name, as git credential helpers do).
   *
   * @returns undefined when nobody says who they are
   * @throws ForgeError 401 when the credentials are not valid
   */
  authenticate(request: IncomingMessage): SignedIn | undefined {
    const header = request.headers.authorization;
    if (!header) {
      return undefined;
    }
    const [scheme, value = ''] = header.split(/\s+(.*)/);
    switch (scheme.toLowerCase()) {
      case 'token':
      case 'bearer':
        return this.signIn(value.trim());
      case 'basic': {
        const [login, ...rest] = Buffer.from(value, 'base64')
          .toString()
          .split(':');
        const password = rest.join(':');
        if (password === '' || password === 'x-oauth-basic') {
          return this.signIn(login);
        }
        return this.signIn(password, login);
      }
      default:
        throw invalidCredentials();
    }
  }

  private signIn(token: string, login?: string): SignedIn {
    const entry = this.byToken.get(token);
    const account = entry && this.byLogin.get(entry.login);
    // Gitea ignores the user name when the password is a token, except that it
    // must not be somebody else's.
    if (
      !entry ||
      !account ||
      (login && this.byLogin.has(login) && login !== account.login)
    ) {
      throw invalidCredentials();
    }
    return { account, withoutScopes: entry.withoutScopes ?? false };
  }
}

function invalidCredentials() {
  return new ForgeError(401, 'invalid username, password or token');
}
