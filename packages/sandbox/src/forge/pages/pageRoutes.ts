import { Account, Accounts } from '../accounts';
import { ForgeError, notFound } from '../forgeError';
import { HostedRepository } from '../hostedRepository';
import { Answer, Call, Route, route } from '../http';
import { mergePullRequest } from '../mergePullRequest';
import { editPullRequest, reviewPullRequest } from '../pullRequests';
import { Html, markup } from './html';
import { page, PageFrame } from './layout';
import { pullList, pullPage } from './pullPages';
import { commitPage, filePage, folderPage } from './sourcePages';
import { stylesheet } from './stylesheet';

const cookieName = 'forge-person';

function answerPage(frame: PageFrame, content: Html, status = 200): Answer {
  return {
    status,
    text: page(frame, content),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  };
}

function seeOther(location: string, cookie?: string): Answer {
  return {
    status: 303,
    headers: { Location: location, ...(cookie && { 'Set-Cookie': cookie }) },
  };
}

/** A path of this forge to go back to; anything else leads home. */
function safeReturn(value: unknown): string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : '/';
}

/** The person that the cookie says; people only, programs use tokens. */
function personOf(call: Call, accounts: Accounts): Account | undefined {
  const login = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(
    call.request.headers.cookie ?? '',
  )?.[1];
  const account = login ? accounts.find(login) : undefined;
  return account?.person ? account : undefined;
}

/** Another site must not act for whoever is signed in here. */
function sameOrigin(call: Call): void {
  const { origin, host } = call.request.headers;
  if (origin && URL.canParse(origin) && new URL(origin).host === host) {
    return;
  }
  if (origin) {
    throw new ForgeError(403, `a form of ${origin} may not act here`);
  }
}

