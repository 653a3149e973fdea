import { Account } from '../accounts';
import { Commit, Identity } from '../commitRecord';
import { HostedRepository } from '../hostedRepository';
import { CommitStatus, Label, PullRequest, Review } from '../repositoryState';
import { TreeEntry } from '../treeRecord';

/** Gitea's JSON of what the forge holds, with the absolute addresses it carries. */
export class Shapes {
  constructor(
    private readonly repository: HostedRepository,
    readonly baseUrl: string,
  ) {}

  private get path() {
    return `${this.repository.owner}/${this.repository.name}`;
  }

  private get api() {
    return `${this.baseUrl}/api/v1/repos/${this.path}`;
  }

  private get html() {
    return `${this.baseUrl}/${this.path}`;
  }

  user(login: string) {
    const { accounts } = this.repository;
    return accountShape(
      accounts.find(login) ?? {
        login,
        fullName: login,
        email: `${login}@noreply.localhost`,
        access: 'none',
      },
      accounts.id(login),
      this.baseUrl,
    );
  }

  repositoryShape(account: Account | undefined) {
    const { repository } = this;
    const rank = account?.access ?? 'none';
    return {
      id: repository.id,
      owner: {
        id: 1000,
        login: repository.owner,
        login_name: '',
        full_name: repository.owner,
        email: '',
        avatar_url: '',
        username: repository.owner,
      },
      name: repository.name,
      full_name: this.path,
      description: 'What runs on the GPU fleet',
      empty: false,
      private: true,
      fork: false,
      template: false,
      mirror: false,
      size: 0,
      html_url: this.html,
      url: this.api,
      clone_url: `${this.html}.git`,
      ssh_url: '',
      default_branch: repository.defaultBranch,
      archived: false,
      created_at: repository.state.data.createdAt,
      updated_at: repository.now(),
      permissions: {
        admin: rank === 'admin',
        push: rank === 'admin' || rank === 'write',
        pull: rank !== 'none',
      },
      has_issues: false,
      has_pull_requests: true,
      allow_merge_commits: true,
      allow_rebase: true,
      allow_rebase_explicit: true,
      allow_squash_merge: true,
      allow_fast_forward_only_merge: true,
      default_merge_style: 'merge',
      default_delete_branch_after_merge: false,
      open_pr_counter: repository.state.data.pulls.filter(
        pull => pull.state === 'open',
      ).length,
      internal: false,
      object_format_name: 'sha1',
    };
  }

  private signature({ name, email, date }: Identity) {
    return { name, email, date };
  }

  branch(name: string, commit: Commit, account: Account | undefined) {
    const protection = this.repository.protection(name);
    return {
      name,
      commit: {
        id: commit.sha,
        message: commit.message,
        url: `${this.html}/commit/${commit.sha}`,
        author: {
          name: commit.author.name,
          email: commit.author.email,
          username: '',
        },
        committer: {
          name: commit.committer.name,
          email: commit.committer.email,
          username: '',
        },
        verification: null,
        timestamp: commit.committer.date,
        added: null,
        removed: null,
        modified: null,
      },
      protected: protection !== undefined,
      required_approvals: protection?.requiredApprovals ?? 0,
      enable_status_check: false,
      status_check_contexts: [],
      user_can_push: this.repository.mayPush(account, name),
      user_can_merge: this.repository.mayMerge(account, name),
      effective_branch_protection_name: protection?.rule ?? '',
    };
  }

  /** A commit within the answer of a file change. */
  fileCommit(commit: Commit) {
    return {
      url: `${this.api}/git/commits/${commit.sha}`,
      sha: commit.sha,
      created: commit.committer.date,
      html_url: `${this.html}/commit/${commit.sha}`,
      author: this.signature(commit.author),
      committer: this.signature(commit.committer),
      parents: commit.parents.map(sha => this.commitMeta(sha)),
      message: commit.message,
      tree: {
        url: `${this.api}/git/trees/${commit.tree}`,
        sha: commit.tree,
        created: commit.committer.date,
      },
    };
  }

  private commitMeta(sha: string) {
    return {
      url: `${this.api}/git/commits/${sha}`,
      sha,
      created: '0001-01-01T00:00:00Z',
    };
  }

  commit(commit: Commit) {
    return {
      url: `${this.api}/git/commits/${commit.sha}`,
      sha: commit.sha,
      created: commit.committer.date,
      html_url: `${this.html}/commit/${commit.sha}`,
      commit: {
        url: `${this.api}/git/commits/${commit.sha}`,
        author: this.signature(commit.author),
        committer: this.signature(commit.committer),
        message: commit.message,
        tree: {
          url: `${this.api}/git/trees/${commit.tree}`,
          sha: commit.tree,
          created: commit.committer.date,
        },
        verification: null,
      },
      author: null,
      committer: null,
      parents: commit.parents.map(sha => this.commitMeta(sha)),
    };
  }

