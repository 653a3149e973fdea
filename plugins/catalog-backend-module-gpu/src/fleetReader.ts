import { AuthService } from '@backstage/backend-plugin-api';
import { GpuApi, Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterPicture } from './clusterEntities';

const PAGE = 500;

/** Reads the fleet from the `gpu` backend with this plugin's own token. */
export class FleetReader {
  constructor(
    private readonly api: Pick<
      GpuApi,
      'getClusters' | 'getDeviceClasses' | 'getQueues'
    >,
    private readonly auth: AuthService,
  ) {}

  /** @throws what the backend answers. */
  async read(): Promise<Map<string, ClusterPicture>> {
    const { items: clusters } = await this.api.getClusters(
      await this.options(),
    );
    const { items: offers } = await this.api.getDeviceClasses(
      {},
      await this.options(),
    );
    const queues = await this.queues();
    return new Map(
      clusters.map(cluster => [
        cluster.name,
        {
          cluster,
          offers: offers.filter(offer => offer.cluster === cluster.name),
          queues: queues.filter(queue => queue.cluster === cluster.name),
        },
      ]),
    );
  }

  private async queues(): Promise<Queue[]> {
    const found: Queue[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.api.getQueues(
        { limit: PAGE, cursor },
        await this.options(),
      );
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    return found;
  }

  private async options() {
    return this.auth.getPluginRequestToken({
      onBehalfOf: await this.auth.getOwnServiceCredentials(),
      targetPluginId: 'gpu',
    });
  }
}
