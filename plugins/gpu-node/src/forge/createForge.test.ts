import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createForge } from './createForge';

const integrations = ScmIntegrations.fromConfig(
  new ConfigReader({
    integrations: {
      gitea: [
        {
          host: 'localhost:3099',
          baseUrl: 'http://localhost:3099/git/',
          password: 'portal',
        },
      ],
      github: [{ host: 'github.com', token: 'portal' }],
      gitlab: [{ host: 'gitlab.com' }],
    },
  }),
);

/** A client whose calls are recorded and answered 404. */
function recorded(repoUrl: string, token?: string) {
  const calls: Array<{ url: string; authorization: string | null }> = [];
  const forge = createForge({
    integrations,
    repoUrl,
    token,
    fetch: async (url, init) => {
      calls.push({
        url: String(url),
        authorization: new Headers(init?.headers).get('authorization'),
      });
      return new Response('{}', { status: 404 });
    },
  });
  return { forge, calls };
}

describe('createForge', () => {
  it.each([
    [
      'localhost:3099?owner=platform&repo=gpu-fleet',
      'gitea',
      'http://localhost:3099/git/api/v1/repos/platform/gpu-fleet/branches/a/b%20c',
      'token',
    ],
    [
      'github.com?owner=platform&repo=gpu-fleet',
      'github',
      'https://api.github.com/repos/platform/gpu-fleet/git/ref/heads/a/b%20c',
      'Bearer',
    ],
  ])(
    'speaks to %s as %s, with the integration’s token or a person’s',
    async (repoUrl, provider, url, scheme) => {
      const portal = recorded(repoUrl);
      expect(portal.forge.provider).toBe(provider);
      await portal.forge.getHead('a/b c');
      expect(portal.calls).toEqual([
        { url, authorization: `${scheme} portal` },
      ]);
      const person = recorded(repoUrl, 'mira');
      await person.forge.getHead('main');
      expect(person.calls[0].authorization).toBe(`${scheme} mira`);
    },
  );

  it('names the supported providers for a host of another type', () => {
    expect(() => recorded('gitlab.com?owner=a&repo=b')).toThrow(
      'repoUrl names host gitlab.com, which integrations says is gitlab; supported are gitea, github',
    );
  });

  it('names the host that integrations lacks', () => {
    expect(() => recorded('git.example.com?owner=a&repo=b')).toThrow(
      /git\.example\.com, and integrations has no entry.*gitea, github/,
    );
  });
});
