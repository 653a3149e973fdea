import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type ReviewState =
  | 'APPROVED'
  | 'REQUEST_CHANGES'
  | 'COMMENT'
  | 'PENDING'
  | 'REQUEST_REVIEW';

export interface Review {
  id: number;
  reviewer: string;
  state: ReviewState;
  body: string;
  commit: string;
  dismissed: boolean;
  submittedAt: string;
}

export interface Comment {
  id: number;
  poster: string;
  body: string;
  createdAt: string;
  updatedAt: string;
}

export interface PullRequest {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  poster: string;
  head: string;
  base: string;
  /** Head commit: follows the branch while open, stands still afterwards. */
  headSha: string;
  /** Common ancestor with the base: follows while open, stands still afterwards. */
  mergeBase: string;
  labels: number[];
  requestedReviewers: string[];
  reviews: Review[];
  comments: Comment[];
  createdAt: string;
  updatedAt: string;
  closedAt?: string;
  merged?: { at: string; by: string; commit: string };
}

export interface Label {
  id: number;
  name: string;
  color: string;
  description: string;
}

export interface CommitStatus {
  id: number;
  sha: string;
  state: 'pending' | 'success' | 'error' | 'failure' | 'warning';
  context: string;
  description: string;
  targetUrl: string;
  creator: string;
  createdAt: string;
}

export interface BranchProtection {
  rule: string;
  requiredApprovals: number;
  createdAt: string;
}

/** Everything of a repository that is not in git. */
export interface RepositoryData {
  /** Last number given to a pull request. */
  lastNumber: number;
  /** Last id given to anything else. */
  lastId: number;
  createdAt: string;
  pulls: PullRequest[];
  labels: Label[];
  statuses: CommitStatus[];
  protections: BranchProtection[];
}

/** {@link RepositoryData} on disk: written whole, to one side, then renamed. */
export class RepositoryState {
  readonly data: RepositoryData;

  constructor(private readonly file: string, now: string) {
    this.data = read(file) ?? {
      lastNumber: 0,
      lastId: 0,
      createdAt: now,
      pulls: [],
      labels: [],
      statuses: [],
      protections: [],
    };
  }

  save(): void {
    mkdirSync(dirname(this.file), { recursive: true });
    const aside = `${this.file}.new`;
    writeFileSync(aside, JSON.stringify(this.data));
    renameSync(aside, this.file);
  }

  nextId(): number {
    this.data.lastId += 1;
    return this.data.lastId;
  }
}

function read(file: string): RepositoryData | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  return JSON.parse(text);
}
