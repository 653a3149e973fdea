import { AmdGeometry, MigGeometry } from './gpuModel';
import { findMigProfile } from './migProfile';

/** One whole GPU, in nano-GPU. @public */
export const WHOLE_GPU = 1_000_000_000;

/**
 * What one unit of a device takes of its GPU, in nano-GPU.
 *
 * @public
 */
export interface UnitShare {
  /** Of its compute. */
  computeNano: number;
  /** Of its memory. */
  memoryNano: number;
  /** The larger of both: the share that is charged. */
  shareNano: number;
}

/**
 * Share of a MIG instance: max(compute slices, memory slices) by the model's
 * own counts, rounded down so that rounding alone never exceeds a GPU.
 * Undefined for a profile the model does not have.
 *
 * @public
 */
export function migShare(
  geometry: MigGeometry,
  profileName: string,
): UnitShare | undefined {
  const profile = findMigProfile(geometry, profileName);
  if (!profile) return undefined;
  return unitShare(
    profile.compute / geometry.computeSlices,
    profile.memory / geometry.memorySlices,
  );
}

/**
 * Share of an AMD partition such as `cpx_nps4`: one of the equal parts its
 * compute mode cuts a GPU into. Undefined for a mode the model does not have.
 *
 * @public
 */
export function amdPartitionShare(
  geometry: AmdGeometry,
  partition: string,
): UnitShare | undefined {
  const [compute, memory] = partition.split('_');
  const parts = geometry.computeModes[compute];
  if (!parts || !geometry.memoryModes[memory]) return undefined;
  return unitShare(1 / parts, 1 / parts);
}

/** Share of a unit, each part a fraction of one GPU between 0 and 1. @public */
export function unitShare(compute: number, memory: number): UnitShare {
  const computeNano = nano(compute);
  const memoryNano = nano(memory);
  return {
    computeNano,
    memoryNano,
    shareNano: Math.max(computeNano, memoryNano),
  };
}

/** Share of one of `replicas` on top of a share. @public */
export function sharedAmong(share: UnitShare, replicas: number): UnitShare {
  return {
    computeNano: Math.floor(share.computeNano / replicas),
    memoryNano: Math.floor(share.memoryNano / replicas),
    shareNano: Math.floor(share.shareNano / replicas),
  };
}

/**
 * Scales shares down so that what a node offers never adds up to more than the
 * GPUs it has: 4g + 3g of a seven-slice GPU would be 1.0714 by the larger-of-both
 * rule. What adds up to less stays as it is; the rest of the GPU is stranded.
 *
 * @param units - share of one unit in nano-GPU, and how many the node offers
 * @param gpus - physical GPUs of the node
 * @returns the normalised share of one unit, in the order given
 * @public
 */
export function normaliseShares(
  units: ReadonlyArray<{ shareNano: number; count: number }>,
  gpus: number,
): number[] {
  const capacity = BigInt(gpus) * BigInt(WHOLE_GPU);
  const total = units.reduce(
    (sum, unit) => sum + BigInt(unit.shareNano) * BigInt(unit.count),
    0n,
  );
  if (total <= capacity) return units.map(unit => unit.shareNano);
  return units.map(unit => Number((BigInt(unit.shareNano) * capacity) / total));
}

/** Rounds down, forgiving the last bits of a double (0.1 × 3). */
function nano(fraction: number): number {
  return Math.floor(fraction * WHOLE_GPU + 1e-6);
}
