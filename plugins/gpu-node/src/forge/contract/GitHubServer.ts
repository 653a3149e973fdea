import { createHash } from 'node:crypto';
import { createServer, IncomingMessage, Server } from 'node:http';
import { AddressInfo } from 'node:net';

interface Commit {
  sha: string;
  tree: string;
  parents: string[];
  message: string;
}

interface Pull {
  number: number;
  html_url: string;
  state: 'open' | 'closed';
  title: string;
  body: string | null;
  merged_at: string | null;
  merged_by: { login: string } | null;
  merge_commit_sha: string | null;
  head: { ref: string; sha: string };
  base: { ref: string };
}

interface Call {
  url: URL;
  /** Path below the repository. */
  path: string;
  body: any;
}

type Route = [method: string, path: RegExp, handle: Handler];
type Handler = (call: Call, ...parts: string[]) => [status: number, body: any];

/**
 * GitHub's REST API in memory, as far as a pull request needs it: git data, refs that
 * only fast-forward, contents, pulls. Statuses and messages are GitHub's.
 */
export class GitHubServer {
  static readonly token = 'github-token';
  readonly refs = new Map<string, string>();
  readonly pulls: Pull[] = [];
  #server?: Server;
  #commits = new Map<string, Commit>();
  #trees = new Map<string, Map<string, string>>();

