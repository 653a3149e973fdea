import assert from 'node:assert/strict';
import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import { batchJobValues, BATCH_JOB_TEMPLATE } from '../demo/batchJob';
import { Addresses, addressesFromEnvironment } from '../portal/addresses';
import { ForgeClient } from '../portal/forgeClient';
import { offerFor } from '../portal/offers';
import { PortalClient, TaskResult } from '../portal/portalClient';
import { until } from '../portal/until';
import { workloadDifference } from './workloadDifference';

/** Longest wait for anything a healthy portal does; the machine may be busy. */
export const PATIENCE = { timeoutMs: 120_000, everyMs: 250 };

/** How long a Job runs: long enough for a metric sample. */
export const SECONDS = 8;

/** The people of a running portal, and what they do there on the way of one request. */
export class Journey {
  private constructor(
    readonly addresses: Addresses,
    readonly mira: PortalClient,
    readonly pavel: PortalClient,
    /** The GitOps repository, as Pavel. */
    readonly forge: ForgeClient,
    readonly forgeAsMira: ForgeClient,
    /** Device class of whole GPUs on spoke-a. */
    readonly deviceClass: string,
  ) {}

  static async start(): Promise<Journey> {
    const addresses = addressesFromEnvironment();
    const mira = await PortalClient.signIn(addresses.portal, 'mira');
    const pavel = await PortalClient.signIn(addresses.portal, 'pavel');
    const { deviceClass } = await offerFor(mira, 'spoke-a', 'team-07');
    const [forge, forgeAsMira] = ['pavel', 'mira'].map(
      person =>
        new ForgeClient(
          addresses.forge,
          'platform/gpu-fleet',
          `sandbox-${person}`,
        ),
    );
    return new Journey(
      addresses,
      mira,
      pavel,
      forge,
      forgeAsMira,
      deviceClass.id,
    );
  }

  /** Mira sends the form; the answer is the request's id. */
  ask(answers: Record<string, unknown> = {}): Promise<string> {
    return this.mira.startTemplate(BATCH_JOB_TEMPLATE, {
      ...batchJobValues({ deviceClass: this.deviceClass, seconds: SECONDS }),
      ...answers,
    });
  }

  /** The task's end, followed by its event stream. */
  ended(id: string, person = this.mira): Promise<TaskResult> {
    return person.followTask(id, AbortSignal.timeout(PATIENCE.timeoutMs));
  }

  /** Ids of Mira's tasks of a short name, also those whose id nobody was told. */
  async tasksOf(name: string): Promise<string[]> {
    const tasks = await this.mira.tasks();
    return tasks
      .filter(({ spec }) => spec.parameters.name === name)
      .map(({ id }) => id);
  }

  /** The Scaffolder takes a task up again by itself; one that failed is retried by its owner. */
  async bringToEnd(id: string): Promise<void> {
    await until(
      `Task ${id} completes`,
      async () => {
        const status = await this.mira.taskStatus(id).catch(() => undefined);
        if (status === 'failed') await this.mira.retryTask(id);
        return status === 'completed';
      },
      PATIENCE,
    );
  }

  /** Asks, and expects a pull request. */
  async askForPullRequest(
    answers: Record<string, unknown> = {},
  ): Promise<GpuRequest> {
    const id = await this.ask(answers);
    const task = await this.ended(id);
    assert.equal(task.status, 'completed', task.error);
    return this.withPullRequest(id);
  }

  withPullRequest(id: string, person = this.mira): Promise<GpuRequest> {
    return until(
      `Request ${id} has a pull request`,
      async () => {
        const request = await person.gpu.getRequest(id);
        return request.pullRequest && request;
      },
      PATIENCE,
    );
  }

  /** Asks and has it merged; the request's id. */
  async merged(answers: Record<string, unknown> = {}): Promise<string> {
    const request = await this.askForPullRequest(answers);
    await this.merge(request);
    return request.id;
  }

  /** Pavel approves and merges. */
  async merge({ pullRequest }: GpuRequest): Promise<void> {
    await this.forge.approve(pullRequest!.number, 'Within quota.');
    await this.forge.merge(pullRequest!.number);
  }

  /** The request once `holds` is true of it. */
  request(
    id: string,
    what: string,
    holds: (request: GpuRequest) => boolean,
    person = this.mira,
  ): Promise<GpuRequest> {
    let latest: GpuRequest | undefined;
    return until(
      `Request ${id} ${what}`,
      async () => {
        latest = await person.gpu.getRequest(id);
        return holds(latest) && latest;
      },
      PATIENCE,
    ).catch(error => {
      throw new Error(`${error.message}: ${JSON.stringify(latest)}`);
    });
  }

  /** The request with all of its eight steps. */
  completed(id: string): Promise<GpuRequest> {
    return this.request(id, 'has eight steps', ({ steps }) =>
      steps.every(({ at }) => at),
    );
  }

  /**
   * The request went its whole way exactly once: one branch, one file, one
   * pull request, eight steps in causal order, one ledger interval.
   */
  async wentOnce(id: string): Promise<GpuRequest> {
    const request = await this.completed(id);
    // Not in the order of the list: after an outage the ledger books later than Kueue released.
    assert.deepEqual(
      request.steps.filter(step => step.clockSkewSeconds),
      [],
      'a step is earlier than its cause',
    );
    assert.equal(request.state, 'succeeded');
    await this.isOneChange(request);
    const { items } = await this.mira.gpu.getIntervals({ requestId: id });
    assert.deepEqual(
      items.map(({ kind, workloadUid }) => ({ kind, workloadUid })),
      [{ kind: 'allocated', workloadUid: request.workload!.uid }],
    );
    return request;
  }

  /** Every Workload of the cluster is known with the phase it has there, and no other as live. */
  async sameWorkloads(cluster: 'spoke-a' | 'spoke-b'): Promise<void> {
    let difference: string[] = [];
    await until(
      `${cluster} and its picture agree`,
      async () => {
        difference = await workloadDifference(
          this.pavel.gpu,
          this.addresses[cluster],
          cluster,
        );
        return difference.length === 0;
      },
      PATIENCE,
    ).catch(error => {
      throw new Error(
        `${error.message}: ${difference.slice(0, 10).join('; ')}`,
      );
    });
  }

  /** The portal is up again, clusters included. */
  async portalAnswers(): Promise<void> {
    await until(
      'The portal answers',
      async () => {
        const response = await fetch(
          `${this.addresses.portal}/.backstage/health/v1/readiness`,
        ).catch(() => undefined);
        return response?.ok;
      },
      PATIENCE,
    );
  }

  /** One branch, one file and one pull request carry the request. */
  async isOneChange({ name, file, pullRequest }: GpuRequest): Promise<void> {
    const branches = (await this.forge.branches()).filter(branch =>
      branch.endsWith(`/${name}`),
    );
    assert.equal(branches.length, 1, `branches of ${name}: ${branches}`);
    const pullRequests = await this.forge.pullRequestsOf(branches[0]);
    assert.deepEqual(
      pullRequests.map(({ number }) => number),
      [pullRequest!.number],
    );
    const folder = file.path.slice(0, file.path.lastIndexOf('/'));
    const files = await this.forge.files(folder, branches[0]);
    assert.equal(files.filter(one => one === `${name}.yaml`).length, 1);
  }
}
