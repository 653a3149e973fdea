import { Clock } from '../clock';
import {
  KubernetesObject,
  ObjectStore,
  WatchEvent,
} from '../apiserver/objectStore';
import { Device, devicesAnnotation } from '../fleet/fleet';
import { Holder, WorkKind } from './workProfile';

/** What is measured on its own: a whole GPU, or one MIG instance of it. */
export interface Unit {
  node: NodeRecord;
  device: Device;
  partition?: { profile: string; id: number };
  holds: Hold[];
}

/** A node whose exporter is scraped. */
export interface NodeRecord {
  name: string;
  address: string;
  /** `nvidia.com/gpu.product` as the driver writes it: `NVIDIA H100 80GB HBM3`. */
  model: string;
  memoryMiB: number;
  /** Memory of one MIG instance by profile, MiB. */
  partitionMiB: Record<string, number>;
  driver: string;
  /** The devices annotation it was read from. */
  devices: string;
  /** When the exporter could be scraped. */
  up: Span[];
}

/** From and to, milliseconds since the epoch; open while `to` is absent. */
export interface Span {
  from: number;
  to?: number;
}

/** One pod on one unit. */
export interface Hold extends Span {
  holder: Holder;
}

/** How the sandbox's kubelet says which devices a pod got. */
interface PodDevice {
  uuid: string;
  gpuIndex?: number;
  migProfile?: string;
  migId?: number;
  replica?: number;
}

const kindAnnotation = 'gpuaas.io/kind';

const RETENTION_MS = 6 * 3_600_000;
/** Ended holds kept beside the retention, so that a storm of pods stays bounded. */
const MAX_ENDED_HOLDS_PER_UNIT = 2000;

/**
 * Who held which device when, for the last six hours, recorded from the
 * store's nodes and pods since this was made.
 */
export class DeviceHistory {
  /** Units by `uuid` or `uuid/MIG instance id`. */
  readonly units = new Map<string, Unit>();
  private readonly nodes = new Map<string, NodeRecord>();
  private readonly holdsOfPod = new Map<string, Hold[]>();
  private readonly stops: Array<() => void>;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    this.stops = [
      store.watch('Node', event => this.onNode(event), { replay: true }),
      store.watch('Pod', event => this.onPod(event), { replay: true }),
    ];
  }

  close(): void {
    this.stops.forEach(stop => stop());
  }

  /** Forgets what ended before the retention. */
  prune(): void {
    const horizon = this.clock.now().getTime() - RETENTION_MS;
    const isKept = ({ to }: Span) => to === undefined || to > horizon;
    for (const [key, unit] of this.units) {
      unit.holds = unit.holds.filter(isKept);
      const excess = unit.holds.length - MAX_ENDED_HOLDS_PER_UNIT;
      if (excess > 0) {
        let left = excess;
        unit.holds = unit.holds.filter(
          hold => hold.to === undefined || left-- <= 0,
        );
      }
      unit.node.up = unit.node.up.filter(isKept);
      if (unit.node.up.length === 0) this.units.delete(key);
    }
    for (const [name, node] of this.nodes) {
      if (node.up.length === 0) this.nodes.delete(name);
    }
  }

  private onNode({ type, object }: WatchEvent): void {
    const now = this.clock.now().getTime();
    const name = object.metadata.name;
    const devices = object.metadata.annotations?.[devicesAnnotation] ?? '';
    let node = this.nodes.get(name);
    if (devices !== (node?.devices ?? '') && type !== 'DELETED') {
      // Cut anew: what was measured before ends here.
      const last = node?.up[node.up.length - 1];
      if (last) last.to ??= now;
      node = nodeRecord(object);
      this.nodes.set(name, node);
      for (const device of annotation<Device>(object)) {
        this.addUnits(node, device);
      }
    }
    if (!node) return;
    const isUp = type !== 'DELETED' && isReady(object);
    const last = node.up[node.up.length - 1];
    if (isUp && (!last || last.to !== undefined)) node.up.push({ from: now });
    if (!isUp && last && last.to === undefined) last.to = now;
  }

  private addUnits(node: NodeRecord, device: Device): void {
    const partitions =
      device.partitions.length > 0 ? device.partitions : [undefined];
    for (const partition of partitions) {
      const key = unitKey(device.uuid, partition?.id);
      this.units.set(key, { node, device, partition, holds: [] });
    }
  }

  private onPod({ type, object }: WatchEvent): void {
    const uid = object.metadata.uid ?? '';
    const now = this.clock.now().getTime();
    const isRunning = type !== 'DELETED' && object.status?.phase === 'Running';
    const holds = this.holdsOfPod.get(uid);
    if (!isRunning) {
      holds?.forEach(hold => {
        hold.to = now;
      });
      this.holdsOfPod.delete(uid);
      return;
    }
    if (holds) return;
    const opened: Hold[] = [];
    const holder = holderOf(object, this.workKind(object), now);
    for (const { uuid, migId } of annotation<PodDevice>(object)) {
      const unit = this.units.get(unitKey(uuid, migId));
      if (!unit) continue;
      const hold: Hold = { from: now, holder };
      unit.holds.push(hold);
      opened.push(hold);
    }
    if (opened.length > 0) this.holdsOfPod.set(uid, opened);
  }

  /** What a pod is for, as it or its Job says. */
  private workKind({ metadata }: KubernetesObject): WorkKind {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Job');
    const job = owner && this.store.get('Job', owner.name, metadata.namespace);
    const kind =
      metadata.annotations?.[kindAnnotation] ??
      job?.metadata.annotations?.[kindAnnotation];
    return kind === 'interactive' || kind === 'serving' ? kind : 'batch';
  }
}

