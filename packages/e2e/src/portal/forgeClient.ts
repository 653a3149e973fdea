/** A pull request as Gitea's API tells it. */
export interface PullRequest {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  merged: boolean;
  html_url: string;
  mergeable: boolean;
  head: { ref: string; sha: string };
  base: { ref: string };
}

const PAGE = 50;

/** All items of a list, page after page. */
async function pages<T>(ask: (page: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const items = await ask(page);
    all.push(...items);
    if (items.length < PAGE) return all;
  }
}

/** The GitOps repository, as a member of the platform team uses it. */
export class ForgeClient {
  constructor(
    private readonly address: string,
    private readonly repository: string,
    private readonly token: string,
  ) {}

  pullRequest(number: number): Promise<PullRequest> {
    return this.call('GET', `/pulls/${number}`);
  }

  async diff(number: number): Promise<string> {
    return (await this.request('GET', `/pulls/${number}.diff`)).text();
  }

  /** Every pull request, open and ended, whose branch has this name. */
  async pullRequestsOf(branch: string): Promise<PullRequest[]> {
    const found = await pages(page =>
      this.call<PullRequest[]>(
        'GET',
        `/pulls?state=all&limit=${PAGE}&page=${page}`,
      ),
    );
    return found.filter(({ head }) => head.ref === branch);
  }

  openPullRequests(): Promise<PullRequest[]> {
    return this.call('GET', `/pulls?state=open&limit=${PAGE}`);
  }

  async branches(): Promise<string[]> {
    const found = await pages(page =>
      this.call<Array<{ name: string }>>(
        'GET',
        `/branches?limit=${PAGE}&page=${page}`,
      ),
    );
    return found.map(({ name }) => name);
  }

  /** Names of the files of a folder; empty where there is no such folder. */
  async files(folder: string, ref: string): Promise<string[]> {
    try {
      const found = await this.call<Array<{ name: string }>>(
        'GET',
        `/contents/${folder}?ref=${encodeURIComponent(ref)}`,
      );
      return found.map(({ name }) => name);
    } catch (error) {
      if (/: 404 /.test((error as Error).message)) return [];
      throw error;
    }
  }

  /** A file's text on a branch. */
  async read(path: string, ref: string): Promise<string> {
    const { content } = await this.file(path, ref);
    return Buffer.from(content, 'base64').toString('utf8');
  }

  /** Changes a file on a branch, as somebody who edits it on the forge's page. */
  async edit(
    path: string,
    branch: string,
    change: (text: string) => string,
  ): Promise<void> {
    const { sha, content } = await this.file(path, branch);
    const before = Buffer.from(content, 'base64').toString('utf8');
    const after = change(before);
    if (after === before) {
      throw new Error(`The edit of ${path} changed nothing:\n${before}`);
    }
    await this.request('PUT', `/contents/${path}`, {
      branch,
      sha,
      content: Buffer.from(after).toString('base64'),
      message: `Edit ${path}`,
    });
  }

  /** Opens a pull request that edits one file; its number. */
  async proposeEdit(
    path: string,
    branch: string,
    change: (text: string) => string,
  ): Promise<number> {
    await this.request('POST', '/branches', {
      new_branch_name: branch,
      old_branch_name: 'main',
    });
    await this.edit(path, branch, change);
    const { number } = await this.call<PullRequest>('POST', '/pulls', {
      head: branch,
      base: 'main',
      title: `Edit ${path}`,
    });
    return number;
  }

  private file(
    path: string,
    ref: string,
  ): Promise<{ sha: string; content: string }> {
    return this.call('GET', `/contents/${path}?ref=${encodeURIComponent(ref)}`);
  }

  async approve(number: number, body: string): Promise<void> {
    await this.request('POST', `/pulls/${number}/reviews`, {
      event: 'APPROVED',
      body,
    });
  }

  async merge(number: number): Promise<void> {
    await this.request('POST', `/pulls/${number}/merge`, { Do: 'merge' });
  }

  private async call<T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    return (await this.request(method, path, body)).json() as Promise<T>;
  }

  private async request(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Response> {
    const response = await fetch(
      `${this.address}/api/v1/repos/${this.repository}${path}`,
      {
        method,
        headers: {
          authorization: `token ${this.token}`,
          'content-type': 'application/json',
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      },
    );
    if (!response.ok) {
      throw new Error(
        `${method} ${path} on the forge: ${
          response.status
        } ${await response.text()}`,
      );
    }
    return response;
  }
}
