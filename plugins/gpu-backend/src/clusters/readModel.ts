import {
  DeviceClassOffer,
  DeviceInventory,
  deviceInventory,
  FlavorPart,
} from '@gpuaas/backstage-plugin-gpu-common';
import { LoggerService } from '@backstage/backend-plugin-api';
import { Knex } from 'knex';
import { databaseNow } from '../database/databaseClock';
import { DerivedRows } from '../database/derivedRows';
import { pause } from './backOff';
import { BatchWriter } from './batchWriter';
import { classKey, ClusterPicture } from './clusterPicture';
import { FollowedResource } from './followedResources';
import { WorkloadRow } from '../database/workloadRows';
import { queueFacts } from './queueFacts';
import { findStandIns } from './standIns';
import { refreshWorkloads } from './storeWorkloads';
import { sourcesOf } from './workloadDerivation';

/** An offer as stored: what depends on the question or the moment is added when it is read. */
export type StoredOffer = Omit<
  DeviceClassOffer,
  'freshAt' | 'freeForQueue' | 'potentialForQueue'
>;

const MATTERS_TO_DEVICES: FollowedResource[] = [
  'nodes',
  'pods',
  'resourceflavors',
];

const MATTERS_TO_NOTHING: FollowedResource[] = [
  'jobs',
  'applications',
  'kustomizations',
];

/**
 * What is derived from a cluster's picture as a whole, and stored so that
 * every replica answers from the database: device classes with what is free,
 * queues with their quota, and what a Workload is because of its neighbours.
 * Follows a change after a short while, so that a burst is derived once.
 */
export class ReadModel {
  private readonly offers: DerivedRows;
  private readonly queues: DerivedRows;
  private devicesTouched = true;
  /** What each row was last derived with; a row that is replaced is not in it. */
  private readonly settledWith = new WeakMap<WorkloadRow, string>();
  private touch: () => void = () => {};
  private stale = true;
  private warned = '';

  constructor(
    private readonly picture: ClusterPicture,
    private readonly writer: BatchWriter,
    private readonly delayMillis: number,
    private readonly logger: LoggerService,
  ) {
    this.offers = new DerivedRows(
      'device_offers',
      ['cluster', 'device_class', 'flavor'],
      picture.cluster,
    );
    this.queues = new DerivedRows(
      'local_queues',
      ['cluster', 'namespace', 'queue'],
      picture.cluster,
    );
  }

  touched(changed: Set<FollowedResource>): void {
    if ([...changed].some(what => MATTERS_TO_DEVICES.includes(what))) {
      this.devicesTouched = true;
    }
    if ([...changed].some(what => !MATTERS_TO_NOTHING.includes(what))) {
      this.stale = true;
      this.touch();
    }
  }

  /** @throws what the writer throws. */
  async run(signal: AbortSignal): Promise<void> {
    const wake = () => this.touch();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        if (this.stale) {
          await pause(this.delayMillis, signal);
          if (!signal.aborted) {
            await this.deriveNow();
          }
        } else {
          await new Promise<void>(resolve => {
            this.touch = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  /** Derives without waiting for the delay. @throws what the writer throws. */
  async deriveNow(): Promise<void> {
    this.stale = false;
    await this.writer.do(trx => this.derive(trx));
  }

  private async derive(trx: Knex.Transaction): Promise<void> {
    const { picture } = this;
    if (this.devicesTouched) {
      this.devicesTouched = false;
      await this.deriveDevices(trx);
    }
    await this.refresh(trx);
    await this.queues.replace(
      trx,
      queueFacts(picture, message => this.warn(message)).map(queue => ({
        cluster: queue.cluster,
        namespace: queue.namespace,
        queue: queue.name,
        team: queue.owner ?? null,
        data: JSON.stringify(queue),
      })),
    );
  }

  /** Once, not with every pass. */
  private warn(message: string): void {
    if (message !== this.warned) {
      this.logger.warn(`${this.picture.cluster}: ${message}`);
      this.warned = message;
    }
  }

  /**
   * Derives anew what came out with other sources, another stand-in, or before
   * time passed: of tens of thousands that wait, mostly none.
   */
  private async refresh(trx: Knex.Transaction): Promise<void> {
    const { picture, settledWith } = this;
    const sources = sourcesOf(picture);
    const standIn = findStandIns(picture);
    const inputs = new Map<string, string>();
    for (const { row } of picture.workloads.values()) {
      const other = standIn(row.uid);
      const input = other
        ? `${sources} ${other.relation} ${other.reason} ${other.message}`
        : sources;
      if (row.phase === 'backing-off' || settledWith.get(row) !== input) {
        inputs.set(row.uid, input);
      }
    }
    const now = await databaseNow(trx);
    const changes = await refreshWorkloads(
      trx,
      picture,
      inputs.keys(),
      this.writer.context(now),
      { standIn },
    );
    for (const [uid, input] of inputs) {
      const live = picture.workloads.get(uid);
      if (live) {
        settledWith.set(live.row, input);
      }
    }
    await this.writer.tellWorkloads(changes, trx);
  }

  /** Undefined when the devices of a node cannot be read: what is stored stays. */
  private readDevices(): DeviceInventory | undefined {
    const { picture } = this;
    try {
      return deviceInventory({
        flavors: picture.objects.resourceflavors.values() as FlavorPart[],
        nodes: picture.objects.nodes.values(),
        pods: [...picture.pods.values()].map(
          ({ name, namespace, node, phase, gpus }) => ({
            metadata: { name, namespace },
            spec: {
              nodeName: node,
              containers: [{ resources: { requests: gpus } }],
            },
            status: { phase },
          }),
        ),
      });
    } catch (error) {
      this.warn(`Devices cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  private async deriveDevices(trx: Knex.Transaction): Promise<void> {
    const { picture } = this;
    const { cluster } = picture;
    const inventory = this.readDevices();
    if (!inventory) {
      return;
    }
    picture.deviceClasses = new Map(
      inventory.stock.map(({ flavor, deviceClass }) => [
        classKey(flavor, deviceClass.resourceName),
        deviceClass.id,
      ]),
    );
    await this.offers.replace(
      trx,
      inventory.stock.map(stock => {
        const offer: StoredOffer = {
          deviceClass: stock.deviceClass,
          cluster,
          flavor: stock.flavor,
          nodeLabels: stock.nodeLabels,
          nodes: stock.nodes,
          total: stock.total,
          free: stock.free,
        };
        return {
          cluster,
          device_class: stock.deviceClass.id,
          flavor: stock.flavor,
          data: JSON.stringify(offer),
        };
      }),
    );
    await trx('clusters')
      .where({ name: cluster })
      .update({
        physical_gpus: inventory.gpus,
        used_nano: String(inventory.usedNano),
      });
  }
}
