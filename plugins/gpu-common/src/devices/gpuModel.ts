import { Vendor } from './deviceClass';

/**
 * A MIG profile of one GPU model.
 *
 * @public
 */
export interface MigProfile {
  /** As resource names spell it: `1g.10gb`, `1g.10gb.me` (not `1g.10gb+me`). */
  name: string;
  /** Most instances of it one GPU can hold. */
  max: number;
  /** Compute slices it takes (the number before the `g`). */
  compute: number;
  /** Memory slices it takes. */
  memory: number;
  /** Memory slices at which an instance may start. */
  starts: number[];
  /** A variant of the plain profile of the same size (media engines, graphics). */
  variant?: true;
}

/**
 * How a model is cut by Multi-Instance GPU.
 *
 * @public
 */
export interface MigGeometry {
  computeSlices: number;
  memorySlices: number;
  profiles: MigProfile[];
  /** What mig-parted's `all-balanced` puts on one GPU: profile to count. */
  balanced: Record<string, number>;
}

/**
 * How a model is cut by AMD's compute and memory partitioning.
 *
 * @public
 */
export interface AmdGeometry {
  computeUnits: number;
  /** Partitions of one GPU by compute mode, for example `cpx: 8`. */
  computeModes: Record<string, number>;
  /** Memory domains of one GPU by memory mode, for example `nps4: 4`. */
  memoryModes: Record<string, number>;
}

/**
 * How GPUs of one model reach each other: `nvlink` and `infinity-fabric` within
 * a server, `nvlink-rack` across the servers of a rack, `pcie` by no link of their own.
 *
 * @public
 */
export type Fabric = 'nvlink' | 'nvlink-rack' | 'infinity-fabric' | 'pcie';

/**
 * One row of the device table.
 *
 * @public
 */
export interface GpuModel {
  /** Stable key: `h100-80`. */
  key: string;
  vendor: Vendor;
  name: string;
  /** Nominal memory; what a node's labels say wins, it is a little less. */
  memoryGiB: number;
  /** Most power the board draws, W. */
  boardPowerW: number;
  fabric: Fabric;
  /** Matches the product slug ({@link productSlug}). */
  product: RegExp;
  mig?: MigGeometry;
  amd?: AmdGeometry;
}

/**
 * The product a label names, as the first part of a device class id: lower
 * case, dashes, vendor in front (`Tesla-T4` → `nvidia-tesla-t4`,
 * `AMD_Instinct_MI300X_OAM` → `amd-instinct-mi300x`).
 *
 * @public
 */
export function productSlug(vendor: Vendor, product: string): string {
  const slug = product
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/-oam$/, '');
  if (slug === '') return `${vendor}-gpu`;
  return slug.startsWith(`${vendor}-`) ? slug : `${vendor}-${slug}`;
}
