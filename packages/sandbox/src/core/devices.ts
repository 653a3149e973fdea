/** Annotation of nodes (what they have) and of pods (what they hold). */
export const devicesAnnotation = 'sandbox.gpuaas.io/devices';

/** A physical GPU of a node, as the node's annotation lists it. */
export interface NodeDevice {
  uuid: string;
  index: number;
  partitions: Array<{ profile: string; id: number }>;
  replicas: number;
}

/** What a pod holds of a GPU, as the pod's annotation lists it. */
export interface HeldDevice {
  uuid: string;
  gpuIndex: number;
  migProfile?: string;
  migId?: number;
  replica?: number;
}

const migPrefix = 'nvidia.com/mig-';

function slotId(held: HeldDevice): string {
  return `${held.uuid}/${held.migId ?? ''}/${held.replica ?? ''}`;
}

/** Who holds which GPU, MIG instance or replica of one node. */
export class NodeDevices {
  private readonly taken = new Set<string>();

  constructor(private readonly devices: readonly NodeDevice[]) {}

  /** The devices of a node's annotation; none when it has no GPU. */
  static parse(annotation: string | undefined): NodeDevice[] {
    return annotation ? JSON.parse(annotation) : [];
  }

  /** Notes what a pod holds. */
  hold(held: readonly HeldDevice[]): void {
    held.forEach(one => this.taken.add(slotId(one)));
  }

  /** Gives back what a pod held. */
  release(held: readonly HeldDevice[]): void {
    held.forEach(one => this.taken.delete(slotId(one)));
  }

  /**
   * Picks free units of an extended resource; does not hold them. MIG
   * instances come from the fullest GPU, so that others stay whole; replicas
   * from the emptiest, as the device plugin spreads them. Undefined when there
   * are not enough; empty when the resource is no GPU.
   */
  pick(resource: string, count: number): HeldDevice[] | undefined {
    const profile = resource.startsWith(migPrefix)
      ? resource.slice(migPrefix.length)
      : undefined;
    if (!profile && !/\/gpu(\.shared)?$/.test(resource)) {
      return [];
    }
    const picked: HeldDevice[] = [];
    const chosen = new Set<string>();
    while (picked.length < count) {
      const next = this.best(profile, chosen);
      if (!next) {
        return undefined;
      }
      chosen.add(slotId(next));
      picked.push(next);
    }
    return picked;
  }

  private best(
    profile: string | undefined,
    chosen: ReadonlySet<string>,
  ): HeldDevice | undefined {
    let best: { slot: HeldDevice; used: number } | undefined;
    for (const device of this.devices) {
      const slots = slotsOf(device);
      const isFree = (slot: HeldDevice) =>
        !this.taken.has(slotId(slot)) && !chosen.has(slotId(slot));
      const slot = slots.find(
        one => isFree(one) && (!profile || one.migProfile === profile),
      );
      if (slot) {
        const used = slots.filter(one => !isFree(one)).length;
        const better = profile
          ? used > (best?.used ?? -1)
          : used < (best?.used ?? Infinity);
        if (better) {
          best = { slot, used };
        }
      }
    }
    return best?.slot;
  }
}

function slotsOf(device: NodeDevice): HeldDevice[] {
  const { uuid, index: gpuIndex } = device;
  if (device.partitions.length > 0) {
    return device.partitions.map(({ profile, id }) => ({
      uuid,
      gpuIndex,
      migProfile: profile,
      migId: id,
    }));
  }
  if (device.replicas > 1) {
    return Array.from({ length: device.replicas }, (_, replica) => ({
      uuid,
      gpuIndex,
      replica,
    }));
  }
  return [{ uuid, gpuIndex }];
}
