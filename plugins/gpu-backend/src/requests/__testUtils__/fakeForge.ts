import { ForgeRequest, GitForge } from '@gpuaas/backstage-plugin-gpu-node';

/** A repository and its pull requests in memory: branches are maps of files. */
export class FakeForge implements GitForge {
  readonly provider = 'gitea';
  readonly repository = 'forge.example/platform/gpu-fleet';
  readonly branches = new Map<string, Map<string, string>>([
    ['main', new Map()],
  ]);
  readonly requests: ForgeRequest[] = [];
  /** Thrown by every call while set. */
  down?: Error;
  calls = 0;

  private heads = 0;
  private readonly headOf = new Map<string, string>([['main', 'head-0']]);

  private call() {
    this.calls += 1;
    if (this.down) {
      throw this.down;
    }
  }

  async getHead(branch: string) {
    this.call();
    return this.headOf.get(branch);
  }

  async readFiles(ref: string, paths: string[]) {
    this.call();
    const branch =
      [...this.headOf].find(([, head]) => head === ref)?.[0] ?? ref;
    const files = this.branches.get(branch) ?? this.branches.get('main')!;
    return new Map(paths.map(path => [path, files.get(path)]));
  }

  async commit({
    branch,
    changes,
  }: Parameters<GitForge['commit']>[0]): Promise<{ sha: string }> {
    this.call();
    const files =
      this.branches.get(branch) ?? new Map(this.branches.get('main'));
    for (const { path, content } of changes) {
      if (content === undefined) {
        files.delete(path);
      } else {
        files.set(path, content);
      }
    }
    this.branches.set(branch, files);
    this.heads += 1;
    this.headOf.set(branch, `head-${this.heads}`);
    return { sha: `head-${this.heads}` };
  }

  async findRequest(branch: string) {
    this.call();
    const own = this.requests.filter(one => one.branch === branch);
    return {
      open: own.find(({ state }) => state === 'open'),
      ended: own.filter(({ state }) => state !== 'open').at(-1),
    };
  }

  async openOrUpdateRequest({
    branch,
    target,
    title,
    body,
    existing,
  }: Parameters<GitForge['openOrUpdateRequest']>[0]): Promise<ForgeRequest> {
    this.call();
    if (existing) {
      return Object.assign(existing, { title, body });
    }
    const number = this.requests.length + 1;
    const request: ForgeRequest = {
      number,
      url: `http://forge.example/platform/gpu-fleet/pulls/${number}`,
      state: 'open',
      title,
      body,
      branch,
      target,
    };
    this.requests.push(request);
    return request;
  }

  async getRequest(number: number) {
    this.call();
    return this.requests.find(one => one.number === number);
  }

  /** What a reviewer does. */
  merge(number: number, at: string) {
    const request = this.requests.find(one => one.number === number)!;
    const files = this.branches.get(request.branch);
    if (files) {
      this.branches.set('main', new Map(files));
    }
    Object.assign(request, {
      state: 'merged',
      mergedBy: 'pavel',
      mergedAt: at,
      mergeCommit: this.headOf.get('main'),
    });
  }
}
