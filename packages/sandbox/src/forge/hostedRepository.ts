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
  /** Branches and where they stand; every move passes through here. */
  private heads: ReadonlyMap<string, string> = new Map();

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

  /** Reads where the branches stand: before anything else, and after a push. */
  async readHeads(): Promise<ReadonlyMap<string, string>> {
    const refs = await this.git.refs('refs/heads/');
    this.heads = new Map(
      [...refs].map(([ref, sha]) => [ref.slice('refs/heads/'.length), sha]),
    );
    return this.heads;
  }

  /** Every branch with its commit. */
  get branches(): ReadonlyMap<string, string> {
    return this.heads;
  }

  branch(name: string): string | undefined {
    return this.heads.get(name);
  }

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

  branchOrFail(name: string): string {
    const sha = this.branch(name);
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
    const sha = this.branch(name) ?? (await this.git.resolve(name));
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
    const heads = new Map(this.heads);
    if (after === zeroSha) {
      heads.delete(branch);
    } else {
      heads.set(branch, after);
    }
    this.heads = heads;
    let changed = false;
    for (const pull of this.state.data.pulls) {
      if (pull.state === 'open' && pull.head === branch) {
        changed = true;
        pull.updatedAt = this.now();
        if (after === zeroSha) {
          pull.state = 'closed';
          pull.closedAt = this.now();
          continue;
        }
        pull.headSha = after;
        await this.git.updateRef(`refs/pull/${pull.number}/head`, after);
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

  /** Where head and base part, as it is now; a closed pull request keeps what it had. */
  async refreshMergeBase(pull: PullRequest): Promise<void> {
    const base = this.branch(pull.base);
    if (pull.state === 'open' && base) {
      pull.mergeBase = await this.mergeBase(base, pull.headSha, pull.mergeBase);
    }
  }

  /** Common ancestor of two commits; `otherwise` when they have none. */
  async mergeBase(
    base: string,
    head: string,
    otherwise = base,
  ): Promise<string> {
    // Mostly a head is a commit or two on top of its base: no need to ask git.
    let at = head;
    for (let steps = 0; steps < 5; steps += 1) {
      if (at === base) {
        return base;
      }
      const { parents } = await this.git.commit(at);
      if (parents.length !== 1) {
        break;
      }
      [at] = parents;
    }
    return (await this.git.mergeBase(base, head)) ?? otherwise;
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
    const base = this.branch(pull.base);
    if (!base) {
      return false;
    }
    if (base === pull.mergeBase) {
      return true;
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
      if (this.branch(name)) {
        throw new ForgeError(409, 'The branch already exists.');
      }
      // Refs are paths: `a` and `a/b` cannot both be branches.
      const conflicts = [...this.branches.keys()].some(
        other => other.startsWith(`${name}/`) || name.startsWith(`${other}/`),
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
      const sha = this.branch(name);
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
