import { stringify } from 'yaml';

/** A way into a cluster: `kubectl --context <name>`. */
export interface KubeconfigContext {
  name: string;
  /** The API server's URL, as `createApiServer` returns it. */
  url: string;
  token: string;
}

/**
 * A kubeconfig for kubectl, first context current. The token travels as the
 * password in the URL, because kubectl ignores the credentials of a kubeconfig
 * when the server speaks plain HTTP.
 */
export function kubeconfig(contexts: readonly KubeconfigContext[]): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: contexts.map(({ name, url, token }) => {
      const server = new URL(url);
      server.username = 'token';
      server.password = token;
      return { name, cluster: { server: server.href.replace(/\/$/, '') } };
    }),
    users: [],
    contexts: contexts.map(({ name }) => ({
      name,
      context: { cluster: name },
    })),
    'current-context': contexts[0]?.name ?? '',
  });
}
