import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from '../clock';
import { AccessToken, Account } from './accounts';
import { Forge, startForge } from './startForge';

export const testAccounts: Account[] = [
  ['developer-hub', 'Developer Hub', 'write'],
  ['argocd', 'Argo CD', 'read'],
  ['pavel', 'Pavel', 'admin'],
  ['mira', 'Mira', 'write'],
  ['outsider', 'Outsider', 'none'],
].map(([login, fullName, access]) => ({
  login,
  fullName,
  email: `${login}@example.com`,
  access: access as Account['access'],
  person: ['pavel', 'mira'].includes(login),
}));

export const testTokens: AccessToken[] = [
  ...testAccounts.map(({ login }) => ({ token: `t-${login}`, login })),
  { token: 't-no-scopes', login: 'developer-hub', withoutScopes: true },
];

export interface Reply {
  status: number;
  body: any;
  text: string;
  headers: Headers;
}

/** A forge with one repository in a folder of its own, and a client for it. */
export class TestForge {
  private constructor(readonly forge: Forge, readonly folder: string) {}

  static async start(
    options: { folder?: string; requiredApprovals?: number } = {},
  ): Promise<TestForge> {
    const folder =
      options.folder ?? (await mkdtemp(join(tmpdir(), 'forge-test-')));
    const forge = await startForge({
      dataDir: folder,
      port: 0,
      host: '127.0.0.1',
      clock: wallClock,
      people: testAccounts,
      tokens: testTokens,
    });
    await forge.repository({
      owner: 'platform',
      name: 'gpu-fleet',
      defaultBranch: 'main',
      files: { 'README.md': '# Fleet\n', 'a/b.yaml': 'b: 1\n' },
      requiredApprovals: options.requiredApprovals ?? 0,
    });
    return new TestForge(forge, folder);
  }

  async stop(options: { keep?: boolean } = {}) {
    await this.forge.close();
    if (!options.keep) {
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  /** Calls below `/api/v1/repos/platform/gpu-fleet`, or an absolute path. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    token: string | null = 't-developer-hub',
  ): Promise<Reply> {
    const base = path.startsWith('/')
      ? this.forge.url
      : `${this.forge.url}/api/v1/repos/platform/gpu-fleet/`;
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `token ${token}` }),
        'Content-Type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return {
      status: response.status,
      body: json,
      text,
      headers: response.headers,
    };
  }

  /** Writes one file on a new branch and opens a pull request for it. */
  async openPull(branch: string, path: string, content: string) {
    await this.call('POST', 'contents', {
      branch: 'main',
      new_branch: branch,
      message: `Add ${path}`,
      files: [
        {
          operation: 'create',
          path,
          content: Buffer.from(content).toString('base64'),
        },
      ],
    });
    return this.call('POST', 'pulls', {
      head: branch,
      base: 'main',
      title: `Add ${path}`,
      body: 'Please',
    });
  }
}
