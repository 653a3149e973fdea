import { DeviceFinding } from './finding';
import { GpuModel, productSlug } from './gpuModel';
import { findGpuModel } from './gpuModels';
import { findMigProfile } from './migProfile';
import { NvidiaLabels, parseNvidiaLabels, Sharing } from './nvidiaLabels';
import {
  missing,
  RawOffer,
  Units,
  unknownModel,
  unknownProfile,
  VendorDevices,
} from './vendorDevices';
import { migShare, sharedAmong, UnitShare, unitShare } from './physicalShare';

/** What a unit is, and what labels say of their number. */
interface Reading {
  partition?: string;
  sharing: Sharing;
  memoryMiB?: number;
  /** Devices by label, before sharing, and the label's name. */
  count?: number;
  countLabel: string;
}

/**
 * Reads the NVIDIA devices of a node. Physical GPUs: `gpu.count`, except under
 * MIG strategy `single`, where it counts slices and is divided by the slices
 * one GPU holds; without labels, what the units add up to.
 */
export function readNvidiaNode(
  node: string,
  labels: Record<string, string>,
  units: Units,
): VendorDevices {
  if (units.length === 0) return { gpus: 0, offers: [], findings: [] };
  const seen = parseNvidiaLabels(labels);
  const product = productSlug('nvidia', seen.product ?? '');
  const model = findGpuModel(product);
  const findings: DeviceFinding[] = [];
  if (!seen.product) {
    findings.push(missing(node, units[0], 'nvidia.com/gpu.product'));
  } else if (!model) {
    findings.push(unknownModel(node, seen.product));
  }

  if (seen.unreadProfile) {
    findings.push(
      unknownProfile(node, `"${seen.unreadProfile}" of its label`, product),
    );
  }

  const offers = units.map(unit => {
    const reading = readUnit(seen, unit);
    const { partition, sharing } = reading;
    const { replicas } = sharing;
    const share = partition ? sliceShare(model, partition) : unitShare(1, 1);
    if (!share) findings.push(unknownProfile(node, `of ${unit.name}`, product));
    findings.push(...disagreement(node, unit, reading, seen));
    return {
      resourceName: unit.name,
      vendor: 'nvidia' as const,
      product,
      model: model?.key ?? `unknown:${product}`,
      form: {
        ...(partition && { partition }),
        ...(replicas > 1 && { replicas, sharing: sharing.strategy }),
      },
      capacity: unit.units,
      share: sharedAmong(share ?? unitShare(1, 1), replicas),
      vramMiB: Math.floor(memoryOf(reading, seen, model, share) / replicas),
    };
  });
  const gpus = physicalGpus(node, seen, model, offers, findings);
  return { gpus, offers, findings };
}

function readUnit(seen: NvidiaLabels, unit: Units[number]): Reading {
  if (unit.partition) {
    const mig = seen.mig[unit.partition];
    return {
      partition: unit.partition,
      sharing: mig?.sharing ?? { replicas: 1 },
      memoryMiB: mig?.memoryMiB,
      count: mig?.count,
      countLabel: `nvidia.com/mig-${unit.partition}.count`,
    };
  }
  return {
    partition: seen.singleProfile,
    sharing: seen.sharing,
    memoryMiB: seen.memoryMiB,
    count: seen.count,
    countLabel: 'nvidia.com/gpu.count',
  };
}

function sliceShare(
  model: GpuModel | undefined,
  partition: string,
): UnitShare | undefined {
  return model?.mig && migShare(model.mig, partition);
}

function memoryOf(
  reading: Reading,
  seen: NvidiaLabels,
  model: GpuModel | undefined,
  share: UnitShare | undefined,
): number {
  if (reading.memoryMiB !== undefined) return reading.memoryMiB;
  const whole =
    (seen.singleProfile ? undefined : seen.memoryMiB) ??
    (model?.memoryGiB ?? 0) * 1024;
  return Math.floor((whole * (share?.memoryNano ?? 1e9)) / 1e9);
}

/** Labels that name another number of units than the node's capacity. */
function disagreement(
  node: string,
  unit: Units[number],
  { count, countLabel, sharing }: Reading,
  seen: NvidiaLabels,
): DeviceFinding[] {
  if (count === undefined) return [];
  const expected = count * sharing.replicas;
  if (expected === unit.units) return [];
  // Strategy mixed: nvidia.com/gpu counts only the GPUs that are not cut.
  const isRest =
    !unit.partition &&
    seen.migStrategy === 'mixed' &&
    Object.keys(seen.mig).length > 0 &&
    unit.units < expected;
  if (isRest) return [];
  const times = sharing.replicas > 1 ? ` × ${sharing.replicas} replicas` : '';
  return [
    {
      code: 'labels-disagree',
      kind: 'Node',
      name: node,
      message: `Node ${node}: label ${countLabel} says ${count}${times}, capacity says ${unit.units} ${unit.name}; capacity is used`,
    },
  ];
}

function physicalGpus(
  node: string,
  seen: NvidiaLabels,
  model: GpuModel | undefined,
  offers: RawOffer[],
  findings: DeviceFinding[],
): number {
  if (seen.singleProfile) {
    const profile = model?.mig && findMigProfile(model.mig, seen.singleProfile);
    const slices =
      seen.count ?? offers[0].capacity / (offers[0].form.replicas ?? 1);
    const perGpu = profile?.max ?? 1;
    if (slices % perGpu !== 0) {
      findings.push({
        code: 'layout-uneven',
        kind: 'Node',
        name: node,
        message: `Node ${node} has ${slices} slices ${seen.singleProfile}, but a GPU holds ${perGpu} of them: not a whole number of GPUs`,
      });
    }
    return Math.ceil(slices / perGpu);
  }
  if (seen.count) return seen.count;
  // No label: as few GPUs as could hold these units.
  const shares = offers.reduce(
    (sum, { share, capacity }) => sum + share.memoryNano * capacity,
    0,
  );
  return Math.max(1, Math.ceil(shares / 1e9 - 1e-6));
}
