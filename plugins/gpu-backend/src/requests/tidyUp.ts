import { LoggerService, SchedulerService } from '@backstage/backend-plugin-api';
import { GitForge, proposeChange } from '@gpuaas/backstage-plugin-gpu-node';
import { ClusterConfig } from '../clusters/clusterConfig';
import { RequestRow, RequestStore } from './requestStore';

const BRANCH = 'gpu/tidy-up';

/**
 * Takes the files of requests whose Job has ended out of Git, in one pull
 * request a repository: a cluster rebuilt from Git must not run and bill them
 * again. A reviewer merges it like any other.
 */
export class TidyUp {
  constructor(
    private readonly options: {
      store: RequestStore;
      forgeOf: (repoUrl: string) => GitForge;
      configs: ClusterConfig[];
      /** Milliseconds after its end for which a Job's file stays in Git. */
      graceMillis: number;
      /** Milliseconds between two looks. */
      everyMillis: number;
      logger: LoggerService;
      now?: () => number;
    },
  ) {}

  async start(scheduler: SchedulerService): Promise<void> {
    await scheduler.scheduleTask({
      id: 'gpu-tidy-up',
      frequency: { milliseconds: this.options.everyMillis },
      timeout: { minutes: 2 },
      initialDelay: { seconds: 30 },
      scope: 'global',
      fn: () => this.round(),
    });
  }

  /** One look at every repository; one that fails keeps nobody else waiting. */
  async round(): Promise<void> {
    const { store, graceMillis, logger } = this.options;
    const now = (this.options.now ?? Date.now)();
    const ended = await store.listTidiable(
      new Date(now - graceMillis).toISOString(),
    );
    const byTarget = new Map<string, RequestRow[]>();
    for (const request of ended) {
      const target = `${request.repoUrl}#${this.targetOf(request) ?? ''}`;
      byTarget.set(target, [...(byTarget.get(target) ?? []), request]);
    }
    for (const [target, requests] of byTarget) {
      const branch = this.targetOf(requests[0]);
      if (branch) {
        await this.tidy(requests, branch).catch(error =>
          logger.warn(
            `Tidying up ${target} failed and will be tried again`,
            error,
          ),
        );
      }
    }
  }

  private async tidy(requests: RequestRow[], target: string): Promise<void> {
    const { store, forgeOf, logger } = this.options;
    const forge = forgeOf(requests[0].repoUrl);
    const inGit = await forge.readFiles(
      target,
      requests.map(({ path }) => path),
    );
    await store.recordFileGone(
      requests
        .filter(({ path }) => inGit.get(path) === undefined)
        .map(({ id }) => id),
    );
    const left = requests.filter(({ path }) => inGit.get(path) !== undefined);
    const { branch, taken } = await this.batchOf(forge, left, target);
    if (taken.length === 0) {
      return;
    }
    // Noted before it is used: a crash in between finds the same branch again.
    await store.recordTidyBranch(
      taken.map(({ id }) => id),
      branch,
    );
    const proposed = await propose(forge, taken, { target, branch });
    if (proposed.state !== 'unchanged') {
      logger.info(
        `Pull request ${proposed.number} of ${forge.repository} takes ${taken.length} ended Jobs out of Git`,
      );
    }
  }

  /**
   * The open pull request takes up what has ended since. What a reviewer has
   * refused is not proposed again; a merged name is never used again.
   */
  private async batchOf(
    forge: GitForge,
    requests: RequestRow[],
    target: string,
  ): Promise<{ branch: string; taken: RequestRow[] }> {
    const fresh = requests.filter(({ tidyBranch }) => !tidyBranch);
    const known = new Set(
      requests.flatMap(({ tidyBranch }) => tidyBranch ?? []),
    );
    for (const branch of known) {
      const { open, ended } = await forge.findRequest(branch, target);
      if (open || !ended) {
        const old = requests.filter(({ tidyBranch }) => tidyBranch === branch);
        return { branch, taken: [...old, ...fresh] };
      }
    }
    return { branch: `${BRANCH}-${fresh[0]?.id}`, taken: fresh };
  }

  private targetOf(request: RequestRow): string | undefined {
    return this.options.configs.find(({ name }) => name === request.cluster)
      ?.gitops?.branch;
  }
}

function propose(
  forge: GitForge,
  requests: RequestRow[],
  { target, branch }: { target: string; branch: string },
) {
  return proposeChange(forge, {
    target,
    branch,
    changes: requests
      .map(({ path }) => path)
      .sort()
      .map(path => ({ path })),
    title: `Tidy up: ${requests.length} ended GPU ${
      requests.length === 1 ? 'job' : 'jobs'
    }`,
    body: [
      'These Jobs have ended. Their files leave Git so that a cluster rebuilt from Git does not run and bill them again.',
      '',
      ...requests
        .map(({ path, id, state }) => `- \`${path}\` (${state}, request ${id})`)
        .sort(),
    ].join('\n'),
    onClosed: 'refuse',
  });
}
