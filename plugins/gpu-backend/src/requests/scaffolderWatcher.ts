import {
  AuthService,
  LoggerService,
  SchedulerService,
} from '@backstage/backend-plugin-api';
import { EventsService } from '@backstage/plugin-events-node';
import { ScaffolderService } from '@backstage/plugin-scaffolder-node';
import { RequestStore } from './requestStore';
import { asksForGpus, ScaffolderTaskLike, taskFacts } from './scaffolderTask';
import { TaskStore } from './taskStore';

const PAGE = 100;

/**
 * Learns of Scaffolder tasks that ask for GPUs: at once from events, and, since
 * events are lost while we are down, from the newest tasks every minute.
 */
export class ScaffolderWatcher {
  constructor(
    private readonly options: {
      tasks: TaskStore;
      store: RequestStore;
      events: EventsService;
      scaffolder: Pick<ScaffolderService, 'listTasks'>;
      auth: AuthService;
      scheduler: SchedulerService;
      logger: LoggerService;
    },
  ) {}

  async start(): Promise<void> {
    const { events, scheduler, logger } = this.options;
    await events.subscribe({
      id: 'gpu-requests',
      topics: ['scaffolder.task'],
      onEvent: async ({ eventPayload }) => {
        await this.onEvent(eventPayload as any);
      },
    });
    await scheduler.scheduleTask({
      id: 'gpu-scaffolder-reconciliation',
      frequency: { minutes: 1 },
      timeout: { minutes: 1 },
      initialDelay: { seconds: 10 },
      fn: async () => {
        await this.reconcile().catch(error =>
          logger.warn('The Scaffolder cannot be asked for its tasks', error),
        );
      },
    });
  }

  /** `completed` and `failed` carry no spec; `cancelled` has the task in `taskId`. */
  async onEvent(
    payload: ScaffolderTaskLike & { taskId?: string },
  ): Promise<void> {
    const { tasks } = this.options;
    const id = payload.taskId ?? payload.id;
    if (asksForGpus(payload) || (await tasks.get(String(id)))) {
      await this.record({ ...payload, id: String(id) });
    }
  }

  async reconcile(): Promise<void> {
    const { scaffolder, auth, tasks } = this.options;
    const { items } = await scaffolder.listTasks(
      { limit: PAGE },
      { credentials: await auth.getOwnServiceCredentials() },
    );
    for (const task of items as ScaffolderTaskLike[]) {
      if (asksForGpus(task)) {
        const known = await tasks.get(task.id);
        if (known?.status !== task.status || !known?.createdAt) {
          await this.record(task);
        }
      }
    }
  }

  private async record(task: ScaffolderTaskLike): Promise<void> {
    await this.options.tasks.record(taskFacts(task));
    await this.options.store.recordTaskStatus(task.id, task.status);
  }
}
