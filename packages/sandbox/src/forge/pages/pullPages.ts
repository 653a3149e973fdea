import { Account } from '../accounts';
import { HostedRepository } from '../hostedRepository';
import { mergeObstacle } from '../mergePullRequest';
import { PullRequest } from '../repositoryState';
import { diffView } from './diffView';
import { Html, markup } from './html';
import { renderMarkdown } from './markdown';

/** Open, merged or closed: what a reader wants to know first. */
function stateOf(pull: PullRequest): 'open' | 'merged' | 'closed' {
  return pull.merged ? 'merged' : pull.state;
}

function badge(pull: PullRequest): Html {
  const state = stateOf(pull);
  return markup`<span class="badge ${state}"
    >${{ open: 'Open', merged: 'Merged', closed: 'Closed' }[state]}</span
  >`;
}

function time(stamp: string): Html {
  return markup`<time datetime="${stamp}"
    >${stamp.replace('T', ' ').replace('Z', ' UTC')}</time
  >`;
}

const perPage = 30;

/** The list of pull requests in one state. */
export function pullList(
  repository: HostedRepository,
  state: 'open' | 'closed',
  pageNumber: number,
): Html {
  const home = `/${repository.owner}/${repository.name}/pulls`;
  const all = repository.state.data.pulls;
  const found = all.filter(pull => pull.state === state).reverse();
  const shown = found.slice((pageNumber - 1) * perPage, pageNumber * perPage);
  const count = (wanted: string) =>
    all.filter(pull => pull.state === wanted).length;
  const tab = (wanted: 'open' | 'closed', label: string) =>
    markup`<a
      href="${home}?state=${wanted}"
      ${wanted === state && new Html(' aria-current="page"')}
      >${label} <span class="quiet">${count(wanted)}</span></a
    >`;
  const name = (login: string) =>
    repository.accounts.find(login)?.fullName ?? login;
  return markup`<h1>Pull requests</h1>
    <nav class="tabs" aria-label="State">
      ${tab('open', 'Open')}${tab('closed', 'Closed')}
    </nav>
    ${
      shown.length === 0
        ? markup`<p class="card quiet">No pull request is ${state}.</p>`
        : markup`<ul class="card list">
          ${shown.map(
            pull => markup`<li>
              ${badge(pull)}
              <a class="title" href="${home}/${pull.number}">${pull.title}</a>
              <div class="quiet">
                #${pull.number} by ${name(pull.poster)},
                ${time(pull.createdAt)}${
              pull.reviews.some(({ state: word }) => word === 'APPROVED') &&
              markup` · <span class="open">approved</span>`
            }${
              pull.comments.length > 0 &&
              markup` · ${pull.comments.length} comments`
            }
              </div>
            </li>`,
          )}
        </ul>`
    }
    <p class="actions">
      ${
        pageNumber > 1 &&
        markup`<a href="${home}?state=${state}&amp;page=${pageNumber - 1}"
        >Newer</a
      >`
      }${
    found.length > pageNumber * perPage &&
    markup`<a href="${home}?state=${state}&amp;page=${pageNumber + 1}"
        >Older</a
      >`
  }
    </p>`;
}

function story(repository: HostedRepository, pull: PullRequest): Html[] {
  const name = (login: string) =>
    markup`<strong
      >${repository.accounts.find(login)?.fullName ?? login}</strong
    >`;
  const words: Record<string, string> = {
    APPROVED: 'approved',
    REQUEST_CHANGES: 'asked for changes',
    COMMENT: 'commented',
  };
  const entries = [
    ...pull.reviews
      .filter(({ state }) => words[state])
      .map(review => ({
        at: review.submittedAt,
        id: review.id,
        body: review.body,
        line: markup`${name(review.reviewer)}
        ${words[review.state]}${
          review.commit !== pull.headSha && ' an earlier version'
        }`,
      })),
    ...pull.comments.map(comment => ({
      at: comment.createdAt,
      id: comment.id,
      body: comment.body,
      line: markup`${name(comment.poster)} commented`,
    })),
  ].sort((a, b) => a.id - b.id);
  const end = pull.merged
    ? markup`${name(pull.merged.by)} merged this as
        <code>${pull.merged.commit.slice(0, 10)}</code>, ${time(
        pull.merged.at,
      )}`
    : pull.closedAt && markup`Closed without merging, ${time(pull.closedAt)}`;
  return [
    ...entries.map(
      ({ at, id, body, line }) => markup`<article
        class="card"
        id="issuecomment-${id}"
      >
        <p>${line} <span class="quiet">${time(at)}</span></p>
        ${
          body !== '' &&
          markup`<div class="markdown">${renderMarkdown(body)}</div>`
        }
      </article>`,
    ),
    ...(end ? [markup`<p class="card">${end}</p>`] : []),
  ];
}

