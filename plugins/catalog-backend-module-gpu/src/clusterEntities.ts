import {
  ANNOTATION_LOCATION,
  ANNOTATION_ORIGIN_LOCATION,
  Entity,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import {
  Cluster,
  DeviceClassOffer,
  Queue,
} from '@gpuaas/backstage-plugin-gpu-common';
import { entityName } from './entityName';

/** Everything the catalog shows of one cluster. */
export interface ClusterPicture {
  cluster: Cluster;
  offers: DeviceClassOffer[];
  queues: Queue[];
}

/**
 * Catalog entities of one cluster: itself, what it offers, and its queues with
 * the teams that own them. A device class depends on its cluster, a queue on
 * its cluster and on the classes it has quota for.
 *
 * @param owner - group that runs the fleet: owns clusters, classes and queues nobody owns.
 */
export function clusterEntities(
  { cluster, offers, queues }: ClusterPicture,
  owner: string,
): Entity[] {
  const clusterEntity = resource('gpu-cluster', {
    name: entityName(cluster.name),
    title: cluster.title,
    description: `GPU cluster (${cluster.role})`,
    location: cluster.name,
    owner,
    dependsOn: [],
    annotations: { 'gpuaas.io/cluster': cluster.name },
  });
  const clusterRef = stringifyEntityRef(clusterEntity);

  const byClass = new Map<string, DeviceClassOffer[]>();
  for (const offer of offers) {
    const { id } = offer.deviceClass;
    byClass.set(id, [...(byClass.get(id) ?? []), offer]);
  }
  const classes = [...byClass].map(([id, own]) => {
    const { deviceClass } = own[0];
    return {
      id,
      entity: resource('gpu-device-class', {
        name: entityName(cluster.name, id),
        title: `${deviceClass.title} on ${cluster.title}`,
        description: deviceClass.goodFor.join(', ') || undefined,
        location: cluster.name,
        owner,
        dependsOn: [clusterRef],
        annotations: {
          'gpuaas.io/cluster': cluster.name,
          'gpuaas.io/device-class': id,
          'gpuaas.io/flavors': own.map(({ flavor }) => flavor).join(','),
        },
      }),
    };
  });

  const queueEntities = queues.map(queue => {
    const used = new Set(queue.quotas.map(({ deviceClass }) => deviceClass));
    return resource('gpu-queue', {
      name: entityName(cluster.name, queue.namespace, queue.name),
      title: `${queue.namespace}/${queue.name} on ${cluster.title}`,
      description: `Queue of ClusterQueue ${queue.clusterQueue}`,
      location: cluster.name,
      owner: queue.owner ?? owner,
      dependsOn: [
        clusterRef,
        ...classes
          .filter(({ id }) => used.has(id))
          .map(({ entity }) => stringifyEntityRef(entity)),
      ],
      annotations: {
        'gpuaas.io/cluster': cluster.name,
        'gpuaas.io/namespace': queue.namespace,
        'gpuaas.io/queue': queue.name,
      },
    });
  });
  return [
    clusterEntity,
    ...classes.map(({ entity }) => entity),
    ...queueEntities,
  ];
}

function resource(
  type: string,
  what: {
    name: string;
    title: string;
    description?: string;
    location: string;
    owner: string;
    dependsOn: string[];
    annotations: Record<string, string>;
  },
): Entity {
  const location = `gpu:${what.location}`;
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Resource',
    metadata: {
      name: what.name,
      title: what.title,
      ...(what.description ? { description: what.description } : {}),
      annotations: {
        [ANNOTATION_LOCATION]: location,
        [ANNOTATION_ORIGIN_LOCATION]: location,
        ...what.annotations,
      },
      tags: ['gpu'],
    },
    spec: { type, owner: what.owner, dependsOn: what.dependsOn.sort() },
  };
}
