/** @public */
export type Vendor = 'nvidia' | 'amd' | 'intel';

/**
 * How a GPU is offered. Forms compose: replicas may sit on top of a MIG profile.
 *
 * @public
 */
export interface DeviceForm {
  /** Hardware partition, if any: a MIG profile (`1g.10gb`) or an AMD partition (`cpx_nps4`). */
  partition?: string;
  /** Replicas a device is shared into by time-slicing or MPS; absent or 1: not shared. */
  replicas?: number;
  sharing?: 'time-slicing' | 'mps';
}

/**
 * What can be asked for: model × form (design: devices).
 * The id is stable and readable: `nvidia-h100-80gb-hbm3`, `nvidia-a100-sxm4-80gb.mig-1g.10gb`,
 * `nvidia-l40s.shared-4`, `nvidia-a100-sxm4-80gb.mig-1g.10gb.shared-2`, `amd-instinct-mi300x.cpx_nps4`.
 * Grammar: `<product>[.mig-<MIG profile> | .<AMD partition>][.shared-<replicas> | .mps-<replicas>]`, where
 * `shared` is time-slicing. One class can be worth a different share on two flavors whose GPUs are cut differently.
 *
 * @public
 */
export interface DeviceClass {
  id: string;
  title: string;
  vendor: Vendor;
  /** Model key of the device table, for example `h100-80`; `unknown:<product>` for what the table lacks. */
  model: string;
  form: DeviceForm;
  /** Extended resource a pod asks for, for example `nvidia.com/mig-1g.10gb`. */
  resourceName: string;
  /**
   * Physical share of one unit, in nano-GPU: max(compute slices, memory slices) ÷ replicas, normalised so
   * that what a node offers never exceeds its GPUs; the mean over the flavor's nodes.
   */
  shareNano: number;
  /** Memory one unit can use, MiB. */
  vramMiB: number;
  isolation: 'hardware' | 'memory' | 'none';
  /** True when only one unit a pod makes sense (time-slicing, MPS). */
  singleUnit: boolean;
  goodFor: string[];
}