async function actions(
  repository: HostedRepository,
  pull: PullRequest,
  account: Account | undefined,
): Promise<Html> {
  const path = `/${repository.owner}/${repository.name}/pulls/${pull.number}`;
  if (!account) {
    return markup`<p class="card message">
      <a href="/sign-in?return=${encodeURIComponent(path)}">Sign in</a> to
      approve, merge or close.
    </p>`;
  }
  if (pull.merged) {
    return markup``;
  }
  const button = (
    action: string,
    label: string,
    options: { style?: string; disabled?: boolean } = {},
  ) => markup`<form method="post" action="${path}/${action}" class="inline">
    <input type="hidden" name="head" value="${pull.headSha}" />
    <button
      class="${options.style}"
      ${options.disabled && new Html(' disabled')}
    >
      ${label}
    </button>
  </form>`;
  if (pull.state !== 'open') {
    return markup`<div class="actions">${button('reopen', 'Open again')}</div>`;
  }
  const obstacle = await mergeObstacle(repository, account, pull);
  const conflict = !(await repository.isMergeable(pull));
  const reasons: Record<string, string> = {
    'Please try again later':
      'It conflicts with the base branch and cannot be merged.',
    'User not allowed to merge PR':
      'Only the platform team can merge into this branch.',
  };
  const own = pull.poster === account.login;
  return markup`<section class="card" aria-label="Decision">
    <p>
      ${
        conflict
          ? markup`<span class="closed">Conflicts with ${pull.base}.</span>`
          : markup`<span class="open">No conflicts with ${pull.base}.</span>`
      }
      ${obstacle && (reasons[obstacle.message] ?? `${obstacle.message}.`)}
    </p>
    <div class="actions">
      ${button('approve', 'Approve', { disabled: own })}
      ${button('merge', 'Merge', {
        style: 'primary',
        disabled: obstacle !== undefined,
      })}
      ${button('close', 'Close', { style: 'danger' })}
    </div>
    <form method="post" action="${path}/comment" class="actions">
      <label for="comment">Comment</label>
      <textarea id="comment" name="body" required></textarea>
      <button>Send comment</button>
    </form>
  </section>`;
}

/** One pull request: what it says, what it changes, what can be done. */
export async function pullPage(
  repository: HostedRepository,
  pull: PullRequest,
  account: Account | undefined,
): Promise<Html> {
  const { git, state, accounts } = repository;
  const path = `/${repository.owner}/${repository.name}/pulls/${pull.number}`;
  await repository.refreshMergeBase(pull);
  const [diff, files] = await Promise.all([
    git.diff(pull.mergeBase, pull.headSha),
    git.changedFiles(pull.mergeBase, pull.headSha),
  ]);
  const sum = (key: 'additions' | 'deletions') =>
    files.reduce((total, file) => total + file[key], 0);
  const labels = state.data.labels.filter(({ id }) => pull.labels.includes(id));
  const statuses = state.data.statuses.filter(
    ({ sha }) => sha === pull.headSha,
  );
  return markup`<h1>${pull.title} <span class="quiet">#${
    pull.number
  }</span></h1>
    <p>
      ${badge(pull)}
      <strong>${accounts.find(pull.poster)?.fullName ?? pull.poster}</strong>
      <span class="quiet"
        >asks to bring <code>${pull.head}</code> into <code>${pull.base}</code>,
        ${time(pull.createdAt)}</span
      >
      ${labels.map(
        ({ name }) => markup` <span class="badge pending">${name}</span>`,
      )}
    </p>
    <article class="card markdown">
      ${
        pull.body === ''
          ? markup`<p class="quiet">No description.</p>`
          : renderMarkdown(pull.body)
      }
    </article>
    ${
      statuses.length > 0 &&
      markup`<ul class="card list">
      ${statuses.map(
        status =>
          markup`<li>
            <span
              class="badge ${status.state === 'success' ? 'open' : 'pending'}"
              >${status.state}</span
            >
            ${status.context} <span class="quiet">${status.description}</span>
          </li>`,
      )}
    </ul>`
    }
    ${story(repository, pull)} ${await actions(repository, pull, account)}
    <h2>
      Changes
      <span class="quiet"
        >${files.length} ${files.length === 1 ? 'file' : 'files'},
        +${sum('additions')} −${sum('deletions')} ·
        <a href="${path}.diff">diff</a> ·
        <a href="${path}.patch">patch</a></span
      >
    </h2>
    ${diffView(diff)}`;
}