  /** Starts on a free port with one commit on `main`; gives the API's address. */
  async start(): Promise<string> {
    this.refs.set('main', this.#commit(this.#tree(new Map()), [], 'Start').sha);
    this.#server = createServer((request, response) => {
      this.#answer(request).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>(resolve => {
      this.#server!.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise(resolve => this.#server?.close(resolve));
  }

  /** Somebody's commit straight to a branch; creates the branch from `main`. */
  commitTo(branch: string, path: string, content: string | undefined): void {
    const parent = this.refs.get(branch) ?? this.refs.get('main')!;
    const files = new Map(this.#files(parent));
    if (content === undefined) {
      files.delete(path);
    } else {
      files.set(path, content);
    }
    this.refs.set(
      branch,
      this.#commit(this.#tree(files), [parent], `Change ${path}`).sha,
    );
  }

  merge(number: number): void {
    const pull = this.#pull(number)!;
    const into = this.refs.get(pull.base.ref)!;
    const head = this.refs.get(pull.head.ref)!;
    const files = new Map([...this.#files(into), ...this.#files(head)]);
    const merge = this.#commit(this.#tree(files), [into, head], 'Merge');
    this.refs.set(pull.base.ref, merge.sha);
    Object.assign(pull, {
      state: 'closed',
      merged_at: '2026-01-01T00:00:00Z',
      merged_by: { login: 'pavel' },
      merge_commit_sha: merge.sha,
    });
  }

  close(number: number): void {
    this.#pull(number)!.state = 'closed';
  }

  /** Commits that a branch holds, in no order. */
  history(branch: string): string[] {
    const seen = new Set<string>();
    const open = [this.refs.get(branch)!];
    while (open.length > 0) {
      const sha = open.pop()!;
      if (!seen.has(sha)) {
        seen.add(sha);
        open.push(...this.#commits.get(sha)!.parents);
      }
    }
    return [...seen];
  }

  readonly #routes: Route[] = [
    [
      'GET',
      /^git\/ref\/heads\/(.+)$/,
      (_, branch) =>
        this.refs.has(branch)
          ? [200, this.#ref(branch)]
          : [404, { message: 'Not Found' }],
    ],
    [
      'GET',
      /^contents\/(.+)$/,
      ({ url }, path) => {
        const ref = url.searchParams.get('ref')!;
        const content = this.#files(this.refs.get(ref) ?? ref).get(path);
        return content === undefined
          ? [404, { message: 'Not Found' }]
          : [
              200,
              {
                type: 'file',
                encoding: 'base64',
                content: Buffer.from(content).toString('base64'),
              },
            ];
      },
    ],
    [
      'GET',
      /^git\/commits\/(.+)$/,
      (_, sha) => {
        const commit = this.#commits.get(sha);
        return commit
          ? [200, { sha, tree: { sha: commit.tree } }]
          : [404, { message: 'Not Found' }];
      },
    ],
    [
      'POST',
      /^git\/trees$/,
      ({ body }) => {
        const files = new Map(this.#trees.get(body.base_tree));
        for (const entry of body.tree) {
          if (entry.sha !== null) {
            files.set(entry.path, entry.content);
          } else if (!files.delete(entry.path)) {
            return [422, { message: 'GitRPC::BadObjectState' }];
          }
        }
        return [201, { sha: this.#tree(files) }];
      },
    ],
    [
      'POST',
      /^git\/commits$/,
      ({ body }) => [
        201,
        { sha: this.#commit(body.tree, body.parents, body.message).sha },
      ],
    ],
    [
      'POST',
      /^git\/refs$/,
      ({ body }) => {
        const branch = body.ref.replace('refs/heads/', '');
        if (this.refs.has(branch)) {
          return [422, { message: 'Reference already exists' }];
        }
        this.refs.set(branch, body.sha);
        return [201, this.#ref(branch)];
      },
    ],
    [
      'PATCH',
      /^git\/refs\/heads\/(.+)$/,
      ({ body }, branch) => {
        const parents = this.#commits.get(body.sha)!.parents;
        if (!body.force && !parents.includes(this.refs.get(branch)!)) {
          return [422, { message: 'Update is not a fast forward' }];
        }
        this.refs.set(branch, body.sha);
        return [200, this.#ref(branch)];
      },
    ],
    [
      'GET',
      /^pulls$/,
      ({ url }) => [
        200,
        this.pulls
          .filter(
            ({ head, base }) =>
              `platform:${head.ref}` === url.searchParams.get('head') &&
              base.ref === url.searchParams.get('base'),
          )
          .reverse()
          .map(({ merged_by: _, ...pull }) => pull),
      ],
    ],
    ['POST', /^pulls$/, ({ body }) => this.#open(body)],
    [
      'GET',
      /^pulls\/(\d+)$/,
      (_, number) => {
        const pull = this.#pull(Number(number));
        return pull ? [200, pull] : [404, { message: 'Not Found' }];
      },
    ],
    [
      'PATCH',
      /^pulls\/(\d+)$/,
      ({ body }, number) => [
        200,
        Object.assign(this.#pull(Number(number))!, body),
      ],
    ],
  ];

  async #answer(request: IncomingMessage): Promise<[number, any]> {
    const url = new URL(request.url!, 'http://github');
    let text = '';
    for await (const chunk of request) {
      text += chunk;
    }
    if (request.headers.authorization !== `Bearer ${GitHubServer.token}`) {
      return [401, { message: 'Bad credentials' }];
    }
    const path = decodeURIComponent(url.pathname).replace(
      '/repos/platform/gpu-fleet/',
      '',
    );
    for (const [method, pattern, handle] of this.#routes) {
      const match = pattern.exec(path);
      if (method === request.method && match) {
        const body = text ? JSON.parse(text) : undefined;
        return handle({ url, path, body }, ...match.slice(1));
      }
    }
    return [404, { message: 'Not Found' }];
  }

  #open(body: {
    head: string;
    base: string;
    title: string;
    body: string;
  }): [number, any] {
    const invalid = (message: string): [number, any] => [
      422,
      { message: 'Validation Failed', errors: [{ message }] },
    ];
    const same = this.pulls.some(
      ({ head, base, state }) =>
        state === 'open' && head.ref === body.head && base.ref === body.base,
    );
    if (same) {
      return invalid(
        `A pull request already exists for platform:${body.head}.`,
      );
    }
    if (this.history(body.base).includes(this.refs.get(body.head)!)) {
      return invalid(`No commits between ${body.base} and ${body.head}`);
    }
    const number = this.pulls.length + 1;
    const pull: Pull = {
      number,
      html_url: `https://github.example.com/platform/gpu-fleet/pull/${number}`,
      state: 'open',
      title: body.title,
      body: body.body,
      merged_at: null,
      merged_by: null,
      merge_commit_sha: null,
      head: { ref: body.head, sha: this.refs.get(body.head)! },
      base: { ref: body.base },
    };
    this.pulls.push(pull);
    return [201, pull];
  }

  #ref(branch: string) {
    return {
      ref: `refs/heads/${branch}`,
      object: { type: 'commit', sha: this.refs.get(branch) },
    };
  }

  #pull(number: number): Pull | undefined {
    return this.pulls.find(pull => pull.number === number);
  }

  #files(commit: string): Map<string, string> {
    return this.#trees.get(this.#commits.get(commit)!.tree)!;
  }

  #tree(files: Map<string, string>): string {
    const sha = hash(['tree', ...[...files].sort()]);
    this.#trees.set(sha, files);
    return sha;
  }

  #commit(tree: string, parents: string[], message: string): Commit {
    // The count stands for the time in a real commit: the same change twice is two commits.
    const sha = hash(['commit', tree, parents, message, this.#commits.size]);
    const commit = { sha, tree, parents, message };
    this.#commits.set(sha, commit);
    return commit;
  }
}

function hash(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('hex');
}
