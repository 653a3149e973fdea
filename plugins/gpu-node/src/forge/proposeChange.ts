import { ConflictError, NotFoundError } from '@backstage/errors';
import { HeadMovedError } from './errors';
import { FileChange, ForgeRequest, GitForge } from './GitForge';

/**
 * A change to propose: files, and the pull request that carries them.
 *
 * @public
 */
export interface ChangeProposal {
  /** Branch the request is for. */
  target: string;
  /** Branch of the change; its name is the request's identity. */
  branch: string;
  changes: FileChange[];
  title: string;
  body: string;
  /** Commit message; the title when absent. */
  message?: string;
  author?: { name: string; email: string };
  /**
   * What to do when the request of this name was closed without a merge. `refuse`
   * when absent: a machine that runs again must not undo a reviewer's "no".
   */
  onClosed?: 'refuse' | 'reopen';
}

/**
 * What `proposeChange` would do, found by reading only.
 *
 * @public
 */
export interface ChangePlan {
  /** `unchanged`: the target holds these contents already, or an open request proposes them in these words. */
  action: 'create' | 'update' | 'unchanged';
  /** What differs from the target, with both sides. */
  differences: Array<{ path: string; before?: string; after?: string }>;
  /** What has to be committed to the branch; empty when it holds everything. */
  commit: FileChange[];
  targetHead: string;
  branchHead?: string;
  /** The open request, or the closed one to reopen. */
  existing?: ForgeRequest;
  /** An ended request that brought these contents, when nothing is to do. */
  ended?: ForgeRequest;
}

/**
 * What `proposeChange` did.
 *
 * @public
 */
export interface ProposedChange {
  state: 'created' | 'updated' | 'unchanged';
  provider: string;
  branch: string;
  /** Absent when nothing was to do and no request is known. */
  url?: string;
  number?: number;
  /** Head of the branch after this; the target's when nothing was to do. */
  commit: string;
}

/**
 * Makes one branch, one commit on top and one pull request of a change, whatever an
 * earlier run of the same change has left: nothing, a branch, a request. It never
 * forces, and a crash after any call is repaired by running it again.
 *
 * When the branch moves between reading and writing it reads once more.
 *
 * @throws ConflictError when the request of this name has been merged and its files
 * are no longer there, was closed (see `onClosed`), or the branch moved twice.
 * @throws ForgeError when the forge refuses, is down or slow.
 * @public
 */
export async function proposeChange(
  forge: GitForge,
  proposal: ChangeProposal,
): Promise<ProposedChange> {
  try {
    return await proposeOnce(forge, proposal);
  } catch (error) {
    if (!(error instanceof HeadMovedError)) {
      throw error;
    }
  }
  try {
    return await proposeOnce(forge, proposal);
  } catch (error) {
    throw error instanceof HeadMovedError
      ? new ConflictError(`${error.message}, twice in a row; run this again`)
      : error;
  }
}

/**
 * Looks at target, branch and requests and says what `proposeChange` would do. Writes nothing.
 *
 * @throws NotFoundError when the target branch does not exist.
 * @throws ConflictError as `proposeChange` does.
 * @public
 */
export async function planChange(
  forge: GitForge,
  proposal: ChangeProposal,
): Promise<ChangePlan> {
  const { target, branch, changes } = proposal;
  const paths = changes.map(({ path }) => path);
  const [targetHead, branchHead, { open, ended }] = await Promise.all([
    forge.getHead(target),
    forge.getHead(branch),
    forge.findRequest(branch, target),
  ]);
  if (!targetHead) {
    throw new NotFoundError(
      `Branch ${target} of ${forge.repository} does not exist, or the token may not see the repository`,
    );
  }
  const inTarget = await forge.readFiles(targetHead, paths);
  const differences = changes
    .filter(({ path, content }) => inTarget.get(path) !== content)
    .map(({ path, content }) => ({
      path,
      before: inTarget.get(path),
      after: content,
    }));
  const seen = { differences, targetHead, branchHead };
  if (differences.length === 0 && !open) {
    return { ...seen, action: 'unchanged', commit: [], ended };
  }
  const existing = open ?? (ended && reusable(forge, proposal, ended));

  const inBranch = branchHead
    ? await forge.readFiles(branchHead, paths)
    : inTarget;
  const commit = changes.filter(
    ({ path, content }) => inBranch.get(path) !== content,
  );
  const sameWords =
    open?.title === proposal.title && open.body === proposal.body;
  if (open && commit.length === 0 && sameWords) {
    return { ...seen, action: 'unchanged', commit, existing };
  }
  return { ...seen, action: existing ? 'update' : 'create', commit, existing };
}

async function proposeOnce(
  forge: GitForge,
  proposal: ChangeProposal,
): Promise<ProposedChange> {
  const { target, branch, title, body } = proposal;
  const plan = await planChange(forge, proposal);
  const { provider } = forge;
  if (plan.action === 'unchanged') {
    const request = plan.existing ?? plan.ended;
    const commit = plan.existing ? plan.branchHead : undefined;
    return {
      state: 'unchanged',
      provider,
      branch,
      url: request?.url,
      number: request?.number,
      commit: commit ?? plan.targetHead,
    };
  }
  const commit =
    plan.commit.length === 0
      ? plan.branchHead ?? plan.targetHead
      : (
          await forge.commit({
            branch,
            baseBranch: target,
            baseSha: plan.targetHead,
            expectedHead: plan.branchHead,
            changes: plan.commit,
            message: proposal.message ?? title,
            author: proposal.author,
          })
        ).sha;
  const { url, number } = await forge.openOrUpdateRequest({
    branch,
    target,
    title,
    body,
    existing: plan.existing,
  });
  const state = plan.action === 'create' ? 'created' : 'updated';
  return { state, provider, branch, url, number, commit };
}

/** A merged name is never used again; a closed one only when asked to. */
function reusable(
  forge: GitForge,
  { branch, onClosed }: ChangeProposal,
  ended: ForgeRequest,
): ForgeRequest {
  const name = `Pull request ${ended.number} of ${forge.repository} (${ended.url}) from branch ${branch}`;
  if (ended.state === 'merged') {
    throw new ConflictError(
      `${name} was merged already, and its files were changed or removed since; a merged name is not used again: start a new request`,
    );
  }
  if (onClosed !== 'reopen') {
    throw new ConflictError(
      `${name} was closed without a merge; reopen it there if that was a mistake, or start a new request`,
    );
  }
  return ended;
}
