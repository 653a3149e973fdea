import { Account, mayAtLeast } from './accounts';
import { ForgeError, notFound, unprocessable } from './forgeError';
import { HostedRepository } from './hostedRepository';
import { PullRequest, Review, ReviewState } from './repositoryState';

export interface NewPullRequest {
  title: string;
  body?: string;
  head: string;
  base: string;
  labels?: number[];
  reviewers?: string[];
}

/**
 * Opens a pull request within the repository.
 *
 * @throws ForgeError 404 when a branch is missing, 409 when an open pull
 * request already joins the two, 422 when they are the same
 */
export function openPullRequest(
  repository: HostedRepository,
  account: Account,
  wanted: NewPullRequest,
): Promise<PullRequest> {
  return repository.exclusively(async () => {
    // `owner:branch` is how a head in a fork is written; ours is the same repository.
    const head = wanted.head.replace(new RegExp(`^${repository.owner}:`), '');
    const { base } = wanted;
    if (head === base) {
      throw unprocessable(
        'Invalid PullRequest: There are no changes between the head and the base',
      );
    }
    const { git, state } = repository;
    const [headSha, baseSha] = [
      repository.branch(head),
      repository.branch(base),
    ];
    if (!headSha || !baseSha) {
      throw notFound();
    }
    const same = state.data.pulls.find(
      pull => pull.state === 'open' && pull.head === head && pull.base === base,
    );
    if (same) {
      throw new ForgeError(
        409,
        `pull request already exists for these targets [id: ${same.number}, issue_id: ${same.number}, head_repo_id: ${repository.id}, base_repo_id: ${repository.id}, head_branch: ${head}, base_branch: ${base}]`,
      );
    }
    const number = state.data.lastNumber + 1;
    const pull: PullRequest = {
      number,
      title: wanted.title,
      body: wanted.body ?? '',
      state: 'open',
      poster: account.login,
      head,
      base,
      headSha,
      mergeBase: await repository.mergeBase(baseSha, headSha),
      labels: knownLabels(repository, wanted.labels ?? []),
      requestedReviewers: [],
      reviews: [],
      comments: [],
      createdAt: repository.now(),
      updatedAt: repository.now(),
    };
    requestReviewers(repository, pull, wanted.reviewers ?? []);
    await git.updateRef(`refs/pull/${number}/head`, headSha);
    state.data.lastNumber = number;
    state.data.pulls.push(pull);
    state.save();
    return pull;
  });
}

function knownLabels(repository: HostedRepository, ids: readonly number[]) {
  return repository.state.data.labels
    .map(({ id }) => id)
    .filter(id => ids.includes(id));
}

/** Asks people for a review; returns the ones asked. */
export function requestReviewers(
  repository: HostedRepository,
  pull: PullRequest,
  reviewers: readonly string[],
): string[] {
  for (const login of reviewers) {
    if (!repository.accounts.find(login)) {
      throw notFound(`User '${login}' not exist`);
    }
    if (login === pull.poster) {
      throw unprocessable(
        `poster of pr can't be reviewer [user_id: ${repository.accounts.id(
          login,
        )}, repo_id: ${repository.id}]`,
      );
    }
  }
  const added = reviewers.filter(
    login => !pull.requestedReviewers.includes(login),
  );
  pull.requestedReviewers.push(...added);
  return [...added];
}

export interface PullRequestEdit {
  title?: string;
  body?: string;
  state?: string;
  base?: string;
  labels?: number[];
}

/** Changes title, body, labels, base or state; a merged pull request keeps its state. */
export function editPullRequest(
  repository: HostedRepository,
  account: Account,
  number: number,
  edit: PullRequestEdit,
): Promise<PullRequest> {
  return repository.exclusively(async () => {
    const pull = repository.pull(number);
    if (pull.poster !== account.login && !mayAtLeast(account, 'write')) {
      throw new ForgeError(403, '');
    }
    if (edit.state !== undefined && pull.merged) {
      throw new ForgeError(
        412,
        'cannot change state of this pull request, it was already merged',
      );
    }
    if (edit.state !== undefined && !['open', 'closed'].includes(edit.state)) {
      throw unprocessable(`unknown state: ${edit.state}`);
    }
    if (edit.base && edit.base !== pull.base && !pull.merged) {
      const base = repository.branch(edit.base);
      if (!base) {
        throw new ForgeError(404, `new base '${edit.base}' not exist`);
      }
      pull.base = edit.base;
      pull.mergeBase = await repository.mergeBase(base, pull.headSha);
    }
    if (edit.title) {
      pull.title = edit.title;
    }
    if (edit.body !== undefined) {
      pull.body = edit.body;
    }
    if (edit.labels) {
      pull.labels = knownLabels(repository, edit.labels);
    }
    if (edit.state === 'closed' && pull.state === 'open') {
      pull.state = 'closed';
      pull.closedAt = repository.now();
    } else if (edit.state === 'open' && pull.state === 'closed') {
      await reopen(repository, pull);
    }
    pull.updatedAt = repository.now();
    repository.state.save();
    return pull;
  });
}

async function reopen(repository: HostedRepository, pull: PullRequest) {
  const headSha = repository.branch(pull.head);
  if (!headSha) {
    throw unprocessable(
      `the head branch ${pull.head} is gone: the pull request cannot be opened again`,
    );
  }
  pull.state = 'open';
  delete pull.closedAt;
  pull.headSha = headSha;
  await repository.git.updateRef(`refs/pull/${pull.number}/head`, headSha);
  await repository.refreshMergeBase(pull);
}

/** What `event` of a new review becomes; old and new spellings are taken. */
const reviewEvents: Readonly<Record<string, ReviewState>> = {
  APPROVED: 'APPROVED',
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'REQUEST_CHANGES',
  COMMENT: 'COMMENT',
  PENDING: 'PENDING',
};

/** Adds somebody's judgement of the pull request's head. */
export function reviewPullRequest(
  repository: HostedRepository,
  account: Account,
  number: number,
  wanted: { event?: string; body?: string; commit_id?: string },
): Promise<Review> {
  return repository.exclusively(async () => {
    const pull = repository.pull(number);
    const state = reviewEvents[wanted.event ?? ''] ?? 'PENDING';
    const body = wanted.body?.trim() ?? '';
    const own = pull.poster === account.login;
    if (own && (state === 'APPROVED' || state === 'REQUEST_CHANGES')) {
      throw unprocessable(
        `${
          state === 'APPROVED' ? 'approve' : 'reject'
        } your own pull is not allowed`,
      );
    }
    if (state === 'COMMENT' && body === '') {
      throw unprocessable(`review event ${state} requires a body or a comment`);
    }
    if ((state === 'REQUEST_CHANGES' || state === 'PENDING') && body === '') {
      throw unprocessable(`review event ${wanted.event ?? ''} requires a body`);
    }
    if (pull.state !== 'open' && state !== 'COMMENT') {
      throw unprocessable("can't submit review for a closed pull request");
    }
    const review: Review = {
      id: repository.state.nextId(),
      reviewer: account.login,
      state,
      body,
      commit: wanted.commit_id || pull.headSha,
      dismissed: false,
      submittedAt: repository.now(),
    };
    pull.reviews.push(review);
    pull.requestedReviewers = pull.requestedReviewers.filter(
      login => login !== account.login,
    );
    pull.updatedAt = repository.now();
    repository.state.save();
    return review;
  });
}
