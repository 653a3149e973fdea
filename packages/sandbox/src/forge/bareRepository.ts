import { appendFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Commit, commitFormat, Identity, parseCommit } from './commitRecord';
import { git, gitText } from './git';

export interface TreeEntry {
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  /** Bytes; 0 for trees. */
  size: number;
  /** Path from the root of the repository. */
  path: string;
}

export interface FileDiff {
  path: string;
  previousPath?: string;
  status: 'added' | 'deleted' | 'changed' | 'renamed';
  additions: number;
  deletions: number;
}

/** A file to write, or with `content` null to remove. */
export interface FileChange {
  path: string;
  content: Buffer | null;
  mode?: string;
}

export const zeroSha = '0'.repeat(40);

/** A bare git repository on disk, changed with plumbing commands only. */
export class BareRepository {
  constructor(readonly path: string) {}

  /** Opens the repository, made first when there is none. */
  static async open(
    path: string,
    defaultBranch: string,
  ): Promise<BareRepository> {
    const exists = await stat(join(path, 'HEAD')).then(
      () => true,
      () => false,
    );
    if (!exists) {
      await mkdir(path, { recursive: true });
      await git(path, [
        'init',
        '--quiet',
        '--bare',
        '--template=',
        `--initial-branch=${defaultBranch}`,
      ]);
      await appendFile(
        join(path, 'config'),
        '[uploadpack]\n\tallowAnySHA1InWant = true\n',
      );
    }
    return new BareRepository(path);
  }

  /** Every ref under a prefix, with the commit it points to. */
  async refs(prefix: string): Promise<Map<string, string>> {
    const text = await gitText(this.path, [
      'for-each-ref',
      '--format=%(refname)%00%(objectname)',
      prefix,
    ]);
    return new Map(
      text
        .split('\n')
        .filter(Boolean)
        .map(line => line.split('\0') as [string, string]),
    );
  }

  async ref(name: string): Promise<string | undefined> {
    const { stdout, code } = await git(
      this.path,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', name],
      { accept: [1, 128] },
    );
    return code === 0 ? stdout.toString().trim() : undefined;
  }

  branch(name: string): Promise<string | undefined> {
    return this.ref(`refs/heads/${name}`);
  }

  /** A branch, a tag, a full ref or the beginning of a commit's SHA (7 digits or more). */
  async resolve(ref: string): Promise<string | undefined> {
    for (const candidate of [`refs/heads/${ref}`, `refs/tags/${ref}`]) {
      const sha = await this.ref(`${candidate}^{commit}`);
      if (sha) {
        return sha;
      }
    }
    return /^([0-9a-f]{7,40}|refs\/.+)$/.test(ref)
      ? this.ref(`${ref}^{commit}`)
      : undefined;
  }

  async commit(sha: string): Promise<Commit> {
    const { stdout } = await git(this.path, [
      'log',
      '-1',
      `--format=${commitFormat}`,
      sha,
    ]);
    return parseCommit(stdout.toString());
  }

  /** Commits reachable from `range`, newest first. */
  async log(
    range: string,
    options: { path?: string; limit?: number; skip?: number } = {},
  ): Promise<Commit[]> {
    const { stdout } = await git(this.path, [
      'log',
      '-z',
      `--format=${commitFormat}%x01`,
      ...(options.limit === undefined ? [] : [`--max-count=${options.limit}`]),
      ...(options.skip ? [`--skip=${options.skip}`] : []),
      range,
      '--',
      ...(options.path ? [options.path] : []),
    ]);
    return stdout
      .toString()
      .split('\x01')
      .map(record => record.replace(/^\0/, ''))
      .filter(record => record.length > 0)
      .map(parseCommit);
  }

  async countCommits(range: string, path?: string): Promise<number> {
    return Number(
      await gitText(this.path, [
        'rev-list',
        '--count',
        range,
        '--',
        ...(path ? [path] : []),
      ]),
    );
  }

  /** What stands at a path of a commit; undefined when nothing does. */
  async entry(commit: string, path: string): Promise<TreeEntry | undefined> {
    const [entry] = await this.tree(commit, ['--', path]);
    return entry;
  }

  /** The entries of a folder ('' is the root); undefined when it is none. */
  async folder(commit: string, path: string): Promise<TreeEntry[] | undefined> {
    if (path !== '') {
      const entry = await this.entry(commit, path);
      if (entry?.type !== 'tree') {
        return undefined;
      }
    }
    return this.tree(commit, path === '' ? [] : ['--', `${path}/`]);
  }

  /** All files of a commit, recursively. */
  files(commit: string, path = ''): Promise<TreeEntry[]> {
    return this.tree(commit, ['-r', '--', ...(path ? [path] : [])]);
  }

