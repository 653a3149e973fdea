import { DeviceForm, Vendor } from './deviceClass';
import { DeviceFinding } from './finding';
import { gpuModels } from './gpuModels';
import { UnitShare } from './physicalShare';
import { GpuResource } from './resourceName';

/** An offer of a node before the shares of the node are normalised. */
export interface RawOffer {
  resourceName: string;
  vendor: Vendor;
  product: string;
  model: string;
  form: DeviceForm;
  capacity: number;
  share: UnitShare;
  vramMiB: number;
}

/** What one vendor's labels and resources say of a node. */
export interface VendorDevices {
  gpus: number;
  offers: RawOffer[];
  findings: DeviceFinding[];
}

/** Units of the GPU resources a node lists, without those it has none of. */
export type Units = Array<GpuResource & { units: number }>;

/** Finding: a node offers a resource, but nothing says what it is. */
export function missing(
  node: string,
  unit: { name: string; units: number },
  label: string,
): DeviceFinding {
  return {
    code: 'labels-missing',
    kind: 'Node',
    name: node,
    message: `Node ${node} offers ${unit.units} ${unit.name} but has no label ${label}: its model is not known. Is feature discovery running on it?`,
  };
}

/** Finding: a product the device table lacks. */
export function unknownModel(node: string, product: string): DeviceFinding {
  return {
    code: 'model-unknown',
    kind: 'Node',
    name: node,
    message: `Node ${node}: product "${product}" is not in the device table (known: ${gpuModels
      .map(model => model.key)
      .join(', ')}); its memory and shares are taken from labels alone`,
  };
}

/** Finding: a part of a GPU that the device table does not know. */
export function unknownProfile(
  node: string,
  slice: string,
  product: string,
): DeviceFinding {
  return {
    code: 'profile-unknown',
    kind: 'Node',
    name: node,
    message: `Node ${node}: the slice ${slice} is not a profile of ${product} in the device table; it is counted as a whole GPU`,
  };
}
