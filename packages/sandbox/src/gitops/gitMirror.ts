import { BareRepository } from '../forge/bareRepository';
import { git } from '../forge/git';

export interface Snapshot {
  revision: string;
  /** Blob of every file below `clusters/`, by path. */
  files: ReadonlyMap<string, string>;
}

/** A local copy of one branch, fetched over smart HTTP as anybody would. */
export class GitMirror {
  private repository?: BareRepository;
  private snapshot?: Snapshot;
  private readonly blobs = new Map<string, string>();

  constructor(
    private readonly folder: string,
    readonly url: string,
    readonly branch: string,
    private readonly token: string,
  ) {}

  /**
   * Fetches the branch, if it has moved.
   *
   * @throws Error when the forge is away, slow or says no
   */
  async fetch(): Promise<Snapshot> {
    this.repository ??= await BareRepository.open(this.folder, this.branch);
    const ref = `refs/heads/${this.branch}`;
    if (this.snapshot && (await this.remote(ref)) === this.snapshot.revision) {
      return this.snapshot;
    }
    await git(
      this.folder,
      ['fetch', '--quiet', '--no-tags', this.url, `+${ref}:${ref}`],
      {
        env: {
          GIT_CONFIG_COUNT: '3',
          GIT_CONFIG_KEY_0: 'http.extraHeader',
          GIT_CONFIG_VALUE_0: `Authorization: token ${this.token}`,
          GIT_CONFIG_KEY_1: 'http.lowSpeedLimit',
          GIT_CONFIG_VALUE_1: '1',
          GIT_CONFIG_KEY_2: 'http.lowSpeedTime',
          GIT_CONFIG_VALUE_2: '10',
        },
      },
    );
    const revision = (await this.repository.ref(ref))!;
    if (this.snapshot?.revision !== revision) {
      this.snapshot = await this.read(revision);
    }
    return this.snapshot!;
  }

  /** Where a ref stands on the forge: what `git ls-remote` asks, without starting git. */
  private async remote(ref: string): Promise<string | undefined> {
    const response = await fetch(
      `${this.url}/info/refs?service=git-upload-pack`,
      {
        headers: { Authorization: `token ${this.token}` },
        signal: AbortSignal.timeout(10_000),
      },
    );
    const text = await response.text();
    if (!response.ok) {
      throw new Error(
        `unable to access '${this.url}/': The requested URL returned error: ${response.status}`,
      );
    }
    return new RegExp(`([0-9a-f]{40}) ${ref}[\\n\\0]`).exec(text)?.[1];
  }

  /** The files of an earlier revision; undefined when it is no longer there. */
  async earlier(revision: string): Promise<Snapshot | undefined> {
    return (await this.repository!.ref(`${revision}^{commit}`))
      ? this.read(revision)
      : undefined;
  }

  private async read(revision: string): Promise<Snapshot> {
    const entries = await this.repository!.files(revision, 'clusters');
    return {
      revision,
      files: new Map(entries.map(({ path, sha }) => [path, sha])),
    };
  }

  close(): void {
    this.repository?.close();
  }

  /** The text of a blob; texts of blobs nobody points to any more are forgotten. */
  async text(sha: string): Promise<string> {
    let text = this.blobs.get(sha);
    if (text === undefined) {
      text = (await this.repository!.blob(sha)).toString();
      this.blobs.set(sha, text);
      if (this.blobs.size > 2 * (this.snapshot?.files.size ?? 0) + 100) {
        const used = new Set(this.snapshot?.files.values());
        for (const old of this.blobs.keys()) {
          if (!used.has(old)) {
            this.blobs.delete(old);
          }
        }
      }
    }
    return text;
  }
}
