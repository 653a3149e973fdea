import {
  createServer,
  IncomingMessage,
  Server,
  ServerResponse,
} from 'node:http';
import { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Clock, stamp } from '../clock';
import {
  AccessToken,
  Account,
  Accounts,
  mayAtLeast,
  SignedIn,
} from './accounts';
import { contentRoutes } from './api/contentRoutes';
import { gitRoutes } from './api/gitRoutes';
import { issueRoutes } from './api/issueRoutes';
import { pullRoutes } from './api/pullRoutes';
import { RepositoryGuards, RepositoryHandler } from './api/repositoryCall';
import { accountShape, Shapes } from './api/shapes';
import { BareRepository, FileChange, zeroSha } from './bareRepository';
import { applyFault, dropInsteadOfAnswering, faultRoutes } from './faultRoutes';
import { Faults } from './faults';
import { ForgeError, notFound } from './forgeError';
import { HostedRepository, Push } from './hostedRepository';
import {
  Answer,
  Call,
  findRoute,
  parseJsonBody,
  readBody,
  Route,
  route,
  sendAnswer,
} from './http';
import { errorAnswer, errorPage, isForPrograms } from './errorAnswers';
import { pageRoutes } from './pages/pageRoutes';
import { recover } from './recovery';
import { RepositoryState } from './repositoryState';
import { advertiseRefs, receivePack, uploadPack } from './smartHttp';

/** Version of Gitea whose answers are given. */
const giteaVersion = '1.26.2';

export interface ForgeOptions {
  /** Folder of the repositories and of what belongs to them. */
  dataDir: string;
  /** 0: any free port. */
  port: number;
  host: string;
  clock: Clock;
  people: readonly Account[];
  tokens: readonly AccessToken[];
}

export interface SeedRepository {
  owner: string;
  name: string;
  defaultBranch: string;
  /** First commit, made when the repository is new. */
  files: Record<string, string>;
  /** Protects the default branch; a new repository only. */
  requiredApprovals?: number;
}

export interface Forge {
  url: string;
  faults: Faults;
  /** Opens a repository; a new one gets the seed. */
  repository(seed: SeedRepository): Promise<HostedRepository>;
  /** Calls back after every moved branch: the webhook of the forge, in process. */
  onPush(listener: (push: Push) => void): () => void;
  close(): Promise<void>;
}

