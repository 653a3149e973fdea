/** The three clusters of the reference fleet; only spokes hold GPUs. */
export const clusterNames = ['hub', 'spoke-a', 'spoke-b'] as const;
export type ClusterName = (typeof clusterNames)[number];
export type SpokeName = Exclude<ClusterName, 'hub'>;
export const spokeNames: readonly SpokeName[] = ['spoke-a', 'spoke-b'];

/** One MIG profile as GPU Feature Discovery describes it on an A100 80 GB. */
export interface PartitionProfile {
  name: string;
  memoryMiB: number;
  multiprocessors: number;
  /** GPU and compute slices of seven. */
  slices: number;
  decoders: number;
  /** GPU instance id of the first partition of this profile; the next ones follow. */
  firstInstanceId: number;
}

export const a100Profiles: Readonly<Record<string, PartitionProfile>> = {
  '1g.10gb': {
    name: '1g.10gb',
    memoryMiB: 9728,
    multiprocessors: 14,
    slices: 1,
    decoders: 0,
    firstInstanceId: 7,
  },
  '2g.20gb': {
    name: '2g.20gb',
    memoryMiB: 19968,
    multiprocessors: 28,
    slices: 2,
    decoders: 1,
    firstInstanceId: 3,
  },
  '3g.40gb': {
    name: '3g.40gb',
    memoryMiB: 40192,
    multiprocessors: 42,
    slices: 3,
    decoders: 2,
    firstInstanceId: 1,
  },
};

/** How a kind of server offers its GPUs: one layout is one ResourceFlavor. */
export interface NodeLayout {
  /** Name of the ResourceFlavor and middle part of the node names. */
  name: string;
  pool: 'train' | 'serve' | 'dev';
  description: string;
  servers: Partial<Record<SpokeName, number>>;
  gpusPerServer: number;
  gpu: {
    product: string;
    family: string;
    memoryMiB: number;
    compute: { major: number; minor: number };
    machine: string;
  };
  /** MIG partitions of each GPU; absent: the GPU is not partitioned. */
  partitions?: Readonly<Record<string, number>>;
  migConfig?: string;
  /** Replicas each GPU is time-sliced into; 1: not shared. */
  replicas: number;
  /** Node labels that tell this layout from the others on the same cluster. */
  nodeLabels: Readonly<Record<string, string>>;
  goodFor: string;
}

const a100 = {
  product: 'NVIDIA-A100-SXM4-80GB',
  family: 'ampere',
  memoryMiB: 81920,
  compute: { major: 8, minor: 0 },
  machine: 'ProLiant-XL675d-Gen10-Plus',
};

const a100Layout = (
  name: string,
  migConfig: string,
  perSpoke: number,
  partitions: Record<string, number>,
): NodeLayout => ({
  name,
  pool: 'serve',
  description: `A100 80 GB in MIG layout ${migConfig}`,
  servers: { 'spoke-a': perSpoke, 'spoke-b': perSpoke },
  gpusPerServer: 8,
  gpu: a100,
  partitions,
  migConfig,
  replicas: 1,
  nodeLabels: {
    'nvidia.com/gpu.product': a100.product,
    'nvidia.com/mig.config': migConfig,
  },
  goodFor: 'inference, evaluation',
});

/** Source: the reference fleet (480 GPUs on 60 servers of eight). */
export const layouts: readonly NodeLayout[] = [
  {
    name: 'h100',
    pool: 'train',
    description: 'Whole H100 SXM5 80 GB on NVLink',
    servers: { 'spoke-a': 16 },
    gpusPerServer: 8,
    gpu: {
      product: 'NVIDIA-H100-80GB-HBM3',
      family: 'hopper',
      memoryMiB: 81559,
      compute: { major: 9, minor: 0 },
      machine: 'PowerEdge-XE9680',
    },
    replicas: 1,
    nodeLabels: { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' },
    goodFor: 'training, fine-tuning, whole nodes',
  },
  a100Layout('a100-mig-1g', 'all-1g.10gb', 6, { '1g.10gb': 7 }),
  a100Layout('a100-mig-3g', 'all-3g.40gb', 4, { '3g.40gb': 2 }),
  a100Layout('a100-mig-balanced', 'all-balanced', 4, {
    '1g.10gb': 2,
    '2g.20gb': 1,
    '3g.40gb': 1,
  }),
  {
    name: 'l40s-shared',
    pool: 'dev',
    description: 'L40S 48 GB, time-sliced into four',
    servers: { 'spoke-b': 16 },
    gpusPerServer: 8,
    gpu: {
      product: 'NVIDIA-L40S',
      family: 'ada-lovelace',
      memoryMiB: 46068,
      compute: { major: 8, minor: 9 },
      machine: 'ThinkSystem-SR675-V3',
    },
    replicas: 4,
    nodeLabels: {
      'nvidia.com/gpu.product': 'NVIDIA-L40S',
      'nvidia.com/gpu.sharing-strategy': 'time-slicing',
    },
    goodFor: 'notebooks, development',
  },
];

/** Layouts a cluster has servers of, in the order Kueue tries their flavors. */
export function layoutsOf(cluster: ClusterName): NodeLayout[] {
  return layouts.filter(layout => serversOf(layout, cluster) > 0);
}

export function serversOf(layout: NodeLayout, cluster: ClusterName): number {
  return cluster === 'hub' ? 0 : layout.servers[cluster] ?? 0;
}

/** Extended resources one GPU of a layout offers, with how many units of each. */
export function unitsPerGpu(layout: NodeLayout): Record<string, number> {
  if (layout.partitions) {
    return Object.fromEntries(
      Object.entries(layout.partitions).map(([profile, count]) => [
        `nvidia.com/mig-${profile}`,
        count,
      ]),
    );
  }
  // The device plugin renames shared GPUs (renameByDefault), so that a replica
  // is never mistaken for a whole GPU.
  return layout.replicas > 1
    ? { 'nvidia.com/gpu.shared': layout.replicas }
    : { 'nvidia.com/gpu': 1 };
}

/** Units of each resource that a layout has on a cluster: what quota divides. */
export function poolUnits(
  layout: NodeLayout,
  cluster: ClusterName,
): Record<string, number> {
  const gpus = serversOf(layout, cluster) * layout.gpusPerServer;
  return Object.fromEntries(
    Object.entries(unitsPerGpu(layout)).map(([resource, units]) => [
      resource,
      units * gpus,
    ]),
  );
}

/** GPU resources of a cluster in one fixed order: Kueue wants the same order in every flavor. */
export function gpuResourcesOf(cluster: ClusterName): string[] {
  return [
    ...new Set(
      layoutsOf(cluster).flatMap(layout => Object.keys(unitsPerGpu(layout))),
    ),
  ].sort();
}
