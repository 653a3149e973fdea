import { Vendor } from './deviceClass';
import { migProfileName } from './migProfile';

/**
 * What an extended resource counts.
 *
 * @public
 */
export interface GpuResource {
  name: string;
  vendor: Vendor;
  /**
   * `device`: GPUs, partitions or replicas a pod can hold. `monitoring`: access to
   * look at every GPU, holds none. `fraction`: cores or memory on top of a device (HAMi).
   */
  kind: 'device' | 'monitoring' | 'fraction';
  /** MIG profile or AMD partition the name itself states. */
  partition?: string;
  /** The name itself says that devices are shared (`renameByDefault`). */
  shared: boolean;
}

const AMD_PARTITION = /^(?:spx|dpx|tpx|qpx|cpx)_nps\d+$/;
const FRACTIONS = ['gpumem', 'gpumem-percentage', 'gpucores'];

/**
 * Reads an extended resource name: `nvidia.com/gpu`, `nvidia.com/gpu.shared`,
 * `nvidia.com/mig-1g.10gb.me`, `amd.com/cpx_nps4`, `gpu.intel.com/xe` …
 * Undefined for what is no GPU.
 *
 * @public
 */
export function parseResourceName(name: string): GpuResource | undefined {
  const slash = name.indexOf('/');
  const domain = name.slice(0, Math.max(slash, 0));
  const rest = name.slice(slash + 1);
  switch (domain) {
    case 'nvidia.com':
      return parseNvidia(name, rest);
    case 'amd.com':
      if (rest === 'gpu') return device(name, 'amd');
      return AMD_PARTITION.test(rest)
        ? device(name, 'amd', { partition: rest })
        : undefined;
    case 'gpu.intel.com':
      if (rest === 'i915' || rest === 'xe') return device(name, 'intel');
      return rest === 'i915_monitoring' || rest === 'xe_monitoring'
        ? { name, vendor: 'intel', kind: 'monitoring', shared: false }
        : undefined;
    default:
      return undefined;
  }
}

function parseNvidia(name: string, rest: string): GpuResource | undefined {
  if (FRACTIONS.includes(rest)) {
    return { name, vendor: 'nvidia', kind: 'fraction', shared: false };
  }
  const shared = rest.endsWith('.shared');
  const base = shared ? rest.slice(0, -'.shared'.length) : rest;
  if (base === 'gpu') return device(name, 'nvidia', { shared });
  if (!base.startsWith('mig-')) return undefined;
  const partition = migProfileName(base.slice('mig-'.length));
  return partition === undefined
    ? undefined
    : device(name, 'nvidia', { partition, shared });
}

function device(
  name: string,
  vendor: Vendor,
  rest: { partition?: string; shared?: boolean } = {},
): GpuResource {
  return { name, vendor, kind: 'device', shared: false, ...rest };
}
