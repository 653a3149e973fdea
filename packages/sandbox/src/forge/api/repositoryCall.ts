import { Account } from '../accounts';
import { HostedRepository } from '../hostedRepository';
import { Answer, Call, Route } from '../http';
import { Shapes } from './shapes';

/** A call within a repository that the caller may at least read. */
export interface RepositoryCall {
  repository: HostedRepository;
  shapes: Shapes;
  account?: Account;
}

export type RepositoryHandler = (
  repo: RepositoryCall,
  call: Call,
) => Promise<Answer> | Answer;

/** Makes handlers of repository routes: who may not read gets 404, who must write and may not gets 401 or 403. */
export interface RepositoryGuards {
  baseUrl: () => string;
  within: (handle: RepositoryHandler) => Route['handle'];
  /** The caller must be signed in; what they may do is the operation's to say. */
  signedIn: (handle: RepositoryHandler) => Route['handle'];
  forWriting: (handle: RepositoryHandler) => Route['handle'];
  forAdmins: (handle: RepositoryHandler) => Route['handle'];
}

export type RepositoryRoutes = (guards: RepositoryGuards) => Route[];
