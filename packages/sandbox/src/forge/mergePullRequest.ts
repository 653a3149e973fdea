import { Account } from './accounts';
import { Identity } from './commitRecord';
import { ForgeError } from './forgeError';
import { HostedRepository } from './hostedRepository';
import { undoMerge } from './recovery';
import { PullRequest } from './repositoryState';

export type MergeStyle =
  | 'merge'
  | 'squash'
  | 'rebase'
  | 'rebase-merge'
  | 'fast-forward-only';

const mergeStyles: readonly string[] = [
  'merge',
  'squash',
  'rebase',
  'rebase-merge',
  'fast-forward-only',
];

export interface MergeOptions {
  style?: string;
  title?: string;
  message?: string;
  /** The head the caller has seen; another one is refused. */
  headCommit?: string;
  deleteBranch?: boolean;
}

/** Latest word of each reviewer who may decide about the base branch. */
function officialReviews(repository: HostedRepository, pull: PullRequest) {
  const latest = new Map<string, string>();
  for (const review of pull.reviews) {
    const decides =
      review.state === 'APPROVED' || review.state === 'REQUEST_CHANGES';
    if (
      decides &&
      !review.dismissed &&
      repository.mayMerge(repository.accounts.find(review.reviewer), pull.base)
    ) {
      latest.set(review.reviewer, review.state);
    }
  }
  return [...latest.values()];
}

/**
 * Why a pull request cannot be merged by somebody, as Gitea answers it;
 * undefined when it can.
 */
export async function mergeObstacle(
  repository: HostedRepository,
  account: Account | undefined,
  pull: PullRequest,
): Promise<ForgeError | undefined> {
  if (pull.merged) {
    return new ForgeError(405, '');
  }
  if (pull.state !== 'open') {
    return new ForgeError(404, 'not found', { errors: [] });
  }
  if (!repository.mayMerge(account, pull.base)) {
    return new ForgeError(405, 'User not allowed to merge PR');
  }
  if (/^(wip:|\[wip\])/i.test(pull.title)) {
    return new ForgeError(405, 'Work in progress PRs cannot be merged');
  }
  if (!(await repository.isMergeable(pull))) {
    return new ForgeError(405, 'Please try again later');
  }
  const protection = repository.protection(pull.base);
  if (protection) {
    const reviews = officialReviews(repository, pull);
    const approvals = reviews.filter(state => state === 'APPROVED').length;
    if (approvals < protection.requiredApprovals) {
      return new ForgeError(405, 'Does not have enough approvals');
    }
    if (reviews.includes('REQUEST_CHANGES')) {
      return new ForgeError(405, 'There are requested changes');
    }
  }
  return undefined;
}

/**
 * Replays a commit on another parent. git 2.39 has no `--merge-base` for
 * merge-tree, so the new parent's tree is put on the old parent first: then
 * that one is the merge base.
 */
async function replay(
  repository: HostedRepository,
  sha: string,
  onto: string,
  committer: Identity,
): Promise<string> {
  const { git } = repository;
  const commit = await git.commit(sha);
  const target = await git.commit(onto);
  const stand = await git.commitTree({
    tree: target.tree,
    parents: commit.parents.slice(0, 1),
    message: 'stand-in\n',
    author: committer,
    committer,
  });
  const tree = await git.mergeTree(stand, sha);
  if (!tree) {
    throw new ForgeError(409, `rebase conflicts at ${sha}`);
  }
  return git.commitTree({
    tree,
    parents: [onto],
    message: commit.message,
    author: commit.author,
    committer,
  });
}

async function rebase(
  repository: HostedRepository,
  pull: PullRequest,
  base: string,
  committer: Identity,
): Promise<string> {
  const { git } = repository;
  if (await git.isAncestor(base, pull.headSha)) {
    return pull.headSha;
  }
  const commits = (await git.log(`${base}..${pull.headSha}`))
    .filter(commit => commit.parents.length === 1)
    .reverse();
  let tip = base;
  for (const commit of commits) {
    tip = await replay(repository, commit.sha, tip, committer);
  }
  return tip;
}

async function mergedCommit(
  repository: HostedRepository,
  pull: PullRequest,
  base: string,
  style: MergeStyle,
  message: string,
  who: Identity,
): Promise<string> {
  const { git } = repository;
  const write = (tree: string, parents: string[]) =>
    git.commitTree({ tree, parents, message, author: who, committer: who });
  switch (style) {
    case 'merge':
    case 'squash': {
      const tree = await git.mergeTree(base, pull.headSha);
      if (!tree) {
        throw new ForgeError(409, 'merge push out of date');
      }
      return write(tree, style === 'merge' ? [base, pull.headSha] : [base]);
    }
    case 'rebase':
      return rebase(repository, pull, base, who);
    case 'rebase-merge': {
      const tip = await rebase(repository, pull, base, who);
      return write((await git.commit(tip)).tree, [base, tip]);
    }
    case 'fast-forward-only':
    default:
      if (!(await git.isAncestor(base, pull.headSha))) {
        throw new ForgeError(409, 'merge push out of date');
      }
      return pull.headSha;
  }
}

/**
 * Merges a pull request into its base branch.
 *
 * @throws ForgeError 404 when closed, 405 when it must not be merged, 409 when
 * the head has moved on or the two conflict
 */
export function mergePullRequest(
  repository: HostedRepository,
  account: Account,
  number: number,
  options: MergeOptions,
): Promise<PullRequest> {
  return repository.exclusively(async () => {
    const pull = repository.pull(number);
    const obstacle = await mergeObstacle(repository, account, pull);
    if (obstacle) {
      throw obstacle;
    }
    const style = options.style || 'merge';
    if (!mergeStyles.includes(style)) {
      throw new ForgeError(
        405,
        `${style} is not allowed an allowed merge style for this repository`,
      );
    }
    if (options.headCommit && options.headCommit !== pull.headSha) {
      throw new ForgeError(409, 'head out of date');
    }
    const title =
      options.title?.trim() ||
      (style === 'squash'
        ? `${pull.title} (#${number})`
        : `Merge pull request '${pull.title}' (#${number}) from ${pull.head} into ${pull.base}`);
    const detail = options.message?.trim();
    const base = repository.branchOrFail(pull.base);
    await repository.refreshMergeBase(pull);
    const commit = await mergedCommit(
      repository,
      pull,
      base,
      style as MergeStyle,
      `${title}\n${detail ? `\n${detail}\n` : ''}`,
      {
        name: account.fullName,
        email: account.email,
        date: repository.clock.now().toISOString(),
      },
    );
    // Written before the branch moves, so that a crash in between can be told
    // (see recovery): a merge without its branch is undone, never forgotten.
    const at = repository.now();
    Object.assign(pull, {
      state: 'closed',
      closedAt: at,
      updatedAt: at,
      merged: { at, by: account.login, commit },
    });
    repository.state.save();
    try {
      await repository.git.updateRef(`refs/heads/${pull.base}`, commit, base);
    } catch {
      undoMerge(pull);
      repository.state.save();
      throw new ForgeError(409, 'merge push out of date');
    }
    await repository.branchMoved(pull.base, base, commit);
    if (options.deleteBranch && !repository.protection(pull.head)) {
      const head = repository.branch(pull.head);
      if (head) {
        await repository.moveBranch(pull.head, null, head);
      }
    }
    return pull;
  });
}
