import type { KubernetesObject } from '../apiserver/objectStore';
import { devicesAnnotation, type HeldDevice, NodeDevices } from './devices';
import { type Amounts, amountsOf } from './podRequests';

/** One node with what its pods have taken of it. */
export class NodeUsage {
  private allocatable: Amounts = {};
  private readonly used: Amounts = {};
  private devices = new NodeDevices([]);
  private readonly held = new Map<string, readonly HeldDevice[]>();

  constructor(public node: KubernetesObject) {
    this.refresh(node);
  }

  /** Takes over a changed Node object. */
  refresh(node: KubernetesObject): void {
    this.node = node;
    this.allocatable = amountsOf(node.status?.allocatable);
    this.devices = new NodeDevices(
      NodeDevices.parse(node.metadata.annotations?.[devicesAnnotation]),
    );
    this.held.forEach(one => this.devices.hold(one));
  }

  add(key: string, requests: Amounts, held: readonly HeldDevice[]): void {
    for (const [resource, value] of Object.entries(requests)) {
      this.used[resource] = (this.used[resource] ?? 0) + value;
    }
    if (held.length > 0) {
      this.held.set(key, held);
      this.devices.hold(held);
    }
  }

  remove(key: string, requests: Amounts): void {
    for (const [resource, value] of Object.entries(requests)) {
      this.used[resource] = (this.used[resource] ?? 0) - value;
    }
    this.devices.release(this.held.get(key) ?? []);
    this.held.delete(key);
  }

  free(resource: string): number {
    return (this.allocatable[resource] ?? 0) - (this.used[resource] ?? 0);
  }

  /** Resources of which too little is left, as kube-scheduler words it. */
  insufficient(requests: Amounts): string[] {
    return Object.entries(requests)
      .filter(([resource, value]) => value > 0 && value > this.free(resource))
      .map(([resource]) =>
        resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
      );
  }

  /** Devices for all extended resources of a request; undefined when the free ones do not suffice. */
  pickDevices(requests: Amounts): HeldDevice[] | undefined {
    const picked: HeldDevice[] = [];
    for (const [resource, value] of Object.entries(requests)) {
      if (resource.includes('/') && value > 0) {
        const some = this.devices.pick(resource, value);
        if (!some) {
          return undefined;
        }
        picked.push(...some);
      }
    }
    return picked;
  }
}
