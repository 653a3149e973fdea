import { wholeNumber } from './labelNumber';

/**
 * What Intel's Node Feature Discovery rules say of a node.
 *
 * @public
 */
export interface IntelLabels {
  product?: string;
  family?: string;
  /** Physical GPUs. */
  count?: number;
}

const PREFIX = 'gpu.intel.com/';
const DEVICE_COUNT = /^gpu\.intel\.com\/device-id\..+\.count$/;

/**
 * Reads Intel's GPU labels: product, family and `device.count`, or the sum of
 * the counts per PCI device where that is missing. Never throws.
 *
 * @public
 */
export function parseIntelLabels(
  labels: Readonly<Record<string, string>>,
): IntelLabels {
  const counts = Object.keys(labels)
    .filter(key => DEVICE_COUNT.test(key))
    .map(key => wholeNumber(labels[key]) ?? 0);
  return {
    product: labels[`${PREFIX}product`] || undefined,
    family: labels[`${PREFIX}family`] || undefined,
    count:
      wholeNumber(labels[`${PREFIX}device.count`]) ??
      (counts.length > 0 ? counts.reduce((a, b) => a + b, 0) : undefined),
  };
}