  private async tree(commit: string, args: string[]): Promise<TreeEntry[]> {
    const [options, paths] = [
      args.filter(arg => arg === '-r'),
      args.filter(arg => arg !== '-r'),
    ];
    const { stdout } = await git(
      this.path,
      ['ls-tree', '-z', '-l', '--full-tree', ...options, commit, ...paths],
      { env: { GIT_LITERAL_PATHSPECS: '1' } },
    );
    return stdout
      .toString()
      .split('\0')
      .filter(Boolean)
      .map(line => {
        const [, mode, type, sha, size, path] = line.match(
          /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]*)$/,
        )!;
        return {
          mode,
          type: type as TreeEntry['type'],
          sha,
          size: size === '-' ? 0 : Number(size),
          path,
        };
      });
  }

  async blob(sha: string): Promise<Buffer> {
    return (await git(this.path, ['cat-file', 'blob', sha])).stdout;
  }

  /** A new commit on top of `parent` (none: a root commit). Moves no ref. */
  async commitChanges(options: {
    parent?: string;
    changes: readonly FileChange[];
    message: string;
    author: Identity;
    committer: Identity;
  }): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'forge-index-'));
    try {
      const env = {
        GIT_INDEX_FILE: join(folder, 'index'),
        GIT_DIR: this.path,
      };
      if (options.parent) {
        await git(this.path, ['read-tree', options.parent], { env });
      }
      const lines: string[] = [];
      const blobs = new Map<string, string>();
      for (const { path, content, mode } of options.changes) {
        let sha = zeroSha;
        if (content !== null) {
          const text = content.toString('latin1');
          sha = blobs.get(text) ?? (await this.writeBlob(content));
          blobs.set(text, sha);
        }
        lines.push(
          `${content === null ? '0' : mode ?? '100644'} ${sha}\t${path}\0`,
        );
      }
      await git(this.path, ['update-index', '-z', '--index-info'], {
        env,
        input: lines.join(''),
      });
      const tree = await gitText(this.path, ['write-tree'], { env });
      return await this.commitTree({
        tree,
        parents: options.parent ? [options.parent] : [],
        message: options.message,
        author: options.author,
        committer: options.committer,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private writeBlob(content: Buffer): Promise<string> {
    return gitText(this.path, ['hash-object', '-w', '--stdin'], {
      input: content,
    });
  }

  commitTree(options: {
    tree: string;
    parents: readonly string[];
    message: string;
    author: Identity;
    committer: Identity;
  }): Promise<string> {
    return gitText(
      this.path,
      [
        'commit-tree',
        options.tree,
        ...options.parents.flatMap(parent => ['-p', parent]),
      ],
      {
        input: options.message,
        env: {
          GIT_AUTHOR_NAME: options.author.name,
          GIT_AUTHOR_EMAIL: options.author.email,
          GIT_AUTHOR_DATE: options.author.date,
          GIT_COMMITTER_NAME: options.committer.name,
          GIT_COMMITTER_EMAIL: options.committer.email,
          GIT_COMMITTER_DATE: options.committer.date,
        },
      },
    );
  }

  /**
   * Moves a ref, only if it still stands where the caller saw it
   * ({@link zeroSha}: it must not exist yet). To `null` deletes it.
   *
   * @throws GitError when somebody else was faster
   */
  async updateRef(
    ref: string,
    to: string | null,
    from?: string,
  ): Promise<void> {
    const old = from === undefined ? [] : [from];
    await git(
      this.path,
      to === null
        ? ['update-ref', '-d', ref, ...old]
        : ['update-ref', ref, to, ...old],
    );
  }

  async mergeBase(a: string, b: string): Promise<string | undefined> {
    const { stdout, code } = await git(this.path, ['merge-base', a, b], {
      accept: [1],
    });
    return code === 0 ? stdout.toString().trim() : undefined;
  }

  async isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    const { code } = await git(
      this.path,
      ['merge-base', '--is-ancestor', ancestor, descendant],
      { accept: [1] },
    );
    return code === 0;
  }

  /** The tree of both sides merged, or undefined when they conflict. */
  async mergeTree(ours: string, theirs: string): Promise<string | undefined> {
    const { stdout, code } = await git(
      this.path,
      ['merge-tree', '--write-tree', '--no-messages', ours, theirs],
      { accept: [1] },
    );
    return code === 0 ? stdout.toString().trim().split('\n')[0] : undefined;
  }

  async diff(from: string, to: string): Promise<string> {
    const { stdout } = await git(this.path, [
      'diff',
      '--no-color',
      '--find-renames',
      from,
      to,
    ]);
    return stdout.toString();
  }

  /** The commits after `from` up to `to` as mail, as `git am` reads them. */
  async patch(from: string, to: string): Promise<string> {
    const { stdout } = await git(this.path, [
      'format-patch',
      '--stdout',
      `${from}..${to}`,
    ]);
    return stdout.toString();
  }

  async changedFiles(from: string, to: string): Promise<FileDiff[]> {
    const fields = async (option: string) =>
      (
        await git(this.path, ['diff', '-z', '--find-renames', option, from, to])
      ).stdout
        .toString()
        .split('\0');
    const [states, numbers] = await Promise.all([
      fields('--name-status'),
      fields('--numstat'),
    ]);
    const files: FileDiff[] = [];
    for (let at = 0, row = 0; states[at]; row += 1) {
      const letter = states[at][0];
      const renamed = letter === 'R' || letter === 'C';
      const [additions, deletions] = numbers[row].split('\t');
      files.push({
        path: renamed ? states[at + 2] : states[at + 1],
        ...(renamed && { previousPath: states[at + 1] }),
        status:
          ({ A: 'added', D: 'deleted', R: 'renamed' } as const)[
            letter as 'A'
          ] ?? 'changed',
        // Binary files have no lines: git prints a dash.
        additions: Number(additions) || 0,
        deletions: Number(deletions) || 0,
      });
      at += renamed ? 3 : 2;
      if (renamed) {
        // With -z a rename's numbers are followed by two names of their own.
        row += 2;
      }
    }
    return files;
  }
}
