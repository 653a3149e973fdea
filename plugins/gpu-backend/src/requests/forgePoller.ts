import { LoggerService } from '@backstage/backend-plugin-api';
import {
  ForgeError,
  ForgeRequest,
  GitForge,
} from '@gpuaas/backstage-plugin-gpu-node';
import { leasedLoop } from '../database/leasedLoop';
import { Leases } from '../database/leases';
import { checkMergedFile } from './mergedFile';
import { ForgeFacts, RequestRow, RequestStore } from './requestStore';

const EVERY_MILLIS = 2_000;
const MAX_BACK_OFF_MILLIS = 60_000;
/** A forge's limit is by the hour; one that asks for more is not believed. */
const MAX_RETRY_AFTER_MILLIS = 3_600_000;
/** Requests of one repository asked for in one round; the others have their turn in the next. */
const BATCH = 24;
const PARALLEL = 6;
const LEASE = 'forge-poller';
/** Milliseconds after a merge in which a file that is not there may still come: some forges read from copies. */
const FILE_PATIENCE_MILLIS = 600_000;

interface Repository {
  forge: GitForge;
  /** Where the last round stopped. */
  next: number;
  failures: number;
  /** Milliseconds since the epoch: not before. */
  notBefore: number;
  /** Why it is not asked until then, and which requests were told. */
  failing?: { message: string; told: Set<string> };
}

/**
 * Asks forges for pull requests while they are open, and reads the merged file
 * once. A forge that is slow or down costs its own requests only: each is asked
 * apart from the others, one that fails ever less often, and its requests show
 * since when. One replica polls at a time.
 */
