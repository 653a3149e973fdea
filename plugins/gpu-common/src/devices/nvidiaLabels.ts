import { wholeNumber } from './labelNumber';
import { migProfileName } from './migProfile';

/**
 * How devices are shared among pods.
 *
 * @public
 */
export interface Sharing {
  /** 1: not shared. */
  replicas: number;
  strategy?: 'time-slicing' | 'mps';
}

/**
 * What NVIDIA's GPU Feature Discovery says of a node.
 *
 * @public
 */
export interface NvidiaLabels {
  /** `nvidia.com/gpu.product` without its suffixes. */
  product?: string;
  /** Profile every GPU is cut into: MIG strategy `single`. */
  singleProfile?: string;
  /** What stands in its place and names no profile, such as a compute instance (`1c.3g.40gb`). */
  unreadProfile?: string;
  migStrategy?: 'none' | 'single' | 'mixed';
  /** `nvidia.com/gpu.count`: under `single` these are slices, else GPUs. */
  count?: number;
  /** `nvidia.com/gpu.memory`, MiB: under `single` of a slice, else of a GPU. */
  memoryMiB?: number;
  sharing: Sharing;
  /** MIG strategy `mixed`: what the labels say of each profile. */
  mig: Record<string, NvidiaMigLabels>;
  /** NVLink domain across servers: `<cluster uuid>.<clique>`. */
  clique?: string;
}

/** @public */
export interface NvidiaMigLabels {
  count?: number;
  memoryMiB?: number;
  /** GPU-instance slices, the number before the `g`. */
  computeSlices?: number;
  sharing: Sharing;
}

const PREFIX = 'nvidia.com/';
const MIG_LABEL =
  /^mig-(.+)\.(count|memory|slices\.gi|replicas|sharing-strategy)$/;
const PRODUCT = /^(.*?)(?:-MIG-(.+?))?(-SHARED)?$/;

/**
 * Reads the labels of GPU Feature Discovery. Never throws: what cannot be read
 * is left out.
 *
 * @public
 */
export function parseNvidiaLabels(
  labels: Readonly<Record<string, string>>,
): NvidiaLabels {
  const get = (name: string): string | undefined => labels[`${PREFIX}${name}`];
  const [, product, profile, shared] =
    PRODUCT.exec(get('gpu.product') ?? '') ?? [];
  const strategy = get('mig.strategy');
  const singleProfile = profile ? migProfileName(profile) : undefined;
  return {
    product: product || undefined,
    singleProfile,
    ...(profile && !singleProfile && { unreadProfile: profile }),
    migStrategy:
      strategy === 'none' || strategy === 'single' || strategy === 'mixed'
        ? strategy
        : undefined,
    count: wholeNumber(get('gpu.count')),
    memoryMiB: wholeNumber(get('gpu.memory')),
    sharing: sharing(
      get('gpu.replicas'),
      get('gpu.sharing-strategy'),
      shared !== undefined,
    ),
    mig: parseMig(labels),
    clique: get('gpu.clique') || undefined,
  };
}

function parseMig(
  labels: Readonly<Record<string, string>>,
): Record<string, NvidiaMigLabels> {
  const values = new Map<string, Map<string, string>>();
  for (const [key, value] of Object.entries(labels)) {
    if (!key.startsWith(PREFIX)) continue;
    const [, profile, attribute] =
      MIG_LABEL.exec(key.slice(PREFIX.length)) ?? [];
    const name = profile && migProfileName(profile);
    if (!name) continue;
    if (!values.has(name)) values.set(name, new Map());
    values.get(name)!.set(attribute, value);
  }
  return Object.fromEntries(
    [...values].map(([profile, of]) => [
      profile,
      {
        count: wholeNumber(of.get('count')),
        memoryMiB: wholeNumber(of.get('memory')),
        computeSlices: wholeNumber(of.get('slices.gi')),
        sharing: sharing(of.get('replicas'), of.get('sharing-strategy'), false),
      },
    ]),
  );
}

/** Replicas 0 and 1 both mean "not shared". */
function sharing(
  replicas: string | undefined,
  strategy: string | undefined,
  isShared: boolean,
): Sharing {
  const count = wholeNumber(replicas) ?? 1;
  if (count < 2) return { replicas: 1 };
  if (strategy === 'mps') return { replicas: count, strategy: 'mps' };
  // An older discovery has no strategy label: then sharing is time-slicing.
  return strategy === 'time-slicing' || isShared || strategy === undefined
    ? { replicas: count, strategy: 'time-slicing' }
    : { replicas: 1 };
}
