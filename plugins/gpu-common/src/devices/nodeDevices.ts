import { parseQuantity, toUnits } from '../quantities';
import { readAmdNode } from './amdNode';
import { NodePart } from './clusterParts';
import { DeviceForm, Vendor } from './deviceClass';
import { DeviceFinding } from './finding';
import { readIntelNode } from './intelNode';
import { readNvidiaNode } from './nvidiaNode';
import { normaliseShares } from './physicalShare';
import { parseResourceName } from './resourceName';
import { Units } from './vendorDevices';

/**
 * One resource of one node: what a unit of it is, and how many there are.
 *
 * @public
 */
export interface NodeOffer {
  resourceName: string;
  vendor: Vendor;
  /** First part of the device class id. */
  product: string;
  /** Key of the device table, or `unknown:<product>`. */
  model: string;
  form: DeviceForm;
  /** Units the node has, and those of them that pods may hold. */
  capacity: number;
  allocatable: number;
  /** Share of one unit, normalised over the node, in nano-GPU. */
  shareNano: number;
  /** Memory of one unit, MiB; 0 where neither a label nor the device table tells. */
  vramMiB: number;
}

/**
 * The devices of one node.
 *
 * @public
 */
export interface NodeDevices {
  node: string;
  labels: Record<string, string>;
  /** Its kubelet reports Ready. */
  alive: boolean;
  /** Alive and not cordoned: new pods may come. */
  schedulable: boolean;
  /** Physical GPUs. */
  gpus: number;
  offers: NodeOffer[];
  findings: DeviceFinding[];
}

/**
 * Reads what a node offers from its labels and capacity. Capacity decides how
 * many units there are, as for the scheduler; labels that disagree become a
 * finding that names both.
 *
 * @public
 */
export function readNodeDevices(node: NodePart): NodeDevices {
  const labels = node.metadata.labels ?? {};
  const name = node.metadata.name;
  const units = gpuUnits(node.status?.capacity);
  const allocatable = gpuUnits(node.status?.allocatable);
  const of = (vendor: Vendor) => units.filter(unit => unit.vendor === vendor);

  const vendors = [
    readNvidiaNode(name, labels, of('nvidia')),
    readAmdNode(name, labels, of('amd')),
    readIntelNode(name, labels, of('intel')),
  ];
  const gpus = vendors.reduce((sum, vendor) => sum + vendor.gpus, 0);
  const raw = vendors.flatMap(vendor => vendor.offers);
  const shares = normaliseShares(
    raw.map(({ share, capacity }) => ({
      shareNano: share.shareNano,
      count: capacity,
    })),
    gpus,
  );
  const alive =
    node.status?.conditions?.some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    ) ?? false;
  return {
    node: name,
    labels,
    alive,
    schedulable: alive && !node.spec?.unschedulable,
    gpus,
    offers: raw.map(({ share: _, ...offer }, index) => ({
      ...offer,
      allocatable:
        allocatable.find(unit => unit.name === offer.resourceName)?.units ?? 0,
      shareNano: shares[index],
    })),
    findings: [
      ...vendors.flatMap(vendor => vendor.findings),
      ...unknownSlices(name, node.status?.capacity),
    ],
  };
}

/**
 * Slices under names that are no profile, such as compute instances
 * (`nvidia.com/mig-1c.3g.40gb`): not counted, and not passed over in silence.
 */
function unknownSlices(
  node: string,
  resources: Record<string, string> | undefined,
): DeviceFinding[] {
  return Object.entries(resources ?? {})
    .filter(
      ([name, quantity]) =>
        /^(nvidia\.com\/mig-|amd\.com\/[a-z]+_nps)/.test(name) &&
        !parseResourceName(name) &&
        unitsOf(quantity) > 0,
    )
    .map(([name, quantity]) => ({
      code: 'resource-unknown',
      kind: 'Node',
      name: node,
      message: `Node ${node} offers ${quantity} ${name}, which is no slice that can be counted; accepted are profiles such as nvidia.com/mig-3g.40gb and partitions such as amd.com/cpx_nps4. It is left out`,
    }));
}

function gpuUnits(resources: Record<string, string> | undefined): Units {
  return Object.entries(resources ?? {}).flatMap(([name, quantity]) => {
    const resource = parseResourceName(name);
    const units = resource?.kind === 'device' ? unitsOf(quantity) : 0;
    return resource && units > 0 ? [{ ...resource, units }] : [];
  });
}

function unitsOf(quantity: string): number {
  try {
    return Math.max(0, toUnits(parseQuantity(quantity)));
  } catch {
    // A kubelet never writes this; a unit that cannot be counted is not offered.
    return 0;
  }
}
