import { FileChange, ForgeRequest, GitForge } from './GitForge';
import { encodePath } from './encodePath';
import { ForgeError, HeadMovedError } from './errors';
import { ForgeHttp } from './ForgeHttp';

interface GitHubPull {
  number: number;
  html_url: string;
  state: 'open' | 'closed';
  title: string;
  body: string | null;
  merged_at: string | null;
  merged_by?: { login: string } | null;
  merge_commit_sha: string | null;
  head: { ref: string; sha: string };
  base: { ref: string };
}

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
    const pulls = await this.http.call<GitHubPull[]>(
      'GET',
      `${this.#repo}/pulls?${query}`,
    );
    const requests = pulls.map(toRequest);
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
      return toRequest(
        await this.http.call<GitHubPull>(
          'PATCH',
          `${this.#repo}/pulls/${existing.number}`,
          {
            title,
            body,
            ...(existing.state === 'closed' && { state: 'open' }),
          },
        ),
      );
    }
    try {
      return toRequest(
        await this.#post<GitHubPull>('/pulls', {
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
    const pull = await this.http.find<GitHubPull>(
      `${this.#repo}/pulls/${number}`,
    );
    return pull && toRequest(pull);
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

function toRequest(pull: GitHubPull): ForgeRequest {
  const ended = pull.merged_at ? 'merged' : 'closed';
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.state === 'open' ? 'open' : ended,
    title: pull.title,
    body: pull.body ?? '',
    branch: pull.head.ref,
    target: pull.base.ref,
    headSha: pull.head.sha,
    ...(pull.merged_at && {
      mergedBy: pull.merged_by?.login,
      mergedAt: pull.merged_at,
      mergeCommit: pull.merge_commit_sha ?? undefined,
    }),
  };
}