/** Pages for people: pull requests to read and decide on, and the files. */
export function pageRoutes(
  accounts: Accounts,
  repositories: ReadonlyMap<string, HostedRepository>,
): Route[] {
  const find = (call: Call): HostedRepository => {
    const repository = repositories.get(
      `${call.params.owner}/${call.params.repo}`,
    );
    if (!repository) {
      throw notFound();
    }
    return repository;
  };

  const show =
    (
      title: string,
      content: (
        repository: HostedRepository,
        call: Call,
        account: Account | undefined,
      ) => Promise<Html> | Html,
    ) =>
    async (call: Call): Promise<Answer> => {
      const repository = find(call);
      const account = personOf(call, accounts);
      return answerPage(
        {
          title: `${title} · ${repository.owner}/${repository.name}`,
          path: call.url.pathname + call.url.search,
          account,
          repository,
        },
        await content(repository, call, account),
      );
    };

  const act =
    (
      deed: (
        repository: HostedRepository,
        account: Account,
        number: number,
        call: Call,
      ) => Promise<unknown> | unknown,
    ) =>
    async (call: Call): Promise<Answer> => {
      sameOrigin(call);
      const repository = find(call);
      const number = Number(call.params.index);
      const pull = repository.pull(number);
      const path = `/${repository.owner}/${repository.name}/pulls/${number}`;
      const account = personOf(call, accounts);
      if (!account) {
        return seeOther(`/sign-in?return=${encodeURIComponent(path)}`);
      }
      try {
        await deed(repository, account, number, call);
      } catch (error) {
        if (!(error instanceof ForgeError)) {
          throw error;
        }
        const frame = {
          title: pull.title,
          path,
          account,
          repository,
          problem: error.message || 'That is not possible any more.',
        };
        return answerPage(
          frame,
          await pullPage(repository, pull, account),
          error.status,
        );
      }
      return seeOther(path);
    };

  /** Splits `branch/name/with/slashes/path` at the branch that exists. */
  const source = async (repository: HostedRepository, call: Call) => {
    const parts = call.params.rest.split('/').filter(Boolean);
    for (let length = 1; length <= parts.length; length += 1) {
      const ref = parts.slice(0, length).join('/');
      const commit = await repository.git.resolve(ref);
      if (commit) {
        return { ref, commit, path: parts.slice(length).join('/') };
      }
    }
    throw notFound();
  };

  const pulls = '/:owner/:repo/pulls';
  return [
    route('GET', '/', () => {
      const [first] = repositories.keys();
      return seeOther(first ? `/${first}/pulls` : '/sign-in');
    }),
    route('GET', '/assets/forge.css', () => ({
      status: 200,
      text: stylesheet,
      headers: { 'Content-Type': 'text/css; charset=utf-8' },
    })),
    route('GET', '/avatars/:login', ({ params }) => {
      const name = accounts.find(params.login)?.fullName ?? params.login;
      const initials = name
        .split(' ')
        .map(part => part[0])
        .join('')
        .slice(0, 2);
      return {
        status: 200,
        text: markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#40566e"/><text x="20" y="26" text-anchor="middle" font-family="sans-serif" font-size="16" fill="#fff">${initials}</text></svg>`
          .text,
        headers: { 'Content-Type': 'image/svg+xml' },
      };
    }),
    route('GET', '/sign-in', call => {
      const back = safeReturn(call.url.searchParams.get('return'));
      return answerPage(
        { title: 'Sign in', path: back },
        markup`<h1>Who are you?</h1>
          <ul class="people">
            ${accounts.all
              .filter(({ person }) => person)
              .map(
                ({ login, fullName, access }) => markup`<li>
                  <form method="post" action="/sign-in">
                    <input type="hidden" name="login" value="${login}" />
                    <input type="hidden" name="return" value="${back}" />
                    <button>
                      ${fullName}<br /><span class="quiet"
                        >${
                          access === 'admin'
                            ? 'reviews and merges'
                            : 'asks and comments'
                        }</span
                      >
                    </button>
                  </form>
                </li>`,
              )}
          </ul>`,
      );
    }),
    route('POST', '/sign-in', call => {
      sameOrigin(call);
      const { login } = call.body;
      if (!accounts.find(login)?.person) {
        throw new ForgeError(422, `"${login}" is nobody who can sign in`);
      }
      return seeOther(
        safeReturn(call.body.return),
        `${cookieName}=${login}; Path=/; HttpOnly; SameSite=Lax`,
      );
    }),
    route('POST', '/sign-out', call => {
      sameOrigin(call);
      return seeOther(
        safeReturn(call.body.return),
        `${cookieName}=; Path=/; Max-Age=0`,
      );
    }),
    route('GET', '/:owner/:repo', call => {
      const { owner, name } = find(call);
      return seeOther(`/${owner}/${name}/pulls`);
    }),
    route(
      'GET',
      pulls,
      show('Pull requests', (repository, call) =>
        pullList(
          repository,
          call.url.searchParams.get('state') === 'closed' ? 'closed' : 'open',
          Math.max(1, Number(call.url.searchParams.get('page')) || 1),
        ),
      ),
    ),
    route(
      'GET',
      `${pulls}/:index#`,
      show('Pull request', (repository, call, account) =>
        pullPage(
          repository,
          repository.pull(Number(call.params.index)),
          account,
        ),
      ),
    ),
    ...(['diff', 'patch'] as const).map(kind =>
      route('GET', `${pulls}/:index#.${kind}`, async call => {
        const repository = find(call);
        const pull = repository.pull(Number(call.params.index));
        return {
          status: 200,
          text: await repository.git[kind](pull.mergeBase, pull.headSha),
        };
      }),
    ),
    route(
      'POST',
      `${pulls}/:index#/approve`,
      act((repository, account, number) =>
        reviewPullRequest(repository, account, number, { event: 'APPROVED' }),
      ),
    ),
    route(
      'POST',
      `${pulls}/:index#/merge`,
      act((repository, account, number, call) =>
        mergePullRequest(repository, account, number, {
          style: 'merge',
          // What the reviewer has seen is what is merged.
          headCommit: call.body.head,
        }),
      ),
    ),
    ...(['close', 'reopen'] as const).map(verb =>
      route(
        'POST',
        `${pulls}/:index#/${verb}`,
        act((repository, account, number) =>
          editPullRequest(repository, account, number, {
            state: verb === 'close' ? 'closed' : 'open',
          }),
        ),
      ),
    ),
    route(
      'POST',
      `${pulls}/:index#/comment`,
      act((repository, account, number, call) =>
        reviewPullRequest(repository, account, number, {
          event: 'COMMENT',
          body: call.body.body,
        }),
      ),
    ),
    route(
      'GET',
      '/:owner/:repo/commit/:sha',
      show('Commit', async (repository, call) =>
        commitPage(repository, await repository.commitOfRef(call.params.sha)),
      ),
    ),
    ...(['branch', 'commit'] as const).flatMap(kind => [
      route(
        'GET',
        `/:owner/:repo/src/${kind}/*`,
        show('Files', async (repository, call) => {
          const { ref, commit, path } = await source(repository, call);
          const entry = path
            ? await repository.git.entry(commit, path)
            : undefined;
          if (entry?.type === 'blob') {
            const blob = await repository.git.blob(entry.sha);
            return filePage(repository, kind, ref, path, blob.toString());
          }
          const entries = await repository.git.folder(commit, path);
          if (!entries) {
            throw notFound();
          }
          return folderPage(repository, kind, ref, path, entries);
        }),
      ),
      route('GET', `/:owner/:repo/raw/${kind}/*`, async call => {
        const repository = find(call);
        const { commit, path } = await source(repository, call);
        const entry = await repository.git.entry(commit, path);
        if (entry?.type !== 'blob') {
          throw notFound();
        }
        return { status: 200, text: await repository.git.blob(entry.sha) };
      }),
    ]),
  ];
}

/** A problem as a page, for somebody who followed a link. */
export function problemPage(status: number, message: string): Answer {
  return answerPage(
    { title: 'Not possible', path: '/' },
    markup`<h1>
        ${status === 404 ? 'There is no such page' : 'That went wrong'}
      </h1>
      <p class="card message">
        ${status === 404 ? 'Perhaps its address is old.' : message}
        <a href="/">To the pull requests</a>
      </p>`,
    status,
  );
}
