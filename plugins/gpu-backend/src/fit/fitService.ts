import { BackstageCredentials } from '@backstage/backend-plugin-api';
import { InputError, ServiceUnavailableError } from '@backstage/errors';
import { FitAnswer, FitQuery } from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterStore } from '../clusters/clusterStore';
import { Access } from '../permissions/access';
import { best, clusterFit } from './clusterFit';
import { FitPictures } from './fitPictures';

/** Will it fit: what `POST /v1/fit` does. */
export class FitService {
  private readonly pictures: FitPictures;

  constructor(
    private readonly options: {
      clusters: Pick<
        ClusterStore,
        'listClusters' | 'getQueue' | 'snapshotForFit'
      >;
      access: Pick<Access, 'requireQueueUse'>;
    },
  ) {
    this.pictures = new FitPictures(options.clusters);
  }

  /**
   * @throws InputError for what cannot be asked, NotAllowedError for another
   * team's queue, ServiceUnavailableError for a cluster never read.
   */
  async answer(
    query: FitQuery,
    credentials: BackstageCredentials,
  ): Promise<FitAnswer> {
    if ((query.deviceClass === undefined) === (query.fraction === undefined)) {
      throw new InputError(
        `deviceClass and fraction are ${
          query.fraction ? 'both given' : 'both missing'
        }; accepted is one of them`,
      );
    }
    const units = query.count * (query.pods ?? 1);
    const nowhere = { verdict: 'never' as const, units, borrows: 0 };
    const known = await this.options.clusters.listClusters();
    const asked = known.filter(
      ({ name }) => query.cluster === undefined || name === query.cluster,
    );
    if (asked.length === 0) {
      return {
        ...nowhere,
        reason: 'cluster-unknown',
        sentence: `There is no cluster "${query.cluster}"; accepted: ${known
          .map(({ name }) => name)
          .join(', ')}`,
      };
    }
    const answers: FitAnswer[] = [];
    let unread = 0;
    let refused: unknown;
    for (const { name } of asked) {
      const queue = await this.options.clusters.getQueue(
        name,
        query.namespace,
        query.queue,
      );
      if (!queue) {
        const cluster = asked.find(one => one.name === name);
        unread += cluster?.freshAt === undefined ? 1 : 0;
        continue;
      }
      try {
        await this.options.access.requireQueueUse(credentials, queue);
      } catch (error) {
        refused = error;
        continue;
      }
      const answer = await this.pictures.use(name, picture =>
        clusterFit(picture, queue, query),
      );
      if (answer) {
        answers.push(answer);
      } else {
        unread += 1;
      }
    }
    if (answers.length > 0) {
      return best(answers);
    }
    if (refused) {
      throw refused;
    }
    if (unread === asked.length) {
      throw new ServiceUnavailableError(
        `${asked.map(({ name }) => name).join(', ')} was never read so far`,
      );
    }
    return {
      ...nowhere,
      cluster: query.cluster,
      reason: 'queue-missing',
      sentence: `There is no queue "${query.queue}" in namespace "${
        query.namespace
      }"${
        query.cluster ? ` on ${query.cluster}` : ' on any cluster'
      }; accepted: ${await this.whereElse(query, known, credentials)}`,
    };
  }

  /** Other clusters where the caller may use that queue, or what else could be meant. */
  private async whereElse(
    { namespace, queue, cluster }: FitQuery,
    known: Array<{ name: string }>,
    credentials: BackstageCredentials,
  ): Promise<string> {
    const usable: string[] = [];
    for (const { name } of known.filter(one => one.name !== cluster)) {
      const found = await this.options.clusters.getQueue(
        name,
        namespace,
        queue,
      );
      const mayUse =
        found &&
        (await this.options.access.requireQueueUse(credentials, found).then(
          () => true,
          () => false,
        ));
      if (mayUse) {
        usable.push(name);
      }
    }
    return usable.length > 0
      ? `cluster ${usable.join(' or ')}`
      : 'a queue of your team, by its namespace and name';
  }
}
