import { LoggerService } from '@backstage/backend-plugin-api';
import { fileDigest } from '@gpuaas/backstage-plugin-gpu-common';
import { GitForge } from '@gpuaas/backstage-plugin-gpu-node';
import { pause } from '../clusters/backOff';
import { Leases } from '../database/leases';
import { ForgeFacts, RequestRow, RequestStore } from './requestStore';

const EVERY_MILLIS = 2_000;
const MAX_BACK_OFF_MILLIS = 60_000;
/** Requests of one repository asked for in one round; the others have their turn in the next. */
const BATCH = 24;
const PARALLEL = 6;
const LEASE = 'forge-poller';

interface Repository {
  forge: GitForge;
  /** Where the last round stopped. */
  next: number;
  failures: number;
  /** Milliseconds since the epoch: not before. */
  notBefore: number;
}

/**
 * Asks forges for pull requests while they are open, and reads the merged file
 * once. A forge that is down costs its own requests only: it is asked ever less
 * often, and its requests show since when. One replica polls at a time.
 */
export class ForgePoller {
  private readonly repositories = new Map<string, Repository>();

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
    const { leases, logger } = this.options;
    while (!signal.aborted) {
      try {
        const lease = await leases.acquire(LEASE);
        if (lease) {
          try {
            while (!signal.aborted) {
              await leases.guard(lease);
              await this.round();
              await pause(EVERY_MILLIS, signal);
            }
          } finally {
            await leases.release(lease).catch(() => undefined);
          }
        }
      } catch (error) {
        logger.warn('Polling the forge stopped and will go on', error as Error);
      }
      await pause(EVERY_MILLIS, signal);
    }
  }

  /** Looks at every undecided request once, as far as batches and back-off allow. */
  async round(): Promise<void> {
    const undecided = await this.options.store.listUndecided();
    const byRepository = new Map<string, RequestRow[]>();
    for (const request of undecided) {
      const group = byRepository.get(request.repoUrl) ?? [];
      byRepository.set(request.repoUrl, [...group, request]);
    }
    await Promise.all(
      [...byRepository].map(([repoUrl, requests]) =>
        this.askRepository(repoUrl, requests),
      ),
    );
  }

  private async askRepository(
    repoUrl: string,
    requests: RequestRow[],
  ): Promise<void> {
    const { store, logger } = this.options;
    const now = this.options.now ?? Date.now;
    let repository = this.repositories.get(repoUrl);
    if (repository && now() < repository.notBefore) {
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
    } catch (error) {
      const message = (error as Error).message;
      logger.warn(`${repoUrl}: ${message}`);
      await store.recordForgeFailure(
        requests.map(({ id }) => id),
        message,
      );
      if (repository) {
        repository.failures += 1;
        repository.notBefore =
          now() +
          Math.min(
            MAX_BACK_OFF_MILLIS,
            EVERY_MILLIS * 2 ** repository.failures,
          );
      }
    }
  }

  private async askRequest(
    forge: GitForge,
    request: RequestRow,
  ): Promise<void> {
    const { number } = request.pullRequest!;
    const found = await forge.getRequest(number);
    if (!found) {
      await this.options.store.recordForgeFailure(
        [request.id],
        `Pull request ${number} of ${forge.repository} does not exist, or the token may not see it`,
      );
      return;
    }
    const facts: ForgeFacts = {
      url: found.url,
      number: found.number,
      provider: forge.provider,
      state: found.state,
      mergedBy: found.mergedBy,
      mergedAt: found.mergedAt,
      mergeCommit: found.mergeCommit,
    };
    if (found.state === 'merged') {
      facts.fileCheck = await checkFile(
        forge,
        request,
        found.mergeCommit ?? found.target,
      );
    }
    await this.options.store.recordForge(request.id, facts);
  }
}

/** The merged file against what was registered: only the same file makes entity and user count (rule 3). */
async function checkFile(
  forge: GitForge,
  { path, digest }: RequestRow,
  ref: string,
): Promise<'same' | 'changed'> {
  const content = (await forge.readFiles(ref, [path])).get(path);
  return content !== undefined && fileDigest(content) === digest
    ? 'same'
    : 'changed';
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
