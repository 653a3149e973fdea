import { parseAmdLabels } from './amdLabels';
import { DeviceFinding } from './finding';
import { productSlug } from './gpuModel';
import { findGpuModel } from './gpuModels';
import { amdPartitionShare, unitShare } from './physicalShare';
import {
  missing,
  Units,
  unknownModel,
  unknownProfile,
  VendorDevices,
} from './vendorDevices';

/** Reads the AMD devices of a node; physical GPUs are units ÷ partitions of a GPU. */
export function readAmdNode(
  node: string,
  labels: Record<string, string>,
  units: Units,
): VendorDevices {
  if (units.length === 0) return { gpus: 0, offers: [], findings: [] };
  const seen = parseAmdLabels(labels);
  const product = productSlug('amd', seen.product ?? '');
  const model = findGpuModel(product);
  const findings: DeviceFinding[] = [];
  if (!seen.product) {
    findings.push(missing(node, units[0], 'amd.com/gpu.product-name'));
  } else if (!model) {
    findings.push(unknownModel(node, seen.product));
  }

  let gpus = 0;
  const offers = units.map(unit => {
    // A device of a partitioned GPU counts as amd.com/gpu under "single" naming.
    const partition = unit.partition ?? seen.partition;
    const known = partition
      ? model?.amd && amdPartitionShare(model.amd, partition)
      : unitShare(1, 1);
    if (!known) {
      findings.push(
        unknownProfile(node, `${partition} of ${unit.name}`, product),
      );
    }
    const share = known ?? unitShare(1, 1);
    const perGpu = Math.round(1e9 / share.shareNano);
    if (unit.units % perGpu !== 0) {
      findings.push({
        code: 'layout-uneven',
        kind: 'Node',
        name: node,
        message: `Node ${node} has ${unit.units} ${unit.name} in partitions ${partition}, but a GPU makes ${perGpu} of them: not a whole number of GPUs`,
      });
    }
    gpus += Math.ceil(unit.units / perGpu);
    const isWhole = known !== undefined && perGpu === 1;
    const whole = model ? model.memoryGiB * 1024 : 0;
    return {
      resourceName: unit.name,
      vendor: 'amd' as const,
      product,
      model: model?.key ?? `unknown:${product}`,
      form: isWhole ? {} : { partition },
      capacity: unit.units,
      share,
      vramMiB: isWhole ? seen.memoryMiB ?? whole : Math.floor(whole / perGpu),
    };
  });
  return { gpus, offers, findings };
}
