import { InputError } from '@backstage/errors';

/**
 * A repository as the Scaffolder writes it: `<host>?owner=<owner>&repo=<repo>`.
 *
 * @public
 */
export interface RepoLocation {
  /** With port, when it is not the default. */
  host: string;
  owner: string;
  repo: string;
}

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]+$/;

/**
 * Reads `localhost:7420?owner=platform&repo=gpu-fleet`.
 *
 * @throws InputError naming what is missing.
 * @public
 */
export function parseRepoUrl(repoUrl: string): RepoLocation {
  let url: URL;
  try {
    url = new URL(`https://${repoUrl}`);
  } catch {
    throw refuse(repoUrl, 'it is not a host');
  }
  const owner = url.searchParams.get('owner') ?? '';
  const repo = url.searchParams.get('repo') ?? '';
  for (const [key, value] of Object.entries({ owner, repo })) {
    if (!NAME.test(value)) {
      throw refuse(repoUrl, `${key} is ${JSON.stringify(value)}`);
    }
  }
  if (url.username || url.password || url.pathname !== '/' || url.hash) {
    throw refuse(repoUrl, 'it holds more than a host, owner and repo');
  }
  return { host: url.host, owner, repo };
}

function refuse(repoUrl: string, why: string): InputError {
  return new InputError(
    `repoUrl is ${JSON.stringify(
      repoUrl,
    )} and ${why}; accepted is <host>?owner=<owner>&repo=<repository>`,
  );
}
