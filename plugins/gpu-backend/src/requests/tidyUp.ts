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
    if (left.length === 0) {
      return;
    }
    const proposed = await this.propose(forge, left, target);
    if (proposed.state !== 'unchanged') {
      logger.info(
        `Pull request ${proposed.number} of ${forge.repository} takes ${left.length} ended Jobs out of Git`,
      );
    }
  }

  /** A merged name is never used again, so each batch after a merged one has a branch of its own. */
  private async propose(
    forge: GitForge,
    requests: RequestRow[],
    target: string,
  ) {
    const branch = await this.branchFor(forge, requests, target);
    const files = requests.map(({ path }) => path).sort();
    return proposeChange(forge, {
      target,
      branch,
      changes: files.map(path => ({ path })),
      title: `Tidy up: ${requests.length} ended GPU ${
        requests.length === 1 ? 'job' : 'jobs'
      }`,
      body: [
        'These Jobs have ended. Their files leave Git so that a cluster rebuilt from Git does not run and bill them again.',
        '',
        ...requests
          .map(
            ({ path, id, state }) => `- \`${path}\` (${state}, request ${id})`,
          )
          .sort(),
      ].join('\n'),
      onClosed: 'refuse',
    });
  }

  private async branchFor(
    forge: GitForge,
    requests: RequestRow[],
    target: string,
  ): Promise<string> {
    const { open, ended } = await forge.findRequest(BRANCH, target);
    if (open || ended?.state !== 'merged') {
      return BRANCH;
    }
    const oldest = requests.map(({ id }) => id).sort()[0];
    return `${BRANCH}-${oldest}`;
  }

  private targetOf(request: RequestRow): string | undefined {
    return this.options.configs.find(({ name }) => name === request.cluster)
      ?.gitops?.branch;
  }
}
