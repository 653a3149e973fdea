import { Knex } from 'knex';
import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import { PodRow, podOfRow } from '../database/podRows';
import { WorkloadRow } from '../database/workloadRows';
import { GpuPod } from './clusterObserver';
import { FollowedResource } from './followedResources';
import { KubernetesObject } from './kubernetesObject';
import { userText } from './userText';
import { ENDED_PHASES } from './workloadFacts';

/** Kinds few enough to be held in memory whole. */
export const PICTURED_RESOURCES = [
  'namespaces',
  'nodes',
  'resourceflavors',
  'workloadpriorityclasses',
  'cohorts',
  'clusterqueues',
  'localqueues',
] as const;

export type PicturedResource = (typeof PICTURED_RESOURCES)[number];

export const OWNER_ANNOTATION = 'gpuaas.io/owner';

/** Objects of one kind, by uid and by name. */
class Collection {
  private readonly byUid = new Map<string, KubernetesObject>();
  private readonly byName = new Map<string, KubernetesObject>();

  get(uid: string): KubernetesObject | undefined {
    return this.byUid.get(uid);
  }

  named(name: string, namespace = ''): KubernetesObject | undefined {
    return this.byName.get(`${namespace}/${name}`);
  }

  values(): KubernetesObject[] {
    return [...this.byUid.values()];
  }

  set(object: KubernetesObject): void {
    const { uid, name, namespace = '' } = object.metadata;
    this.byUid.set(uid, object);
    this.byName.set(`${namespace}/${name}`, object);
  }

  delete({ metadata: { uid, name, namespace = '' } }: KubernetesObject): void {
    this.byUid.delete(uid);
    // A successor of the same name may be there already (relist).
    if (this.byName.get(`${namespace}/${name}`)?.metadata.uid === uid) {
      this.byName.delete(`${namespace}/${name}`);
    }
  }
}

/** A Workload that has not ended, with its row as stored. */
export interface LiveWorkload {
  object: KubernetesObject;
  row: WorkloadRow;
}

/**
 * What the holder of a cluster's lease keeps in memory: the small kinds, live
 * Workloads and GPU pods, always as committed. It is loaded from the database
 * when the lease is taken and thrown away when a transaction fails.
 */
export class ClusterPicture {
  readonly objects = Object.fromEntries(
    PICTURED_RESOURCES.map(resource => [resource, new Collection()]),
  ) as Record<PicturedResource, Collection>;
  readonly workloads = new Map<string, LiveWorkload>();
  readonly pods = new Map<string, GpuPod>();
  /** Device class id by flavor and resource: see `classKey`. */
  deviceClasses = new Map<string, string>();
  /** Resources whose first list is complete: only then is "there is none" known. */
  readonly complete = new Set<FollowedResource>();

  constructor(readonly cluster: string) {}

  static async load(knex: Knex, cluster: string): Promise<ClusterPicture> {
    const picture = new ClusterPicture(cluster);
    const streams = await knex('cluster_streams').where({ cluster });
    for (const { resource } of streams) {
      picture.complete.add(resource);
    }
    const objects: Array<{ resource: PicturedResource; object: string }> =
      await knex('cluster_objects')
        .where({ cluster })
        .whereIn('resource', [...PICTURED_RESOURCES])
        .select('resource', 'object');
    for (const { resource, object } of objects) {
      picture.objects[resource].set(JSON.parse(object));
    }
    const workloads: WorkloadRow[] = await knex('workloads')
      .where({ cluster })
      .whereNotIn('phase', ENDED_PHASES)
      .select();
    for (const row of workloads) {
      picture.workloads.set(row.uid, { row, object: JSON.parse(row.object) });
    }
    const pods: PodRow[] = await knex('gpu_pods').where({ cluster }).select();
    for (const row of pods) {
      picture.pods.set(row.uid, podOfRow(row));
    }
    const offers: Array<{ data: string }> = await knex('device_offers')
      .where({ cluster })
      .select('data');
    for (const { data } of offers) {
      const { flavor, deviceClass } = JSON.parse(data);
      picture.deviceClasses.set(
        classKey(flavor, deviceClass.resourceName),
        deviceClass.id,
      );
    }
    return picture;
  }

  localQueue(
    namespace: string,
    name: string | undefined,
  ): KubernetesObject | undefined {
    return name ? this.objects.localqueues.named(name, namespace) : undefined;
  }

  clusterQueue(name: string | undefined): KubernetesObject | undefined {
    return name ? this.objects.clusterqueues.named(name) : undefined;
  }

  /**
   * Owner of a queue: the LocalQueue's annotation wins over its namespace's;
   * both are the platform's to write. Undefined: nobody owns it.
   */
  owner(namespace: string, queue: string | undefined): string | undefined {
    const annotated = (object: KubernetesObject | undefined) =>
      object?.metadata.annotations?.[OWNER_ANNOTATION];
    return groupRef(
      annotated(this.localQueue(namespace, queue)) ??
        annotated(this.objects.namespaces.named(namespace)),
    );
  }
}

export function classKey(flavor: string, resource: string): string {
  return `${flavor} ${resource}`;
}

/** `team-07` and `group:default/team-07` are the same owner; anything unreadable is nobody. */
function groupRef(annotation: string | undefined): string | undefined {
  if (!annotation) {
    return undefined;
  }
  try {
    return userText(
      stringifyEntityRef(
        parseEntityRef(annotation.trim(), {
          defaultKind: 'group',
          defaultNamespace: 'default',
        }),
      ),
    );
  } catch {
    return undefined;
  }
}
