import { mockServices } from '@backstage/backend-test-utils';
import { ScmIntegrations } from '@backstage/integration';
import { createForge } from './createForge';

const integrations = ScmIntegrations.fromConfig(
  mockServices.rootConfig({
    data: {
      integrations: {
        gitea: [{ host: 'git.test', baseUrl: 'http://git.test' }],
        github: [{ host: 'github.test', apiBaseUrl: 'http://github.test' }],
      },
    },
  }),
);

describe.each(['git.test', 'github.test'])('a forge that lies, %s', host => {
  const forge = (answer: unknown) =>
    createForge({
      integrations,
      repoUrl: `${host}?owner=platform&repo=gpu-fleet`,
      retryDelayMs: 1,
      fetch: async () => new Response(JSON.stringify(answer)),
    });

  it.each([
    [null],
    [{}],
    [[]],
    ['ok'],
    [{ number: 'x', state: 'open', head: { ref: 'a' }, base: { ref: 'b' } }],
    [{ number: 1, state: 'mad', head: { ref: 'a' }, base: { ref: 'b' } }],
    [{ number: 1, state: 'open', head: null, base: { ref: 'b' } }],
  ])('is told from one that knows: %j', async answer => {
    await expect(forge(answer).getRequest(1)).rejects.toMatchObject({
      name: 'ForgeError',
      kind: 'unavailable',
      message: expect.stringContaining('something that is not a pull request'),
    });
    await expect(
      forge(Array.isArray(answer) ? {} : answer).findRequest('a', 'b'),
    ).rejects.toMatchObject({ name: 'ForgeError', kind: 'unavailable' });
  });
});
