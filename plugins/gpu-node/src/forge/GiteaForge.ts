import { FileChange, ForgeRequest, GitForge } from './GitForge';
import { encodePath } from './encodePath';
import { ForgeError, HeadMovedError } from './errors';
import { ForgeHttp } from './ForgeHttp';
import { getPull, readPull, readPulls, updatePull } from './pullRequest';

interface GiteaFile {
  type: string;
  sha: string;
  encoding?: string | null;
  content?: string | null;
}

const PAGE_SIZE = 50;

/** How git words a push that came second. */
const LOST_RACE =
  /cannot lock ref|already exists|non-fast-forward|fetch first/i;
/** Times a branch is looked for after a lost race, twice as long apart each time: 4 s in all. */
const LOOKS = 4;

/**
 * Gitea by its API v1. Commits use the endpoint for several files, which checks the
 * blob of each file it replaces; that check is the lock.
 */
export class GiteaForge implements GitForge {
  readonly provider = 'gitea';
  readonly #repo: string;

  constructor(
    private readonly http: ForgeHttp,
    readonly repository: string,
    owner: string,
    repo: string,
  ) {
    this.#repo = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(
      repo,
    )}`;
  }

  async getHead(branch: string): Promise<string | undefined> {
    const found = await this.http.find<{ commit: { id: string } }>(
      `${this.#repo}/branches/${encodePath(branch)}`,
    );
    return found?.commit.id;
  }

  async readFiles(
    ref: string,
    paths: string[],
  ): Promise<Map<string, string | undefined>> {
    const files = new Map<string, string | undefined>();
    for (const path of paths) {
      const file = await this.#file(ref, path);
      files.set(path, file && this.#text(path, file));
    }
    return files;
  }

  async commit(options: Parameters<GitForge['commit']>[0]) {
    const { branch, baseBranch, baseSha, expectedHead } = options;
    const head = await this.getHead(branch);
    if (head !== expectedHead) {
      throw new HeadMovedError(this.repository, branch);
    }
    const parent = expectedHead ?? baseSha;
    try {
      const answer = await this.http.call<{ commit: { sha: string } }>(
        'POST',
        `${this.#repo}/contents`,
        {
          ...(expectedHead
            ? { branch }
            : { branch: baseBranch, new_branch: branch }),
          message: options.message,
          author: options.author,
          files: await this.#operations(parent, options.changes),
        },
      );
      return { sha: answer.commit.sha };
    } catch (error) {
      throw await this.#explainCommit(error, options);
    }
  }

  async findRequest(branch: string, target: string) {
    const found = await this.http.find(
      `${this.#repo}/pulls/${encodeURIComponent(target)}/${encodePath(branch)}`,
    );
    if (found === undefined) {
      return {};
    }
    const request = readPull(this.http, found);
    if (request.state === 'open') {
      return { open: request };
    }
    // The call above gives one request of several; an open one may stand beside an ended one.
    return { open: await this.#findOpen(branch, target), ended: request };
  }

  async openOrUpdateRequest(
    options: Parameters<GitForge['openOrUpdateRequest']>[0],
  ): Promise<ForgeRequest> {
    const { branch, target, title, body, existing } = options;
    if (existing) {
      return updatePull(this.http, this.#repo, { existing, title, body });
    }
    try {
      const opened = await this.http.call('POST', `${this.#repo}/pulls`, {
        head: branch,
        base: target,
        title,
        body,
      });
      return await this.#yieldToEarlier(readPull(this.http, opened), options);
    } catch (error) {
      if (error instanceof ForgeError && error.kind === 'conflict') {
        const { open } = await this.findRequest(branch, target);
        if (open) {
          return this.openOrUpdateRequest({ ...options, existing: open });
        }
      }
      throw error;
    }
  }

  /**
   * Gitea lets two calls in the same moment open two requests for one branch (seen on
   * 1.26). The later one is closed by whoever opened it, so that one remains.
   */
  async #yieldToEarlier(
    mine: ForgeRequest,
    options: Parameters<GitForge['openOrUpdateRequest']>[0],
  ): Promise<ForgeRequest> {
    const first = await this.#findOpen(mine.branch, mine.target);
    if (!first || first.number >= mine.number) {
      return mine;
    }
    await this.http.call('PATCH', `${this.#repo}/pulls/${mine.number}`, {
      state: 'closed',
    });
    return this.openOrUpdateRequest({ ...options, existing: first });
  }

  async getRequest(number: number): Promise<ForgeRequest | undefined> {
    return getPull(this.http, this.#repo, number);
  }

  /** The open request of a branch; the earliest, should there be several. */
  async #findOpen(
    branch: string,
    target: string,
  ): Promise<ForgeRequest | undefined> {
    for (let page = 1; ; page++) {
      const pulls = readPulls(
        this.http,
        await this.http.call(
          'GET',
          `${
            this.#repo
          }/pulls?state=open&sort=recentupdate&limit=${PAGE_SIZE}&page=${page}`,
        ),
      );
      const [first] = pulls
        .filter(one => one.branch === branch && one.target === target)
        .sort((a, b) => a.number - b.number);
      if (first || pulls.length < PAGE_SIZE) {
        return first;
      }
    }
  }

  async #file(ref: string, path: string): Promise<GiteaFile | undefined> {
    return this.http.find<GiteaFile>(
      `${this.#repo}/contents/${encodePath(path)}?ref=${encodeURIComponent(
        ref,
      )}`,
    );
  }

  async #operations(ref: string, changes: FileChange[]) {
    const operations = [];
    for (const { path, content } of changes) {
      const sha = (await this.#file(ref, path))?.sha;
      if (content !== undefined) {
        operations.push({
          operation: sha ? 'update' : 'create',
          path,
          sha,
          content: Buffer.from(content).toString('base64'),
        });
      } else if (sha) {
        operations.push({ operation: 'delete', path, sha });
      }
    }
    return operations;
  }

  /**
   * Gitea says 422 when a file or branch is not as expected, and 403 or 500 when its
   * push lost a race: where the branch stands now tells. After a lost race its list of
   * branches lags behind the repository (seen on 1.26), so that is looked at for a while.
   */
  async #explainCommit(
    error: unknown,
    options: Parameters<GitForge['commit']>[0],
  ): Promise<unknown> {
    if (
      !(error instanceof ForgeError) ||
      !['invalid', 'conflict', 'forbidden', 'unavailable'].includes(error.kind)
    ) {
      return error;
    }
    const { branch } = options;
    const lostRace = LOST_RACE.test(error.said ?? '');
    let moved = await this.#hasMoved(options);
    for (let look = 0; lostRace && !moved && look < LOOKS; look++) {
      await this.http.pause(look);
      moved = await this.#hasMoved(options);
    }
    return moved || lostRace
      ? new HeadMovedError(this.repository, branch, error)
      : error;
  }

  async #hasMoved({
    branch,
    baseBranch,
    baseSha,
    expectedHead,
  }: Parameters<GitForge['commit']>[0]): Promise<boolean> {
    return (
      (await this.getHead(branch)) !== expectedHead ||
      (!expectedHead && (await this.getHead(baseBranch)) !== baseSha)
    );
  }

  #text(path: string, file: GiteaFile): string {
    if (file.type !== 'file' || file.encoding !== 'base64') {
      throw new ForgeError(
        `Gitea, repository ${this.repository}: ${path} is not a text file it hands out`,
        { kind: 'invalid' },
      );
    }
    return Buffer.from(file.content ?? '', 'base64').toString('utf8');
  }
}