/** Starts a git forge that speaks the part of Gitea's API a pull request needs. */
export async function startForge(options: ForgeOptions): Promise<Forge> {
  const accounts = new Accounts(options.people, options.tokens);
  const repositories = new Map<string, HostedRepository>();
  const listeners = new Set<(push: Push) => void>();
  const faults = new Faults();
  let url = '';

  const notify = (push: Push) => listeners.forEach(listener => listener(push));

  const find = (call: Call): HostedRepository => {
    const repository = repositories.get(
      `${call.params.owner}/${call.params.repo}`,
    );
    // Who may not read a repository is not told that it exists.
    if (!repository || !mayAtLeast(call.account, 'read')) {
      throw notFound();
    }
    return repository;
  };

  const guard =
    (allowed: (call: Call) => void) => (handle: RepositoryHandler) => {
      const guarded: Route['handle'] = call => {
        const repository = find(call);
        allowed(call);
        return handle(
          {
            repository,
            shapes: new Shapes(repository, url),
            account: call.account,
          },
          call,
        );
      };
      return guarded;
    };
  const need = (access: 'write' | 'admin', message: string) => (call: Call) => {
    if (!mayAtLeast(call.account, access)) {
      throw new ForgeError(403, message);
    }
  };
  const guards: RepositoryGuards = {
    baseUrl: () => url,
    within: guard(() => {}),
    signedIn: guard(() => {}),
    forWriting: guard(
      need('write', 'user should have a permission to write to a repo'),
    ),
    forAdmins: guard(
      need(
        'admin',
        'user should be an owner or a collaborator with admin write of a repository',
      ),
    ),
  };

  const routes: Route[] = [
    route('GET', '/api/v1/version', () => ({
      status: 200,
      json: { version: giteaVersion },
    })),
    route('GET', '/api/v1/user', ({ account }) => {
      if (!account) {
        throw new ForgeError(401, 'token is required');
      }
      return {
        status: 200,
        json: accountShape(account, accounts.id(account.login), url),
      };
    }),
    ...gitRoutes(guards),
    ...contentRoutes(guards),
    ...pullRoutes(guards),
    ...issueRoutes(guards),
    ...faultRoutes(faults),
  ];

  const answerApi = async (
    request: IncomingMessage,
    target: URL,
    signedIn: SignedIn | undefined,
  ): Promise<Answer> => {
    const method = request.method ?? 'GET';
    const match = findRoute(routes, method, target.pathname);
    if (!match) {
      throw notFound();
    }
    const writing = method !== 'GET' && method !== 'HEAD';
    if (writing && !signedIn) {
      throw new ForgeError(401, 'token is required');
    }
    if (signedIn?.withoutScopes && target.pathname !== '/api/v1/version') {
      throw new ForgeError(
        403,
        `token does not have at least one of required scope(s): [${
          writing ? 'write' : 'read'
        }:repository]`,
      );
    }
    return match.route.handle({
      request,
      url: target,
      params: match.params,
      account: signedIn?.account,
      body: writing ? parseJsonBody(await readBody(request)) : {},
    });
  };

  const forPeople = pageRoutes(accounts, repositories);
  const answerPage = async (
    request: IncomingMessage,
    target: URL,
  ): Promise<Answer> => {
    const method = request.method ?? 'GET';
    const match = findRoute(forPeople, method, target.pathname);
    if (!match) {
      throw notFound();
    }
    const form = method === 'POST' ? await readBody(request) : '';
    return match.route.handle({
      request,
      url: target,
      params: match.params,
      body: Object.fromEntries(new URLSearchParams(form.toString())),
    });
  };

  const answerGit = async (
    request: IncomingMessage,
    response: ServerResponse,
    target: URL,
    signedIn: SignedIn | undefined,
  ): Promise<boolean> => {
    const match =
      /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(
        target.pathname,
      );
    if (!match) {
      return false;
    }
    const repository = repositories.get(`${match[1]}/${match[2]}`);
    if (!repository) {
      throw new ForgeError(404, 'Repository not found');
    }
    const account = signedIn?.withoutScopes ? undefined : signedIn?.account;
    switch (match[3]) {
      case 'info/refs':
        await advertiseRefs(
          repository,
          account,
          request,
          response,
          target.searchParams.get('service'),
        );
        break;
      case 'git-upload-pack':
        await uploadPack(repository, account, request, response);
        break;
      default:
        await receivePack(repository, account, request, response);
    }
    return true;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const target = new URL(request.url ?? '/', url);
    const fault = target.pathname.startsWith('/sandbox/')
      ? undefined
      : faults.take(request.method ?? 'GET', target.pathname);
    if (fault && (await applyFault(fault, options.clock, response))) {
      return;
    }
    if (fault?.crashAfter) {
      dropInsteadOfAnswering(response);
    }
    const signedIn = accounts.authenticate(request);
    if (await answerGit(request, response, target, signedIn)) {
      return;
    }
    const answer = isForPrograms(target.pathname)
      ? await answerApi(request, target, signedIn)
      : await answerPage(request, target);
    sendAnswer(response, answer, request.method !== 'HEAD');
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(error => {
      if (!response.headersSent) {
        sendAnswer(
          response,
          isForPrograms(new URL(request.url ?? '/', url).pathname)
            ? errorAnswer(error, url)
            : errorPage(error),
        );
      } else {
        response.destroy();
      }
    });
  });
  url = await listen(server, options.host, options.port);

  return {
    url,
    faults,
    async repository(seed) {
      const key = `${seed.owner}/${seed.name}`;
      const known = repositories.get(key);
      if (known) {
        return known;
      }
      const git = await BareRepository.open(
        join(options.dataDir, seed.owner, `${seed.name}.git`),
        seed.defaultBranch,
      );
      const state = new RepositoryState(
        join(options.dataDir, seed.owner, `${seed.name}.json`),
        stamp(options.clock.now()),
      );
      const repository = new HostedRepository(
        seed.owner,
        seed.name,
        repositories.size + 1,
        seed.defaultBranch,
        git,
        state,
        accounts,
        options.clock,
        notify,
      );
      await repository.readHeads();
      if (!repository.branch(seed.defaultBranch)) {
        await plant(repository, seed);
      }
      await recover(repository);
      repositories.set(key, repository);
      return repository;
    },
    onPush(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      for (const repository of repositories.values()) {
        await repository.exclusively(async () => repository.git.close());
      }
    },
  };
}

async function plant(repository: HostedRepository, seed: SeedRepository) {
  const who = {
    name: 'Platform',
    email: 'platform@example.com',
    date: repository.clock.now().toISOString(),
  };
  const changes: FileChange[] = Object.entries(seed.files).map(
    ([path, content]) => ({ path, content: Buffer.from(content) }),
  );
  const commit = await repository.git.commitChanges({
    branch: seed.defaultBranch,
    changes,
    message: 'Lay out the fleet\n',
    author: who,
    committer: who,
  });
  if (seed.requiredApprovals !== undefined) {
    repository.state.data.protections.push({
      rule: seed.defaultBranch,
      requiredApprovals: seed.requiredApprovals,
      createdAt: repository.now(),
    });
  }
  repository.state.save();
  await repository.branchMoved(seed.defaultBranch, zeroSha, commit);
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address() as AddressInfo;
      const name =
        host === '0.0.0.0' || host === '127.0.0.1' ? 'localhost' : host;
      resolve(`http://${name}:${address.port}`);
    });
  });
}
