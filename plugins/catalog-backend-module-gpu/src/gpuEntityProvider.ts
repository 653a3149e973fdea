import { LoggerService } from '@backstage/backend-plugin-api';
import {
  EntityProvider,
  EntityProviderConnection,
} from '@backstage/plugin-catalog-node';
import { ClusterPicture, clusterEntities } from './clusterEntities';

/**
 * Entities of one cluster. Each cluster has a provider of its own, so that a
 * full mutation replaces that cluster's set only; while the cluster cannot be
 * read nothing is mutated, and its last good set stays.
 */
export class GpuEntityProvider implements EntityProvider {
  private connection?: EntityProviderConnection;
  private last = '';

  constructor(
    private readonly cluster: string,
    private readonly owner: string,
    private readonly logger: LoggerService,
  ) {}

  getProviderName(): string {
    return `gpu:${this.cluster}`;
  }

  async connect(connection: EntityProviderConnection): Promise<void> {
    this.connection = connection;
  }

  /** @param picture - undefined when it could not be read. */
  async update(picture: ClusterPicture | undefined): Promise<void> {
    if (!this.connection || !picture || !isWhole(picture)) {
      return;
    }
    const entities = clusterEntities(picture, this.owner);
    const content = JSON.stringify(entities);
    if (content === this.last) {
      return;
    }
    await this.connection.applyMutation({
      type: 'full',
      entities: entities.map(entity => ({
        entity,
        locationKey: this.getProviderName(),
      })),
    });
    this.last = content;
    this.logger.debug(`${this.cluster}: ${entities.length} entities`);
  }
}

/** A cluster that was never read, or is not connected, has no list to trust. */
function isWhole({ cluster }: ClusterPicture): boolean {
  return (
    cluster.freshAt !== undefined &&
    (cluster.state === 'connected' || cluster.state === 'no-kueue')
  );
}
