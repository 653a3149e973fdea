import {
  AuthService,
  BackstageCredentials,
} from '@backstage/backend-plugin-api';
import {
  ConflictError,
  InputError,
  NotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
} from '@backstage/errors';
import { ScaffolderService } from '@backstage/plugin-scaffolder-node';
import {
  GpuRequest,
  gpuRequestCreatePermission,
  Queue,
  RequestRegistration,
} from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterConfig } from '../clusters/clusterConfig';
import { ClusterStore } from '../clusters/clusterStore';
import { Access } from '../permissions/access';
import { RequestStore } from './requestStore';
import { RequestViews } from './requestViews';
import { taskFacts } from './scaffolderTask';
import { TaskFacts, TaskStore } from './taskStore';

/** Registers requests: what `PUT /v1/requests/{id}` does. */
export class RequestRegistrar {
  constructor(
    private readonly options: {
      store: RequestStore;
      tasks: TaskStore;
      views: RequestViews;
      clusters: ClusterStore;
      configs: ClusterConfig[];
      access: Access;
      auth: AuthService;
      scaffolder: Pick<ScaffolderService, 'getTask'>;
    },
  ) {}

  /**
   * @throws InputError for what no request can be, NotAllowedError for another's
   * task or queue, NotFoundError for no task, ConflictError for another Job.
   */
  async register(
    id: string,
    registration: RequestRegistration,
    credentials: BackstageCredentials,
  ): Promise<GpuRequest> {
    const { access, store, views } = this.options;
    await access.require(credentials, gpuRequestCreatePermission);
    checkFile(registration, this.options.configs);
    const queue = await this.queueOf(registration);
    await access.requireQueueUse(credentials, queue);
    const task = await this.taskOf(id);
    const requester = task.createdBy;
    if (!requester || !task.createdAt) {
      throw new ConflictError(
        `id is "${id}", a task that no user started; accepted is a task of a user`,
      );
    }
    const caller = await access.caller(credentials);
    if (caller && caller.userEntityRef !== requester) {
      throw new NotAllowedError(
        `id is "${id}", a task of somebody else; accepted is a task of your own`,
      );
    }
    await store.register(id, normalised(registration), {
      requester,
      createdAt: task.createdAt,
      team: queue.owner,
    });
    return (await views.get(id))!;
  }

  private async queueOf(registration: RequestRegistration): Promise<Queue> {
    const { cluster, namespace, queue } = registration;
    const found = await this.options.clusters.getQueue(
      cluster,
      namespace,
      queue,
    );
    if (!found) {
      throw new InputError(
        `queue is "${queue}", which is not known in namespace "${namespace}" of ${cluster}; accepted is a LocalQueue of that namespace`,
      );
    }
    return found;
  }

  /** From the Scaffolder itself unless an earlier look told all: a stamp never changes. */
  private async taskOf(id: string): Promise<TaskFacts> {
    const known = await this.options.tasks.get(id);
    if (known?.createdAt && known.createdBy) {
      return known;
    }
    try {
      const task = taskFacts(
        await this.options.scaffolder.getTask(
          { taskId: id },
          { credentials: await this.options.auth.getOwnServiceCredentials() },
        ),
      );
      await this.options.tasks.record(task);
      return task;
    } catch (error) {
      const status = (error as { statusCode?: number }).statusCode;
      if (status === 404 || (error as Error).name === 'NotFoundError') {
        throw new NotFoundError(
          `id is "${id}", which is no task of the Scaffolder; accepted is the id of a task`,
        );
      }
      throw new ServiceUnavailableError(
        'The Scaffolder cannot be asked for the task just now',
        error,
      );
    }
  }
}

/** The file is the one a request of this name has: nobody can point at another's. */
function checkFile(
  { cluster, namespace, name, file }: RequestRegistration,
  configs: ClusterConfig[],
): void {
  const config = configs.find(one => one.name === cluster);
  const requestable = configs.filter(one => one.gitops).map(one => one.name);
  if (!config?.gitops) {
    throw new InputError(
      `cluster is "${cluster}"; accepted is one that has gitops: ${requestable.join(
        ', ',
      )}`,
    );
  }
  const path = `${config.gitops.path}/${namespace}/${name}.yaml`;
  if (file.path !== path) {
    throw new InputError(`file.path is "${file.path}"; accepted is "${path}"`);
  }
  if (file.branch !== config.gitops.branch) {
    throw new InputError(
      `file.branch is "${file.branch}"; accepted is "${config.gitops.branch}", the branch ${cluster} is delivered from`,
    );
  }
  if (!sameRepository(file.repoUrl, config.gitops.repoUrl)) {
    throw new InputError(
      `file.repoUrl is "${file.repoUrl}"; accepted is "${config.gitops.repoUrl}", the repository of ${cluster}`,
    );
  }
}

/** Host, owner and repo are the same, however the parameters are ordered. */
function sameRepository(one: string, other: string): boolean {
  const parts = (repoUrl: string) => {
    const address = `https://${repoUrl}`;
    if (!URL.canParse(address)) {
      return undefined;
    }
    const url = new URL(address);
    return [
      url.host,
      url.searchParams.get('owner'),
      url.searchParams.get('repo'),
    ].join('/');
  };
  return parts(one) !== undefined && parts(one) === parts(other);
}

function normalised(registration: RequestRegistration): RequestRegistration {
  return {
    ...registration,
    entity: registration.entity.toLocaleLowerCase('en-US'),
  };
}
