import { InputError } from '@backstage/errors';
import {
  DefaultGithubCredentialsProvider,
  getGiteaRequestOptions,
  GiteaIntegration,
  GithubIntegration,
  ScmIntegrationRegistry,
} from '@backstage/integration';
import { ForgeHttp, ForgeHttpOptions } from './ForgeHttp';
import { GiteaForge } from './GiteaForge';
import { GitForge } from './GitForge';
import { GitHubForge } from './GitHubForge';
import { parseRepoUrl, RepoLocation } from './repoUrl';

/**
 * What a provider's client is made of.
 *
 * @public
 */
export interface ForgeOptions extends ForgeHttpOptions {
  integrations: ScmIntegrationRegistry;
  /** `<host>?owner=<owner>&repo=<repository>` */
  repoUrl: string;
  /** A person's token; the integration's when absent. */
  token?: string;
}

type Provider = (location: RepoLocation, options: ForgeOptions) => GitForge;

const PROVIDERS: Record<string, Provider> = { gitea, github };

/**
 * A client for the forge that hosts a repository, chosen by the `integrations`
 * entry of its host.
 *
 * @throws InputError when no entry has this host, or nobody has written a client for its type.
 * @public
 */
export function createForge(options: ForgeOptions): GitForge {
  const location = parseRepoUrl(options.repoUrl);
  const type = options.integrations.byHost(location.host)?.type;
  const supported = Object.keys(PROVIDERS).join(', ');
  if (!type) {
    throw new InputError(
      `repoUrl names host ${location.host}, and integrations has no entry for it; supported are ${supported}`,
    );
  }
  const provider = Object.hasOwn(PROVIDERS, type) ? PROVIDERS[type] : undefined;
  if (!provider) {
    throw new InputError(
      `repoUrl names host ${location.host}, which integrations says is ${type}; supported are ${supported}`,
    );
  }
  return provider(location, options);
}

function gitea({ host, owner, repo }: RepoLocation, options: ForgeOptions) {
  const integration = options.integrations.byHost(host) as GiteaIntegration;
  const { token } = options;
  const headers = token
    ? { authorization: `token ${token}` }
    : getGiteaRequestOptions(integration.config).headers ?? {};
  const repository = `${host}/${owner}/${repo}`;
  const web = integration.config.baseUrl ?? `https://${host}`;
  const http = new ForgeHttp(
    {
      title: 'Gitea',
      repository,
      apiUrl: `${web.replace(/\/+$/, '')}/api/v1`,
      headers: async () => headers,
      tokenHint: token
        ? 'the token given to this step'
        : `integrations.gitea of ${host}: password`,
    },
    options,
  );
  return new GiteaForge(http, repository, owner, repo);
}

function github({ host, owner, repo }: RepoLocation, options: ForgeOptions) {
  const { integrations, token } = options;
  const integration = integrations.byHost(host) as GithubIntegration;
  const credentials =
    DefaultGithubCredentialsProvider.fromIntegrations(integrations);
  const repository = `${host}/${owner}/${repo}`;
  const http = new ForgeHttp(
    {
      title: 'GitHub',
      repository,
      apiUrl: (
        integration.config.apiBaseUrl ?? 'https://api.github.com'
      ).replace(/\/+$/, ''),
      headers: async () => ({
        ...(token
          ? { authorization: `Bearer ${token}` }
          : (
              await credentials.getCredentials({
                url: `https://${repository}`,
              })
            ).headers),
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      }),
      tokenHint: token
        ? 'the token given to this step'
        : `integrations.github of ${host}: token or apps`,
    },
    options,
  );
  return new GitHubForge(http, repository, owner, repo);
}