function unitKey(uuid: string, migId: number | undefined): string {
  return migId === undefined ? uuid : `${uuid}/${migId}`;
}

/** A JSON list in the devices annotation; what cannot be read is no device. */
function annotation<T>(object: KubernetesObject): T[] {
  try {
    const list = JSON.parse(
      object.metadata.annotations?.[devicesAnnotation] ?? '[]',
    );
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function nodeRecord(node: KubernetesObject): NodeRecord {
  const labels = node.metadata.labels ?? {};
  const addresses: Array<{ type: string; address: string }> =
    node.status?.addresses ?? [];
  return {
    name: node.metadata.name,
    address:
      addresses.find(({ type }) => type === 'InternalIP')?.address ??
      node.metadata.name,
    // The product label is the driver's model name with dashes for spaces.
    model: modelName(labels['nvidia.com/gpu.product'] ?? ''),
    memoryMiB: Number(labels['nvidia.com/gpu.memory'] ?? 0),
    partitionMiB: Object.fromEntries(
      Object.entries(labels).flatMap(([label, value]) => {
        const [, profile] = /^nvidia\.com\/mig-(.+)\.memory$/.exec(label) ?? [];
        return profile ? [[profile, Number(value)]] : [];
      }),
    ),
    driver: labels['nvidia.com/cuda.driver-version.full'] ?? '',
    devices: node.metadata.annotations?.[devicesAnnotation] ?? '',
    up: [],
  };
}

/** `NVIDIA-A100-SXM4-80GB` → `NVIDIA A100-SXM4-80GB`, the dash of the form factor being the driver's own. */
function modelName(product: string): string {
  return /-SXM\d?-/.test(product)
    ? product.replace('-', ' ')
    : product.replace(/-/g, ' ');
}

function isReady(node: KubernetesObject): boolean {
  const conditions: Array<{ type: string; status: string }> =
    node.status?.conditions ?? [];
  return conditions.some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
}

function holderOf(pod: KubernetesObject, kind: WorkKind, now: number): Holder {
  const containers: Array<{
    name: string;
    resources?: { limits?: Record<string, unknown> };
  }> = pod.spec?.containers ?? [];
  const container =
    containers.find(({ resources }) =>
      Object.keys(resources?.limits ?? {}).some(key => key.includes('/')),
    ) ?? containers[0];
  const started = Date.parse(pod.status?.startTime ?? '');
  return {
    namespace: pod.metadata.namespace ?? '',
    pod: pod.metadata.name,
    container: container?.name ?? '',
    kind,
    startedAt: Number.isFinite(started) ? started : now,
  };
}
