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
