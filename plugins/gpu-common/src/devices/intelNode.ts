import { DeviceFinding } from './finding';
import { productSlug } from './gpuModel';
import { findGpuModel } from './gpuModels';
import { parseIntelLabels } from './intelLabels';
import { sharedAmong, unitShare } from './physicalShare';
import { missing, Units, unknownModel, VendorDevices } from './vendorDevices';

/** Reads the Intel devices of a node; a device advertised n times is shared among n pods. */
export function readIntelNode(
  node: string,
  labels: Record<string, string>,
  units: Units,
): VendorDevices {
  if (units.length === 0) return { gpus: 0, offers: [], findings: [] };
  const seen = parseIntelLabels(labels);
  const product = productSlug('intel', seen.product ?? '');
  const model = findGpuModel(product);
  const total = units.reduce((sum, unit) => sum + unit.units, 0);
  const gpus = seen.count && seen.count <= total ? seen.count : total;
  const findings: DeviceFinding[] = [];
  if (!seen.product) {
    findings.push(missing(node, units[0], 'gpu.intel.com/product'));
  } else if (!model) {
    findings.push(unknownModel(node, seen.product));
  }
  if (seen.count !== undefined && total % Math.max(seen.count, 1) !== 0) {
    findings.push({
      code: 'labels-disagree',
      kind: 'Node',
      name: node,
      message: `Node ${node}: label gpu.intel.com/device.count says ${seen.count} GPUs, capacity has ${total} units of ${units[0].name}: not the same number of shares for each GPU`,
    });
  }
  // -shared-dev-num=n advertises every GPU n times, with no limit between them.
  const replicas = Math.max(1, Math.ceil(total / gpus));
  return {
    gpus,
    findings,
    offers: units.map(unit => ({
      resourceName: unit.name,
      vendor: 'intel' as const,
      product,
      model: model?.key ?? `unknown:${product}`,
      form: replicas > 1 ? { replicas, sharing: 'time-slicing' as const } : {},
      capacity: unit.units,
      share: sharedAmong(unitShare(1, 1), replicas),
      vramMiB: Math.floor(((model?.memoryGiB ?? 0) * 1024) / replicas),
    })),
  };
}
