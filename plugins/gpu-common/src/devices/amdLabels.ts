import { wholeNumber } from './labelNumber';

/**
 * What AMD's node labeller says of a node.
 *
 * @public
 */
export interface AmdLabels {
  product?: string;
  /** Compute and memory partition, for example `cpx_nps4`; lower case. */
  partition?: string;
  /** Memory of one device as the driver shows it, MiB: of a partition, where partitioned. */
  memoryMiB?: number;
  /** Compute units of one device. */
  computeUnits?: number;
}

/** The labeller's own, its documentation's, and the legacy one. */
const PREFIXES = ['amd.com/gpu.', 'amd.com/', 'beta.amd.com/gpu.'];
const PARTITION = /^(spx|dpx|tpx|qpx|cpx)_nps\d+$/;

/**
 * Reads the labels of AMD's node labeller in all three spellings. The legacy
 * one may carry its value in the key (`beta.amd.com/gpu.vram.192G=8`). Never throws.
 *
 * @public
 */
export function parseAmdLabels(
  labels: Readonly<Record<string, string>>,
): AmdLabels {
  const partition = value(labels, 'compute-memory-partition')?.toLowerCase();
  return {
    product: value(labels, 'product-name'),
    partition: partition && PARTITION.test(partition) ? partition : undefined,
    memoryMiB: memory(value(labels, 'vram')),
    computeUnits: wholeNumber(value(labels, 'cu-count')),
  };
}

function value(
  labels: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  for (const prefix of PREFIXES) {
    const direct = labels[`${prefix}${name}`];
    if (direct) return direct;
  }
  // Several values, as on a node of unlike GPUs, name no single one.
  const legacy = `beta.amd.com/gpu.${name}.`;
  const values = Object.keys(labels).filter(key => key.startsWith(legacy));
  return values.length === 1 ? values[0].slice(legacy.length) : undefined;
}

/** `192G` is GiB, rounded by the labeller. */
function memory(text: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d{1,7})([GM])$/.exec(text ?? '') ?? [];
  if (!amount) return undefined;
  return unit === 'G' ? Number(amount) * 1024 : Number(amount);
}
