import { setTimeout } from 'node:timers/promises';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createForge } from '../createForge';
import { ForgeUnderTest } from './forgeContract';

/** Whatever speaks Gitea's API at an address, real or not, put under the contract. */
export function giteaUnderTest(gitea: {
  url: string;
  /** May write and open requests in `platform/gpu-fleet`. */
  portalToken: string;
  /** May merge there; the account is called `pavel`. */
  reviewerToken: string;
  stop(): Promise<void>;
}): ForgeUnderTest {
  const { host } = new URL(gitea.url);
  const integrations = ScmIntegrations.fromConfig(
    new ConfigReader({
      integrations: {
        gitea: [{ host, baseUrl: gitea.url, password: gitea.portalToken }],
      },
    }),
  );

  /** A call as the reviewer, below the repository. */
  async function call(method: string, path: string, body?: object) {
    const response = await fetch(
      `${gitea.url}/api/v1/repos/platform/gpu-fleet/${path}`,
      {
        method,
        headers: {
          authorization: `token ${gitea.reviewerToken}`,
          'content-type': 'application/json',
        },
        body: body && JSON.stringify(body),
      },
    );
    const text = await response.text();
    if (!response.ok && response.status !== 404) {
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    }
    return response.ok && text ? JSON.parse(text) : undefined;
  }

  return {
    connect: options =>
      createForge({
        integrations,
        repoUrl: `${host}?owner=platform&repo=gpu-fleet`,
        ...options,
      }),
    merge: async number => {
      // Gitea first finds out in the background whether it can merge, and says 405 until then.
      const deadline = Date.now() + 30_000;
      for (;;) {
        try {
          await call('POST', `pulls/${number}/merge`, { Do: 'merge' });
          return;
        } catch (error) {
          if (!/ 405 /.test(String(error)) || Date.now() > deadline) {
            throw error;
          }
          await setTimeout(100);
        }
      }
    },
    close: async number => {
      await call('PATCH', `pulls/${number}`, { state: 'closed' });
    },
    commitTo: async (branch, path, content) => {
      const exists = await call('GET', `branches/${branch}`);
      const ref = exists ? branch : 'main';
      const sha = (await call('GET', `contents/${path}?ref=${ref}`))?.sha;
      const change = sha ? 'update' : 'create';
      await call('POST', 'contents', {
        ...(exists ? { branch } : { branch: 'main', new_branch: branch }),
        message: `Change ${path}`,
        files: [
          {
            operation: content === undefined ? 'delete' : change,
            path,
            sha,
            ...(content !== undefined && {
              content: Buffer.from(content).toString('base64'),
            }),
          },
        ],
      });
    },
    history: async branch =>
      (await call('GET', `commits?sha=${branch}&limit=50`)).map(
        ({ sha }: { sha: string }) => sha,
      ),
    stop: () => gitea.stop(),
  };
}
