import { HostedRepository } from './hostedRepository';
import { PullRequest } from './repositoryState';

/** Makes a pull request open again whose merge did not reach its branch. */
export function undoMerge(pull: PullRequest): void {
  pull.state = 'open';
  delete pull.closedAt;
  delete pull.merged;
}

/**
 * Brings what is written beside git in line with git after a crash between the
 * two: the last merge may not have reached its branch, and a branch may have
 * moved without its pull request.
 */
export async function recover(repository: HostedRepository): Promise<void> {
  const { git, state } = repository;
  const [last] = state.data.pulls
    .filter(({ merged }) => merged)
    .sort((a, b) => b.merged!.at.localeCompare(a.merged!.at));
  let changed = false;
  for (const pull of state.data.pulls.filter(
    ({ merged }) => merged && merged.at === last?.merged?.at,
  )) {
    const base = repository.branch(pull.base);
    const { commit } = pull.merged!;
    const arrived =
      base !== undefined &&
      (await git.ref(`${commit}^{commit}`)) !== undefined &&
      (await git.isAncestor(commit, base));
    if (!arrived) {
      undoMerge(pull);
      changed = true;
    }
  }
  for (const pull of state.data.pulls) {
    const head = repository.branch(pull.head);
    if (pull.state === 'open' && head && head !== pull.headSha) {
      pull.headSha = head;
      await git.updateRef(`refs/pull/${pull.number}/head`, head);
      await repository.refreshMergeBase(pull);
      changed = true;
    }
  }
  if (changed) {
    state.save();
  }
}
