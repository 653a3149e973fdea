/**
 * A file to write, or to remove when `content` is absent.
 *
 * @public
 */
export interface FileChange {
  path: string;
  content?: string;
}

/**
 * A pull request as every provider can describe it.
 *
 * @public
 */
export interface ForgeRequest {
  number: number;
  /** Web address. */
  url: string;
  /** `closed`: refused, or withdrawn, without a merge. */
  state: 'open' | 'merged' | 'closed';
  title: string;
  body: string;
  branch: string;
  target: string;
  /** Head commit of the request's branch, as long as the provider knows it. */
  headSha?: string;
  /** Login of whoever merged it. */
  mergedBy?: string;
  /** RFC 3339, by the forge's clock. */
  mergedAt?: string;
  mergeCommit?: string;
}

/**
 * What a pull request needs of a git forge, the same for every provider. No call
 * ever forces: a branch only moves forward.
 *
 * Every call throws `ForgeError` when the forge refuses, is down or slow.
 *
 * @public
 */
export interface GitForge {
  /** ScmIntegrations type: `gitea`, `github`. */
  readonly provider: string;
  /** `<host>/<owner>/<repository>`, for messages. */
  readonly repository: string;

  /** Head commit of a branch; undefined when there is no such branch. */
  getHead(branch: string): Promise<string | undefined>;

  /** Contents at a branch or commit; undefined for a path that holds no file. */
  readFiles(
    ref: string,
    paths: string[],
  ): Promise<Map<string, string | undefined>>;

  /**
   * Commits all changes at once: on top of `expectedHead`, or, without it, on a new
   * branch that starts at `baseSha`, the head of `baseBranch`.
   *
   * @throws HeadMovedError when the branch is no longer where it was read, or a
   * branch that should be new exists.
   */
  commit(options: {
    branch: string;
    baseBranch: string;
    baseSha: string;
    expectedHead?: string;
    changes: FileChange[];
    message: string;
    author?: { name: string; email: string };
  }): Promise<{ sha: string }>;

  /** The open request from `branch` into `target`, and the latest one that has ended. */
  findRequest(
    branch: string,
    target: string,
  ): Promise<{ open?: ForgeRequest; ended?: ForgeRequest }>;

  /**
   * Opens a request; or gives `existing` this title and body, reopening it if it was
   * closed. Finds a request that somebody else opened in the same moment.
   */
  openOrUpdateRequest(options: {
    branch: string;
    target: string;
    title: string;
    body: string;
    existing?: ForgeRequest;
  }): Promise<ForgeRequest>;

  /** One request by number; undefined when there is none. */
  getRequest(number: number): Promise<ForgeRequest | undefined>;
}
