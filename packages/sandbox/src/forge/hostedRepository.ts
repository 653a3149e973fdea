import { Clock, stamp } from '../clock';
import { Account, Accounts, mayAtLeast } from './accounts';
import { BareRepository, zeroSha } from './bareRepository';
import { ForgeError, notFound } from './forgeError';
import {
  BranchProtection,
  PullRequest,
  RepositoryState,
} from './repositoryState';

/** A branch that has moved: `before` or `after` is {@link zeroSha} when it is new or gone. */
export interface Push {
  owner: string;
  repository: string;
  branch: string;
  before: string;
  after: string;
}

/** A repository of the forge: git on disk, pull requests beside it, and the rules of who may do what. */
export class HostedRepository {
  private queue: Promise<unknown> = Promise.resolve();
  private readonly mergeability = new Map<string, boolean>();

  constructor(
    readonly owner: string,
    readonly name: string,
    readonly id: number,
    readonly defaultBranch: string,
    readonly git: BareRepository,
    readonly state: RepositoryState,
    readonly accounts: Accounts,
    readonly clock: Clock,
    private readonly onPush: (push: Push) => void,
  ) {}

  now(): string {
    return stamp(this.clock.now());
  }

  /** Runs one writer at a time, in the order they came. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => {});
    return result;
  }

  protection(branch: string): BranchProtection | undefined {
    return this.state.data.protections.find(({ rule }) => rule === branch);
  }

  /** Whether somebody may move a branch by pushing or by the contents API. */
  mayPush(account: Account | undefined, branch: string): boolean {
    return mayAtLeast(account, this.protection(branch) ? 'admin' : 'write');
  }

  mayMerge(account: Account | undefined, base: string): boolean {
    return this.mayPush(account, base);
  }

  async branchOrFail(name: string): Promise<string> {
    const sha = await this.git.branch(name);
    if (!sha) {
      throw new ForgeError(
        404,
        `branch does not exist [repo_id: ${this.id} name: ${name}]`,
      );
    }
    return sha;
  }

  /** The commit of a ref (default branch when empty). */
  async commitOfRef(ref: string | undefined): Promise<string> {
    const name = ref || this.defaultBranch;
    const sha = await this.git.resolve(name);
    if (!sha) {
      throw notFound(`object does not exist [id: ${name}, rel_path: ]`);
    }
    return sha;
  }

  /** Moves a branch, then everything that follows it. Call within {@link exclusively}. */
  async moveBranch(
    branch: string,
    to: string | null,
    from: string,
  ): Promise<void> {
    await this.git.updateRef(`refs/heads/${branch}`, to, from);
    await this.branchMoved(branch, from, to ?? zeroSha);
  }

  /** Lets open pull requests follow a branch that has moved, and tells the listeners. */
  async branchMoved(
    branch: string,
    before: string,
    after: string,
  ): Promise<void> {
    let changed = false;
    for (const pull of this.state.data.pulls) {
      if (pull.state !== 'open') {
        continue;
      }
      if (pull.head === branch) {
        changed = true;
        pull.updatedAt = this.now();
        if (after === zeroSha) {
          pull.state = 'closed';
          pull.closedAt = this.now();
          continue;
        }
        pull.headSha = after;
        await this.git.updateRef(`refs/pull/${pull.number}/head`, after);
      }
      if (pull.head === branch || pull.base === branch) {
        changed = true;
        await this.refreshMergeBase(pull);
      }
    }
    if (changed) {
      this.state.save();
    }
    this.onPush({
      owner: this.owner,
      repository: this.name,
      branch,
      before,
      after,
    });
  }

  private async refreshMergeBase(pull: PullRequest): Promise<void> {
    const base = await this.git.branch(pull.base);
    if (base) {
      pull.mergeBase =
        (await this.git.mergeBase(base, pull.headSha)) ?? pull.mergeBase;
    }
  }

  pull(number: number): PullRequest {
    const pull = this.state.data.pulls.find(entry => entry.number === number);
    if (!pull) {
      throw notFound();
    }
    return pull;
  }

  /** Whether head and base merge without a conflict. */
  async isMergeable(pull: PullRequest): Promise<boolean> {
    if (pull.state !== 'open') {
      return false;
    }
    const base = await this.git.branch(pull.base);
    if (!base) {
      return false;
    }
    const key = `${base} ${pull.headSha}`;
    let answer = this.mergeability.get(key);
    if (answer === undefined) {
      answer = (await this.git.mergeTree(base, pull.headSha)) !== undefined;
      this.mergeability.set(key, answer);
    }
    return answer;
  }

  async createBranch(name: string, from?: string): Promise<string> {
    return this.exclusively(async () => {
      const sha = await this.git.resolve(from || this.defaultBranch);
      if (!sha) {
        throw new ForgeError(404, 'The old branch does not exist');
      }
      const existing = await this.git.refs('refs/heads/');
      if (existing.has(`refs/heads/${name}`)) {
        throw new ForgeError(409, 'The branch already exists.');
      }
      // Refs are paths: `a` and `a/b` cannot both be branches.
      const conflicts = [...existing.keys()].some(
        ref =>
          ref.startsWith(`refs/heads/${name}/`) ||
          `refs/heads/${name}`.startsWith(`${ref}/`),
      );
      if (conflicts) {
        throw new ForgeError(
          409,
          'The branch with the same name already exists.',
        );
      }
      await this.moveBranch(name, sha, zeroSha);
      return sha;
    });
  }

  async deleteBranch(name: string): Promise<void> {
    return this.exclusively(async () => {
      const sha = await this.git.branch(name);
      if (!sha) {
        throw notFound(
          `branch does not exist [repo_id: ${this.id} name: ${name}]`,
        );
      }
      if (name === this.defaultBranch) {
        throw new ForgeError(403, 'can not delete default branch');
      }
      if (this.protection(name)) {
        throw new ForgeError(403, 'branch protected');
      }
      await this.moveBranch(name, null, sha);
    });
  }
}
