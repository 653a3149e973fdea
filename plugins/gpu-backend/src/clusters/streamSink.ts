import { Knex } from 'knex';
import { databaseNow } from '../database/databaseClock';
import { orAborted } from './backOff';
import { BatchWriter } from './batchWriter';
import { ClusterApiError } from './clusterApi';
import { ObservationGap } from './clusterObserver';
import { ClusterPicture } from './clusterPicture';
import { FollowedResource, RESOURCE_RULES } from './followedResources';
import { KubernetesObject } from './kubernetesObject';
import { RawChange } from './rawChange';
import { ReflectedEvent, ReflectorSink } from './reflector';

/** Above this many stored-up changes a watch is held up. */
const BACKLOG_LIMIT = 10_000;

export interface StreamSinkOptions {
  knex: Knex;
  writer: BatchWriter;
  picture: ClusterPicture;
  resource: FollowedResource;
  apiVersion: string;
  /** Ends waiting for a writer that has ended. */
  signal: AbortSignal;
  onLive(): void;
  onDown(error: ClusterApiError): void;
}

/**
 * Carries what a reflector reads to the writer: trims objects, finds what a
 * list no longer names, and marks what a gap makes uncertain.
 */
export class StreamSink implements ReflectorSink {
  private seen = new Set<string>();
  private gap?: ObservationGap;
  private announced = true;

  constructor(private readonly options: StreamSinkOptions) {}

  async listStarted(): Promise<void> {
    const { knex, picture, resource } = this.options;
    this.seen = new Set();
    const stream = await knex('cluster_streams')
      .where({ cluster: picture.cluster, resource })
      .first('current_at');
    // No earlier picture, no gap: then conditions alone say what was.
    this.gap = stream && {
      cluster: picture.cluster,
      resource,
      from: stream.current_at,
      to: await databaseNow(knex),
    };
    this.announced = !this.gap;
  }

  async listPage(objects: KubernetesObject[]): Promise<void> {
    const changes = objects.map((object): RawChange => {
      this.seen.add(object.metadata.uid);
      return { type: 'listed', object: this.trim(object), gap: this.gap };
    });
    await this.storeAndWait(changes);
  }

  async listEnded(resourceVersion: string): Promise<void> {
    const gone = await this.notSeen();
    await this.storeAndWait(
      gone.map(object => ({ type: 'deleted', object, gap: this.gap })),
      resourceVersion,
    );
    this.gap = undefined;
    if (!this.options.signal.aborted) {
      this.options.picture.complete.add(this.options.resource);
    }
  }

  event({ type, object }: ReflectedEvent, resourceVersion: string): void {
    this.store([{ type, object: this.trim(object) }], resourceVersion);
  }

  bookmark(resourceVersion: string): void {
    this.store([], resourceVersion);
  }

  async ready(): Promise<void> {
    if (this.full()) {
      await this.storeAndWait([]);
    }
  }

  full(): boolean {
    return this.options.writer.backlog >= BACKLOG_LIMIT;
  }

  live(): void {
    this.options.onLive();
  }

  down(error: ClusterApiError): void {
    this.options.onDown(error);
  }

  /** @throws ClusterApiError for an object of a shape its kind does not have. */
  private trim(object: KubernetesObject): KubernetesObject {
    const { resource } = this.options;
    try {
      return RESOURCE_RULES[resource].trim(object);
    } catch (error) {
      throw new ClusterApiError(
        `${resource} ${object.metadata.name} cannot be read: ${
          (error as Error).message
        }`,
      );
    }
  }

  private store(
    changes: RawChange[],
    resourceVersion?: string,
    committed?: () => void,
  ): void {
    const { writer, resource, apiVersion } = this.options;
    const gap = this.announced ? undefined : this.gap;
    this.announced = true;
    writer.add({
      resource,
      changes,
      gap,
      position: resourceVersion ? { apiVersion, resourceVersion } : undefined,
      committed,
    });
  }

  /** Resolves when committed, or when it never will be. */
  private async storeAndWait(
    changes: RawChange[],
    resourceVersion?: string,
  ): Promise<void> {
    await orAborted(this.options.signal, resolve =>
      this.store(changes, resourceVersion, resolve),
    );
  }

  /** Stored objects that the list did not name, in their last stored state. */
  private async notSeen(): Promise<KubernetesObject[]> {
    const { knex, picture, resource } = this.options;
    const { cluster } = picture;
    if (resource === 'pods') {
      return [...picture.pods.values()]
        .filter(({ uid }) => !this.seen.has(uid))
        .map(({ uid, name, namespace }) => ({
          metadata: { uid, name, namespace },
        }));
    }
    if (resource === 'workloads') {
      const rows: Array<{ uid: string }> = await knex('workloads')
        .where({ cluster })
        .whereNull('deleted_at')
        .select('uid');
      const gone = rows
        .map(({ uid }) => uid)
        .filter(uid => !this.seen.has(uid));
      return loadObjects(gone, chunk =>
        knex('workloads').whereIn('uid', chunk).select('object'),
      );
    }
    const rows: Array<{ uid: string }> = await knex('cluster_objects')
      .where({ cluster, resource })
      .select('uid');
    const gone = rows.map(({ uid }) => uid).filter(uid => !this.seen.has(uid));
    return loadObjects(gone, chunk =>
      knex('cluster_objects')
        .where({ cluster, resource })
        .whereIn('uid', chunk)
        .select('object'),
    );
  }
}

async function loadObjects(
  uids: string[],
  load: (chunk: string[]) => Promise<Array<{ object: string }>>,
): Promise<KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (let i = 0; i < uids.length; i += 500) {
    for (const { object } of await load(uids.slice(i, i + 500))) {
      objects.push(JSON.parse(object));
    }
  }
  return objects;
}