export class ForgePoller {
  private readonly repositories = new Map<string, Repository>();
  /** Repositories that are being asked just now. */
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly options: {
      store: RequestStore;
      leases: Leases;
      /** @throws InputError when no client exists for the repository's host. */
      forgeOf: (repoUrl: string) => GitForge;
      logger: LoggerService;
      now?: () => number;
    },
  ) {}

  /** Polls until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await leasedLoop({
      leases: this.options.leases,
      lease: LEASE,
      everyMillis: EVERY_MILLIS,
      signal,
      round: () => this.begin(signal),
      onError: error =>
        this.options.logger.warn(
          'Polling the forge stopped and will go on',
          error,
        ),
    });
    await Promise.all(this.asking.values());
  }

  /** Looks at every undecided request once, as far as batches and back-off allow. */
  async round(signal?: AbortSignal): Promise<void> {
    await this.begin(signal);
    await Promise.all(this.asking.values());
  }

  /** Begins to ask every repository that is not being asked still. */
  private async begin(signal?: AbortSignal): Promise<void> {
    const undecided = await this.options.store.listUndecided();
    const byRepository = new Map<string, RequestRow[]>();
    for (const request of undecided) {
      const group = byRepository.get(request.repoUrl);
      if (group) {
        group.push(request);
      } else {
        byRepository.set(request.repoUrl, [request]);
      }
    }
    for (const [repoUrl, requests] of byRepository) {
      if (!this.asking.has(repoUrl)) {
        const asked = this.askRepository(repoUrl, requests, signal)
          .catch(error =>
            this.options.logger.warn(
              `What ${repoUrl} said could not be stored`,
              error,
            ),
          )
          .finally(() => this.asking.delete(repoUrl));
        this.asking.set(repoUrl, asked);
      }
    }
  }

  private async askRepository(
    repoUrl: string,
    requests: RequestRow[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { store, logger } = this.options;
    const now = this.options.now ?? Date.now;
    let repository = this.repositories.get(repoUrl);
    if (repository && now() < repository.notBefore) {
      await this.tell(repository, requests);
      return;
    }
    try {
      repository ??= {
        forge: this.options.forgeOf(repoUrl),
        next: 0,
        failures: 0,
        notBefore: 0,
      };
      this.repositories.set(repoUrl, repository);
      const { forge } = repository;
      const batch = turn(requests, repository);
      for (let at = 0; at < batch.length; at += PARALLEL) {
        await Promise.all(
          batch
            .slice(at, at + PARALLEL)
            .map(request => this.askRequest(forge, request)),
        );
      }
      repository.failures = 0;
      repository.failing = undefined;
    } catch (error) {
      if (signal?.aborted) {
        return;
      }
      const { message } = error as Error;
      if (repository) {
        repository.failing = {
          message,
          told: new Set(requests.map(({ id }) => id)),
        };
        repository.failures += 1;
        repository.notBefore =
          now() +
          Math.max(
            Math.min(
              MAX_BACK_OFF_MILLIS,
              EVERY_MILLIS * 2 ** repository.failures,
            ),
            Math.min(
              MAX_RETRY_AFTER_MILLIS,
              1000 * ((error as Partial<ForgeError>).retryAfterSeconds ?? 0),
            ),
          );
      }
      logger.warn(`${repoUrl}: ${message}`);
      await store.recordForgeFailure(
        requests.map(({ id }) => id),
        message,
      );
    }
  }

  /** A request that came while its forge is not asked cannot be current either. */
  private async tell(
    { failing }: Repository,
    requests: RequestRow[],
  ): Promise<void> {
    const untold = requests
      .map(({ id }) => id)
      .filter(id => failing && !failing.told.has(id));
    if (failing && untold.length > 0) {
      await this.options.store.recordForgeFailure(untold, failing.message);
      untold.forEach(id => failing.told.add(id));
    }
  }

  /** @throws what concerns the whole repository; what is wrong with the one request is noted on it. */
  private async askRequest(
    forge: GitForge,
    request: RequestRow,
  ): Promise<void> {
    const { store } = this.options;
    try {
      const found = await find(forge, request);
      const facts: ForgeFacts = {
        url: found.url,
        number: found.number,
        provider: forge.provider,
        state: found.state,
        mergedBy: found.mergedBy,
        mergedAt: found.mergedAt,
        mergeCommit: found.mergeCommit,
      };
      await store.recordForge(request.id, facts);
      if (found.state === 'merged') {
        const fileCheck = await this.checkFile(forge, request, found);
        if (fileCheck) {
          await store.recordForge(request.id, { ...facts, fileCheck });
        }
      }
    } catch (error) {
      if (!isAboutOne(error)) {
        throw error;
      }
      await store.recordForgeFailure([request.id], (error as Error).message);
    }
  }

  /** Undefined while it is too early to say that the file is not there. */
  private async checkFile(
    forge: GitForge,
    request: RequestRow,
    { mergeCommit, mergedAt, target }: ForgeRequest,
  ): Promise<ForgeFacts['fileCheck']> {
    const { path } = request;
    const files = await forge.readFiles(mergeCommit ?? target, [path]);
    const content = files.get(path);
    const age = (this.options.now ?? Date.now)() - Date.parse(mergedAt ?? '');
    return content === undefined && age < FILE_PATIENCE_MILLIS
      ? undefined
      : checkMergedFile(content, request);
  }
}

/** @throws ForgeError when there is no such pull request, or it goes elsewhere than where the cluster is delivered from. */
async function find(
  forge: GitForge,
  { pullRequest, branch }: RequestRow,
): Promise<ForgeRequest> {
  const { number } = pullRequest!;
  const found = await forge.getRequest(number);
  if (!found) {
    throw new ForgeError(
      `Pull request ${number} of ${forge.repository} does not exist, or the token may not see it`,
      { kind: 'missing' },
    );
  }
  if (found.target !== branch) {
    throw new ForgeError(
      `Pull request ${number} of ${forge.repository} goes into ${found.target}; accepted is ${branch}`,
      { kind: 'invalid' },
    );
  }
  return found;
}

/** True where other requests of the repository may fare better. */
function isAboutOne(error: unknown): boolean {
  return (
    error instanceof ForgeError &&
    ['missing', 'invalid', 'conflict'].includes(error.kind)
  );
}

function turn(requests: RequestRow[], repository: Repository): RequestRow[] {
  if (requests.length <= BATCH) {
    repository.next = 0;
    return requests;
  }
  const start = repository.next % requests.length;
  repository.next = start + BATCH;
  return [...requests, ...requests].slice(start, start + BATCH);
}
