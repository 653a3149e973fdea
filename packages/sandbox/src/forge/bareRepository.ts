import { appendFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Commit, Identity, parseCommit } from './commitRecord';
import { git, gitText } from './git';
import { ObjectReader } from './objectReader';
import { parseTree, TreeEntry } from './treeRecord';

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
  private readonly objects: ObjectReader;

  constructor(readonly path: string) {
    this.objects = new ObjectReader(path);
  }

  close(): void {
    this.objects.close();
  }

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

  /** SHA of what a name stands for; undefined when it stands for nothing. */
  async ref(name: string): Promise<string | undefined> {
    return (await this.objects.read(name))?.sha;
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

  /** Throws when there is no such commit. */
  async commit(sha: string): Promise<Commit> {
    const object = await this.objects.read(sha);
    if (object?.type !== 'commit') {
      throw new Error(`${sha} is no commit of ${this.path}`);
    }
    return parseCommit(object.sha, object.content);
  }

  /** Commits reachable from `range`, newest first. */
  async log(
    range: string,
    options: { path?: string; limit?: number; skip?: number } = {},
  ): Promise<Commit[]> {
    const text = await gitText(this.path, [
      'rev-list',
      ...(options.limit === undefined ? [] : [`--max-count=${options.limit}`]),
      ...(options.skip ? [`--skip=${options.skip}`] : []),
      range,
      '--',
      ...(options.path ? [options.path] : []),
    ]);
    const shas = text.split('\n').filter(Boolean);
    return Promise.all(shas.map(sha => this.commit(sha)));
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

  private async tree(name: string, path: string): Promise<TreeEntry[]> {
    const object = await this.objects.read(name);
    return object?.type === 'tree' ? parseTree(object.content, path) : [];
  }

  /** What stands at a path of a commit; undefined when nothing does. */
  async entry(commit: string, path: string): Promise<TreeEntry | undefined> {
    let entries = await this.tree(`${commit}^{tree}`, '');
    const parts = path.split('/');
    for (let depth = 1; ; depth += 1) {
      const wanted = parts.slice(0, depth).join('/');
      const entry = entries.find(candidate => candidate.path === wanted);
      if (!entry || depth === parts.length) {
        return entry;
      }
      if (entry.type !== 'tree') {
        return undefined;
      }
      entries = await this.tree(entry.sha, entry.path);
    }
  }

  /** The entries of a folder ('' is the root), with sizes; undefined when it is none. */
  async folder(commit: string, path: string): Promise<TreeEntry[] | undefined> {
    if (path === '') {
      return this.sized(await this.tree(`${commit}^{tree}`, ''));
    }
    const entry = await this.entry(commit, path);
    return entry?.type === 'tree'
      ? this.sized(await this.tree(entry.sha, path))
      : undefined;
  }

  private sized(entries: readonly TreeEntry[]): Promise<TreeEntry[]> {
    return Promise.all(
      entries.map(async entry =>
        entry.type === 'blob'
          ? { ...entry, size: (await this.blob(entry.sha)).length }
          : entry,
      ),
    );
  }

  /** All files of a commit below a folder ('' is the root), without sizes. */
  async files(commit: string, path = ''): Promise<TreeEntry[]> {
    const root = path === '' ? undefined : await this.entry(commit, path);
    if (path !== '' && root?.type !== 'tree') {
      return [];
    }
    const collect = async (name: string, folder: string) => {
      const found: TreeEntry[] = [];
      for (const entry of await this.tree(name, folder)) {
        found.push(
          ...(entry.type === 'tree'
            ? await collect(entry.sha, entry.path)
            : [entry]),
        );
      }
      return found;
    };
    return collect(root?.sha ?? `${commit}^{tree}`, path);
  }

  /** Throws when there is no such blob. */
  async blob(sha: string): Promise<Buffer> {
    const object = await this.objects.read(sha);
    if (object?.type !== 'blob') {
      throw new Error(`${sha} is no blob of ${this.path}`);
    }
    return object.content;
  }

  /**
   * A new commit on top of `parent` (none: a root commit), and the branch moved
   * to it. One `git fast-import` does all of it.
   *
   * @throws GitError when the branch has moved on to something else
   */
  async commitChanges(options: {
    branch: string;
    parent?: string;
    changes: readonly FileChange[];
    message: string;
    author: Identity;
    committer: Identity;
  }): Promise<string> {
    const person = ({ name, email, date }: Identity) =>
      `${name.replace(/[<>\n]/g, '')} <${email.replace(
        /[<>\n]/g,
        '',
      )}> ${Math.floor(Date.parse(date) / 1000)} +0000`;
    const data = (content: Buffer) => [
      Buffer.from(`data ${content.length}\n`),
      content,
      Buffer.from('\n'),
    ];
    const quoted = (path: string) =>
      `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const stream = [
      Buffer.from(
        `commit refs/heads/${options.branch}\nmark :1\nauthor ${person(
          options.author,
        )}\ncommitter ${person(options.committer)}\n`,
      ),
      ...data(Buffer.from(options.message)),
      Buffer.from(options.parent ? `from ${options.parent}\n` : ''),
      ...options.changes.flatMap(({ path, content, mode }) =>
        content === null
          ? [Buffer.from(`D ${quoted(path)}\n`)]
          : [
              Buffer.from(`M ${mode ?? '100644'} inline ${quoted(path)}\n`),
              ...data(content),
            ],
      ),
      Buffer.from('\nget-mark :1\ndone\n'),
    ];
    return gitText(this.path, ['fast-import', '--quiet', '--done'], {
      input: Buffer.concat(stream),
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
