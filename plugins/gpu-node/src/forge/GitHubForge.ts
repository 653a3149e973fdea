import { FileChange, ForgeRequest, GitForge } from './GitForge';
import { encodePath } from './encodePath';
import { ForgeError, HeadMovedError } from './errors';
import { ForgeHttp } from './ForgeHttp';
import { getPull, readPull, readPulls, updatePull } from './pullRequest';

interface GitHubFile {
  type: string;
  encoding: string;
  content: string;
}

/**
 * GitHub by its REST API. A commit is made of git data (tree, commit), then the
 * branch is moved to it with `force: false`; that move is the lock.
 */
export class GitHubForge implements GitForge {
  readonly provider = 'github';
  readonly #repo: string;

  constructor(
    private readonly http: ForgeHttp,
    readonly repository: string,
    private readonly owner: string,
    repo: string,
  ) {
    this.#repo = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(
      repo,
    )}`;
  }

  async getHead(branch: string): Promise<string | undefined> {
    const ref = await this.http.find<{ object: { sha: string } }>(
      `${this.#repo}/git/ref/heads/${encodePath(branch)}`,
    );
    return ref?.object.sha;
  }

  async readFiles(
    ref: string,
    paths: string[],
  ): Promise<Map<string, string | undefined>> {
    const files = new Map<string, string | undefined>();
    for (const path of paths) {
      const file = await this.http.find<GitHubFile>(
        `${this.#repo}/contents/${encodePath(path)}?ref=${encodeURIComponent(
          ref,
        )}`,
      );
      files.set(path, file && this.#text(path, file));
    }
    return files;
  }

  async commit(options: Parameters<GitForge['commit']>[0]) {
    const { branch, baseSha, expectedHead, changes, message, author } = options;
    const parent = expectedHead ?? baseSha;
    const { tree: base } = await this.http.call<{ tree: { sha: string } }>(
      'GET',
      `${this.#repo}/git/commits/${parent}`,
    );
    const tree = await this.#post<{ sha: string }>('/git/trees', {
      base_tree: base.sha,
      tree: changes.map(treeEntry),
    });
    const { sha } = await this.#post<{ sha: string }>('/git/commits', {
      message,
      tree: tree.sha,
      parents: [parent],
      ...(author && { author }),
    });
    try {
      if (expectedHead) {
        await this.http.call(
          'PATCH',
          `${this.#repo}/git/refs/heads/${encodePath(branch)}`,
          { sha, force: false },
        );
      } else {
        await this.#post('/git/refs', { ref: `refs/heads/${branch}`, sha });
      }
    } catch (error) {
      // 422 covers "already exists", "not a fast forward" and plain bad names: the branch tells.
      const refused = error instanceof ForgeError && error.kind === 'invalid';
      if (refused && (await this.getHead(branch)) !== expectedHead) {
        throw new HeadMovedError(this.repository, branch, error);
      }
      throw error;
    }
    return { sha };
  }

  async findRequest(branch: string, target: string) {
    const query = new URLSearchParams({
      head: `${this.owner}:${branch}`,
      base: target,
      state: 'all',
      sort: 'created',
      direction: 'desc',
    });
    const requests = readPulls(
      this.http,
      await this.http.call('GET', `${this.#repo}/pulls?${query}`),
    );
    return {
      open: requests.find(({ state }) => state === 'open'),
      ended: requests.find(({ state }) => state !== 'open'),
    };
  }

  async openOrUpdateRequest(
    options: Parameters<GitForge['openOrUpdateRequest']>[0],
  ): Promise<ForgeRequest> {
    const { branch, target, title, body, existing } = options;
    if (existing) {
      return updatePull(this.http, this.#repo, { existing, title, body });
    }
    try {
      return readPull(
        this.http,
        await this.#post('/pulls', {
          head: branch,
          base: target,
          title,
          body,
        }),
      );
    } catch (error) {
      if (error instanceof ForgeError && error.kind === 'invalid') {
        const { open } = await this.findRequest(branch, target);
        if (open) {
          return this.openOrUpdateRequest({ ...options, existing: open });
        }
      }
      throw error;
    }
  }

  async getRequest(number: number): Promise<ForgeRequest | undefined> {
    return getPull(this.http, this.#repo, number);
  }

  #post<T>(path: string, body: unknown): Promise<T> {
    return this.http.call<T>('POST', `${this.#repo}${path}`, body);
  }

  #text(path: string, file: GitHubFile): string {
    if (file.type !== 'file' || file.encoding !== 'base64') {
      throw new ForgeError(
        `GitHub, repository ${this.repository}: ${path} is not a text file below 1 MB`,
        { kind: 'invalid' },
      );
    }
    return Buffer.from(file.content, 'base64').toString('utf8');
  }
}

function treeEntry({ path, content }: FileChange) {
  const entry = { path, mode: '100644', type: 'blob' };
  return content === undefined
    ? { ...entry, sha: null }
    : { ...entry, content };
}
