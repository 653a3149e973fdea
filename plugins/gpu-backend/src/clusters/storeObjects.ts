import { Knex } from 'knex';
import { Change, Delivery, QueuedJob } from './clusterObserver';
import {
  ClusterPicture,
  PICTURED_RESOURCES,
  PicturedResource,
} from './clusterPicture';
import { applicationDelivery, kustomizationDelivery } from './deliveryFacts';
import { FollowedResource } from './followedResources';
import { KubernetesObject } from './kubernetesObject';
import { RawChange } from './rawChange';

/** Rows per statement: far below the number of variables both engines take. */
const CHUNK = 100;

interface ObjectChange {
  type: Change<unknown>['type'];
  now: KubernetesObject;
  before?: KubernetesObject;
  gap?: RawChange['gap'];
}

/**
 * Stores trimmed objects in `cluster_objects`; returns what really changed:
 * an object that came again as it was is no change.
 */
export async function storeObjects(
  trx: Knex.Transaction,
  picture: ClusterPicture,
  resource: FollowedResource,
  changes: RawChange[],
): Promise<ObjectChange[]> {
  const { cluster } = picture;
  const known = await storedObjects(trx, cluster, resource, changes);
  const real: ObjectChange[] = [];
  const upserts = new Map<string, KubernetesObject>();
  const deletes = new Set<string>();
  for (const { type, object, gap } of changes) {
    const { uid } = object.metadata;
    const before = known.get(uid);
    if (type === 'deleted') {
      if (before) {
        real.push({ type, now: object, before, gap });
        known.delete(uid);
        upserts.delete(uid);
        deletes.add(uid);
      }
    } else if (!before || JSON.stringify(before) !== JSON.stringify(object)) {
      real.push({
        type: before ? 'modified' : 'added',
        now: object,
        before,
        gap,
      });
      known.set(uid, object);
      deletes.delete(uid);
      upserts.set(uid, object);
    }
  }
  const rows = [...upserts.values()].map(object => ({
    cluster,
    resource,
    uid: object.metadata.uid,
    namespace: object.metadata.namespace ?? null,
    name: object.metadata.name,
    object: JSON.stringify(object),
  }));
  for (let i = 0; i < rows.length; i += CHUNK) {
    await trx('cluster_objects')
      .insert(rows.slice(i, i + CHUNK))
      .onConflict(['cluster', 'resource', 'uid'])
      .merge(['namespace', 'name', 'object']);
  }
  const gone = [...deletes];
  for (let i = 0; i < gone.length; i += CHUNK) {
    await trx('cluster_objects')
      .where({ cluster, resource })
      .whereIn('uid', gone.slice(i, i + CHUNK))
      .delete();
  }
  if (isPictured(resource)) {
    for (const { type, now } of real) {
      if (type === 'deleted') {
        picture.objects[resource].delete(now);
      } else {
        picture.objects[resource].set(now);
      }
    }
  }
  return real;
}

/** Jobs as observers see them. */
export function jobChanges(
  cluster: string,
  changes: ObjectChange[],
): Change<QueuedJob>[] {
  const job = (object: KubernetesObject): QueuedJob => ({
    cluster,
    uid: object.metadata.uid,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    queue: object.metadata.labels?.['kueue.x-k8s.io/queue-name'] ?? '',
    annotations: object.metadata.annotations ?? {},
    createdAt: object.metadata.creationTimestamp ?? '',
    deletionTimestamp: object.metadata.deletionTimestamp,
    object,
  });
  return changes.map(({ type, now, before, gap }) => ({
    type,
    now: job(now),
    before: before && job(before),
    gap,
  }));
}

/** Applications and Kustomizations as observers see them. */
export function deliveryChanges(
  cluster: string,
  resource: 'applications' | 'kustomizations',
  changes: ObjectChange[],
): Change<Delivery>[] {
  const delivery = (object: KubernetesObject) =>
    deliveryOf(cluster, resource, object);
  return changes.map(({ type, now, before, gap }) => ({
    type,
    now: delivery(now),
    before: before && delivery(before),
    gap,
  }));
}

export function deliveryOf(
  cluster: string,
  resource: 'applications' | 'kustomizations',
  object: KubernetesObject,
): Delivery {
  return resource === 'applications'
    ? applicationDelivery(cluster, object)
    : kustomizationDelivery(cluster, object);
}

async function storedObjects(
  trx: Knex.Transaction,
  cluster: string,
  resource: FollowedResource,
  changes: RawChange[],
): Promise<Map<string, KubernetesObject>> {
  const uids = [...new Set(changes.map(({ object }) => object.metadata.uid))];
  const found = new Map<string, KubernetesObject>();
  for (let i = 0; i < uids.length; i += CHUNK) {
    const rows: Array<{ uid: string; object: string }> = await trx(
      'cluster_objects',
    )
      .where({ cluster, resource })
      .whereIn('uid', uids.slice(i, i + CHUNK))
      .select('uid', 'object');
    for (const { uid, object } of rows) {
      found.set(uid, JSON.parse(object));
    }
  }
  return found;
}

function isPictured(resource: FollowedResource): resource is PicturedResource {
  return (PICTURED_RESOURCES as readonly string[]).includes(resource);
}
