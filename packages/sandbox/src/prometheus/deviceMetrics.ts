import { uniform } from '../seededRandom';
import { findGpuModel, productSlug } from '@gpuaas/backstage-plugin-gpu-common';
import { Unit } from './deviceHistory';
import { Activity, activityOf, Holder } from './workProfile';

/** The state of one unit at one scrape. */
export interface Reading {
  unit: Unit;
  at: number;
  holders: Holder[];
  /** Busy share of the whole GPU, for what is measured per board. */
  boardCompute: () => number;
  /** Energy counter of the whole GPU, mJ. */
  energyMillijoules: () => number;
}

/** A series that dcgm-exporter exposes: undefined where this kind of unit has none. */
export interface DeviceMetric {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  value: (seed: number | string, reading: Reading) => number | undefined;
}

/** Driver and context memory of an unused GPU, MiB. */
const MEMORY_BASELINE_MIB = 4;

/** The default counters of dcgm-exporter that the product reads. */
export const deviceMetrics: readonly DeviceMetric[] = [
  {
    name: 'DCGM_FI_DEV_GPU_UTIL',
    type: 'gauge',
    help: 'GPU utilization (in %).',
    // Not reported for MIG instances.
    value: (seed, { unit, at, holders }) =>
      unit.partition
        ? undefined
        : Math.round(100 * unitActivity(seed, unit, holders, at).compute),
  },
  {
    name: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE',
    type: 'gauge',
    help: 'Ratio of time the graphics engine is active.',
    value: (seed, { unit, at, holders }) =>
      round(unitActivity(seed, unit, holders, at).compute, 6),
  },
  {
    name: 'DCGM_FI_DEV_FB_USED',
    type: 'gauge',
    help: 'Framebuffer memory used (in MiB).',
    value: (seed, reading) => usedMemory(seed, reading),
  },
  {
    name: 'DCGM_FI_DEV_FB_FREE',
    type: 'gauge',
    help: 'Framebuffer memory free (in MiB).',
    value: (seed, reading) =>
      unitMemory(reading.unit) - usedMemory(seed, reading),
  },
  {
    name: 'DCGM_FI_DEV_POWER_USAGE',
    type: 'gauge',
    help: 'Power draw (in W).',
    value: (_, { unit, boardCompute }) => round(power(unit, boardCompute()), 3),
  },
  {
    name: 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION',
    type: 'counter',
    help: 'Total energy consumption since boot (in mJ).',
    value: (_, { energyMillijoules }) => energyMillijoules(),
  },
  {
    name: 'DCGM_FI_DEV_GPU_TEMP',
    type: 'gauge',
    help: 'GPU temperature (in C).',
    value: (seed, { unit, boardCompute }) =>
      Math.round(
        29 + 6 * uniform(seed, unit.device.uuid, 'rack') + 38 * boardCompute(),
      ),
  },
  {
    name: 'DCGM_FI_DEV_SM_CLOCK',
    type: 'gauge',
    help: 'SM clock frequency (in MHz).',
    value: (_, { boardCompute }) => (boardCompute() > 0 ? 1410 : 210),
  },
  {
    name: 'DCGM_FI_DEV_XID_ERRORS',
    type: 'gauge',
    help: 'Value of the last XID error encountered.',
    value: () => 0,
  },
];

/** Power the board draws at a busy share, W: an idle floor of a tenth, the rest with the work. */
export function power(unit: Unit, compute: number): number {
  const model = findGpuModel(productSlug('nvidia', unit.node.model));
  const limit = model?.boardPowerW ?? 300;
  return limit * (0.1 + 0.82 * compute);
}

/** What all holders of a unit do together; they cannot be busier than it has time. */
export function unitActivity(
  seed: number | string,
  unit: Unit,
  holders: Holder[],
  at: number,
): Activity {
  // A replica's pod sees its part of the memory; the cores are whoever's turn it is.
  const replicas = Math.max(1, unit.device.replicas);
  const sum = holders.reduce(
    (total, holder) => {
      const activity = activityOf(seed, holder, at);
      return {
        compute: total.compute + activity.compute,
        memory: total.memory + activity.memory / replicas,
      };
    },
    { compute: 0, memory: 0 },
  );
  return {
    compute: Math.min(1, sum.compute),
    memory: Math.min(1, sum.memory),
  };
}

/** Memory of a unit, MiB. */
function unitMemory({ node, partition }: Unit): number {
  return partition ? node.partitionMiB[partition.profile] ?? 0 : node.memoryMiB;
}

/** Part of the whole GPU's cores a unit has: the `g` of seven. */
export function unitCores({ partition }: Unit): number {
  return partition ? parseInt(partition.profile, 10) / 7 : 1;
}

function usedMemory(
  seed: number | string,
  { unit, at, holders }: Reading,
): number {
  const total = unitMemory(unit);
  const { memory } = unitActivity(seed, unit, holders, at);
  return Math.min(total, Math.round(MEMORY_BASELINE_MIB + memory * total));
}

function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}
