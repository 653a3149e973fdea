import { toEngineUnits } from '../queueing/resourceUnits';
import { ContainerPart, FlavorPart, NodePart, PodPart } from './clusterParts';
import { DeviceClass } from './deviceClass';
import { DeviceFinding } from './finding';
import { FlavorDevices, flavorDevices, overlapFindings } from './flavorDevices';
import { NodeDevices, readNodeDevices } from './nodeDevices';

/**
 * Units of one class on one flavor. `total` counts nodes that are alive;
 * `free` those that no pod holds, on nodes that take new pods; `unavailable`
 * those of nodes that are not alive, or that the kubelet withholds.
 *
 * @public
 */
export interface ClassStock {
  flavor: string;
  nodeLabels: Record<string, string>;
  deviceClass: DeviceClass;
  nodes: number;
  total: number;
  used: number;
  free: number;
  unavailable: number;
}

/**
 * The devices of a cluster and who holds them.
 *
 * @public
 */
export interface DeviceInventory {
  nodes: NodeDevices[];
  flavors: FlavorDevices[];
  stock: ClassStock[];
  /** Physical GPUs on nodes that are alive. */
  gpus: number;
  /** What pods hold of them, in nano-GPU. */
  usedNano: number;
  findings: DeviceFinding[];
}

/**
 * Counts the devices of a cluster: classes by flavor, totals, what pods hold
 * and what is free. Pods count from binding to their end, whoever made them.
 *
 * @public
 */
export function deviceInventory(cluster: {
  flavors: readonly FlavorPart[];
  nodes: readonly NodePart[];
  pods: readonly PodPart[];
}): DeviceInventory {
  const nodes = cluster.nodes.map(readNodeDevices);
  const flavors = cluster.flavors.map(flavor => flavorDevices(flavor, nodes));
  const held = heldUnits(cluster.pods);
  const heldOn = (node: NodeDevices, resource: string) =>
    held.get(node.node)?.get(resource) ?? 0;

  let usedNano = 0;
  for (const node of nodes) {
    if (!node.alive) continue;
    for (const offer of node.offers) {
      usedNano += heldOn(node, offer.resourceName) * offer.shareNano;
    }
  }
  return {
    nodes,
    flavors,
    stock: flavors.flatMap(flavor =>
      flavor.classes.map(({ deviceClass, nodes: having }) => ({
        flavor: flavor.flavor,
        nodeLabels: flavor.nodeLabels,
        deviceClass,
        nodes: having.length,
        ...count(having, deviceClass.resourceName, heldOn),
      })),
    ),
    gpus: nodes.reduce((sum, node) => sum + (node.alive ? node.gpus : 0), 0),
    usedNano,
    findings: [
      ...nodes.flatMap(node => node.findings),
      ...flavors.flatMap(flavor => flavor.findings),
      ...overlapFindings(flavors),
    ],
  };
}

function count(
  nodes: NodeDevices[],
  resource: string,
  heldOn: (node: NodeDevices, resource: string) => number,
): Pick<ClassStock, 'total' | 'used' | 'free' | 'unavailable'> {
  const sum = { total: 0, used: 0, free: 0, unavailable: 0 };
  for (const node of nodes) {
    const offer = node.offers.find(item => item.resourceName === resource)!;
    const used = heldOn(node, resource);
    if (!node.alive) {
      sum.unavailable += offer.capacity;
      continue;
    }
    sum.total += offer.allocatable;
    sum.unavailable += Math.max(0, offer.capacity - offer.allocatable);
    sum.used += used;
    if (node.schedulable) sum.free += Math.max(0, offer.allocatable - used);
  }
  return sum;
}

/**
 * Units of each resource that pods hold, by node: a pod holds its devices from
 * the moment it is bound until it has succeeded or failed.
 *
 * @public
 */
export function heldUnits(
  pods: readonly PodPart[],
): Map<string, Map<string, number>> {
  const held = new Map<string, Map<string, number>>();
  for (const pod of pods) {
    const node = pod.spec?.nodeName;
    const phase = pod.status?.phase;
    if (!node || phase === 'Succeeded' || phase === 'Failed') continue;
    if (!held.has(node)) held.set(node, new Map());
    const onNode = held.get(node)!;
    for (const [resource, units] of podUnits(pod)) {
      onNode.set(resource, (onNode.get(resource) ?? 0) + units);
    }
  }
  return held;
}

/**
 * Units of each extended resource one pod takes, as the scheduler counts them:
 * its containers and sidecars together, or its largest init container if that is more.
 *
 * @public
 */
export function podUnits(pod: PodPart): Map<string, number> {
  const init = pod.spec?.initContainers ?? [];
  const sidecars = init.filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  const units = new Map<string, number>();
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars]) {
    for (const [resource, amount] of containerUnits(container)) {
      units.set(resource, (units.get(resource) ?? 0) + amount);
    }
  }
  for (const container of init) {
    for (const [resource, amount] of containerUnits(container)) {
      units.set(resource, Math.max(units.get(resource) ?? 0, amount));
    }
  }
  return units;
}

function containerUnits(container: ContainerPart): Array<[string, number]> {
  const { requests, limits } = container.resources ?? {};
  // Only extended resources have a domain; cpu and memory are not devices.
  return Object.entries({ ...limits, ...requests })
    .filter(([resource]) => resource.includes('/'))
    .map(([resource, quantity]) => [
      resource,
      toEngineUnits(resource, quantity),
    ]);
}