  content(entry: TreeEntry, ref: string, blob?: Buffer) {
    const types = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;
    const query = `?ref=${encodeURIComponent(ref)}`;
    const path = entry.path.split('/').map(encodeURIComponent).join('/');
    const self = `${this.api}/contents/${path}${query}`;
    const kind = entry.type === 'tree' ? 'trees' : 'blobs';
    const git = `${this.api}/git/${kind}/${entry.sha}`;
    const html = `${this.html}/src/branch/${ref}/${path}`;
    return {
      name: entry.path.split('/').pop(),
      path: entry.path,
      sha: entry.sha,
      type: types[entry.type],
      size: blob?.length ?? entry.size,
      encoding: blob ? 'base64' : null,
      content: blob ? blob.toString('base64') : null,
      target: null,
      url: self,
      html_url: html,
      git_url: git,
      download_url:
        entry.type === 'blob' ? `${this.html}/raw/branch/${ref}/${path}` : null,
      submodule_git_url: null,
      _links: { self, git, html },
    };
  }

  treeEntry(entry: TreeEntry) {
    return {
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      size: entry.size,
      sha: entry.sha,
      url: `${this.api}/git/${entry.type === 'tree' ? 'trees' : 'blobs'}/${
        entry.sha
      }`,
    };
  }

  reference(ref: string, sha: string) {
    return {
      ref,
      url: `${this.api}/git/${ref}`,
      object: { type: 'commit', sha, url: `${this.api}/git/commits/${sha}` },
    };
  }

  label({ id, name, color, description }: Label) {
    return {
      id,
      name,
      exclusive: false,
      is_archived: false,
      color,
      description,
      url: `${this.api}/labels/${id}`,
    };
  }

  async pullRequest(pull: PullRequest, account: Account | undefined) {
    const { repository } = this;
    const html = `${this.html}/pulls/${pull.number}`;
    const baseSha = repository.branch(pull.base);
    const headBranch = repository.branch(pull.head);
    const mergeable = await repository.isMergeable(pull);
    const shape = this.repositoryShape(account);
    const sha =
      pull.state === 'open' ? headBranch ?? pull.headSha : pull.headSha;
    return {
      id: pull.number,
      url: html,
      number: pull.number,
      user: this.user(pull.poster),
      title: pull.title,
      body: pull.body,
      labels: repository.state.data.labels
        .filter(({ id }) => pull.labels.includes(id))
        .map(label => this.label(label)),
      milestone: null,
      assignee: null,
      assignees: null,
      requested_reviewers: pull.requestedReviewers.map(login =>
        this.user(login),
      ),
      requested_reviewers_teams: [],
      state: pull.state,
      draft: /^(wip:|\[wip\])/i.test(pull.title),
      is_locked: false,
      comments: pull.comments.length,
      review_comments: 0,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      mergeable,
      merged: pull.merged !== undefined,
      merged_at: pull.merged?.at ?? null,
      merge_commit_sha: pull.merged?.commit ?? null,
      merged_by: pull.merged ? this.user(pull.merged.by) : null,
      allow_maintainer_edit: false,
      base: {
        label: pull.base,
        ref: pull.base,
        sha: baseSha ?? '',
        repo_id: repository.id,
        repo: shape,
      },
      head: {
        label: pull.head,
        ref: headBranch ? pull.head : `refs/pull/${pull.number}/head`,
        sha,
        repo_id: repository.id,
        repo: shape,
      },
      merge_base: pull.mergeBase,
      due_date: null,
      created_at: pull.createdAt,
      updated_at: pull.updatedAt,
      closed_at: pull.closedAt ?? null,
      pin_order: 0,
    };
  }

  review(pull: PullRequest, review: Review) {
    const html = `${this.html}/pulls/${pull.number}`;
    return {
      id: review.id,
      user: this.user(review.reviewer),
      team: null,
      state: review.state,
      body: review.body,
      commit_id: review.commit,
      stale: review.commit !== pull.headSha,
      official: this.repository.mayMerge(
        this.repository.accounts.find(review.reviewer),
        pull.base,
      ),
      dismissed: review.dismissed,
      comments_count: 0,
      submitted_at: review.submittedAt,
      updated_at: review.submittedAt,
      html_url: `${html}#issuecomment-${review.id}`,
      pull_request_url: html,
    };
  }

  comment(pull: PullRequest, comment: PullRequest['comments'][number]) {
    const html = `${this.html}/pulls/${pull.number}`;
    return {
      id: comment.id,
      html_url: `${html}#issuecomment-${comment.id}`,
      pull_request_url: html,
      issue_url: '',
      user: this.user(comment.poster),
      original_author: '',
      original_author_id: 0,
      body: comment.body,
      assets: [],
      created_at: comment.createdAt,
      updated_at: comment.updatedAt,
    };
  }

  status(status: CommitStatus) {
    return {
      id: status.id,
      status: status.state,
      target_url: status.targetUrl,
      description: status.description,
      url: `${this.api}/statuses/${status.sha}`,
      context: status.context,
      creator: this.user(status.creator),
      created_at: status.createdAt,
      updated_at: status.createdAt,
    };
  }
}

/** A user as Gitea shows one. */
export function accountShape(account: Account, id: number, baseUrl: string) {
  return {
    id,
    login: account.login,
    login_name: '',
    source_id: 0,
    full_name: account.fullName,
    email: account.email,
    avatar_url: `${baseUrl}/avatars/${account.login}`,
    html_url: `${baseUrl}/${account.login}`,
    language: '',
    is_admin: account.access === 'admin',
    last_login: '0001-01-01T00:00:00Z',
    created: '2026-01-01T00:00:00Z',
    restricted: false,
    active: true,
    prohibit_login: false,
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    username: account.login,
  };
}
