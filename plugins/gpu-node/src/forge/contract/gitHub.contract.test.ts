import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createForge } from '../createForge';
import { describeForgeContract } from './forgeContract';
import { GitHubServer } from './GitHubServer';

describeForgeContract('GitHub', async () => {
  const server = new GitHubServer();
  const apiBaseUrl = await server.start();
  const integrations = ScmIntegrations.fromConfig(
    new ConfigReader({
      integrations: {
        github: [
          { host: 'github.test', apiBaseUrl, token: GitHubServer.token },
        ],
      },
    }),
  );
  return {
    connect: options =>
      createForge({
        integrations,
        repoUrl: 'github.test?owner=platform&repo=gpu-fleet',
        ...options,
      }),
    merge: async number => server.merge(number),
    close: async number => server.close(number),
    commitTo: async (branch, path, content) =>
      server.commitTo(branch, path, content),
    history: async branch => server.history(branch),
    stop: () => server.stop(),
  };
});
