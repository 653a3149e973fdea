import { GpuModel, MigGeometry, MigProfile } from './gpuModel';

/**
 * MIG of the big dies (GA100, GH100, GB100): 7 compute and 8 memory slices.
 * Counts and layouts: NVIDIA/mig-parted configurations; starts: `nvidia-smi mig -lgipp`.
 */
function mig7(
  [one, oneWide, two, three, four, seven]: string[],
  media = true,
): MigGeometry {
  const profiles: MigProfile[] = [
    profile(one, 7, 1, 1, [0, 1, 2, 3, 4, 5, 6]),
    profile(oneWide, 4, 1, 2, [0, 2, 4, 6]),
    profile(two, 3, 2, 2, [0, 2, 4]),
    profile(three, 2, 3, 4, [0, 4]),
    profile(four, 1, 4, 4, [0]),
    profile(seven, 1, 7, 8, [0]),
  ];
  if (media) profiles.push(variant(profiles[0], '.me', 1));
  return {
    computeSlices: 7,
    memorySlices: 8,
    profiles,
    balanced: { [one]: 2, [two]: 1, [three]: 1 },
  };
}

/** MIG with four compute and four memory slices: A30 and RTX PRO 6000 Blackwell. */
function mig4(
  [one, two, four]: string[],
  variants: (
    one: MigProfile,
    two: MigProfile,
    four: MigProfile,
  ) => MigProfile[],
): MigGeometry {
  const ones = profile(one, 4, 1, 1, [0, 1, 2, 3]);
  const twos = profile(two, 2, 2, 2, [0, 2]);
  const fours = profile(four, 1, 4, 4, [0]);
  return {
    computeSlices: 4,
    memorySlices: 4,
    profiles: [ones, twos, fours, ...variants(ones, twos, fours)],
    balanced: { [one]: 2, [two]: 1 },
  };
}

function profile(
  name: string,
  max: number,
  compute: number,
  memory: number,
  starts: number[],
): MigProfile {
  return { name, max, compute, memory, starts };
}

function variant(of: MigProfile, suffix: string, max: number): MigProfile {
  return { ...of, name: `${of.name}${suffix}`, max, variant: true };
}

const MIG_80 = mig7([
  '1g.10gb',
  '1g.20gb',
  '2g.20gb',
  '3g.40gb',
  '4g.40gb',
  '7g.80gb',
]);
const MIG_96 = mig7([
  '1g.12gb',
  '1g.24gb',
  '2g.24gb',
  '3g.48gb',
  '4g.48gb',
  '7g.96gb',
]);
const MIG_141 = mig7([
  '1g.18gb',
  '1g.35gb',
  '2g.35gb',
  '3g.71gb',
  '4g.71gb',
  '7g.141gb',
]);

/**
 * Every GPU model the product knows, first match wins. Memory and board power
 * as the vendors' data sheets give them; a model that is not listed still
 * works, by what its node's labels say.
 *
 * @public
 */
export const gpuModels: readonly GpuModel[] = [
  {
    key: 'a100-40',
    vendor: 'nvidia',
    name: 'NVIDIA A100 40 GB',
    memoryGiB: 40,
    boardPowerW: 400,
    fabric: 'nvlink',
    product: /^nvidia-a[18]00-.*40gb/,
    mig: mig7([
      '1g.5gb',
      '1g.10gb',
      '2g.10gb',
      '3g.20gb',
      '4g.20gb',
      '7g.40gb',
    ]),
  },
  {
    key: 'a100-80-pcie',
    vendor: 'nvidia',
    name: 'NVIDIA A100 80 GB PCIe',
    memoryGiB: 80,
    boardPowerW: 300,
    fabric: 'pcie',
    product: /^nvidia-a[18]00-(80gb-pcie|pcie-80gb)/,
    mig: MIG_80,
  },
  {
    key: 'a100-80',
    vendor: 'nvidia',
    name: 'NVIDIA A100 80 GB',
    memoryGiB: 80,
    boardPowerW: 400,
    fabric: 'nvlink',
    product: /^nvidia-a[18]00-.*80gb/,
    mig: MIG_80,
  },
  {
    key: 'h100-nvl-94',
    vendor: 'nvidia',
    name: 'NVIDIA H100 NVL 94 GB',
    memoryGiB: 94,
    boardPowerW: 400,
    fabric: 'nvlink',
    product: /^nvidia-h[18]00-(nvl|.*94gb)/,
    mig: mig7([
      '1g.12gb',
      '1g.24gb',
      '2g.24gb',
      '3g.47gb',
      '4g.47gb',
      '7g.94gb',
    ]),
  },
  {
    key: 'h100-96',
    vendor: 'nvidia',
    name: 'NVIDIA H100 96 GB',
    memoryGiB: 96,
    boardPowerW: 700,
    fabric: 'nvlink',
    product: /^nvidia-h[18]00-.*96gb/,
    mig: MIG_96,
  },
  {
    key: 'h100-80-pcie',
    vendor: 'nvidia',
    name: 'NVIDIA H100 80 GB PCIe',
    memoryGiB: 80,
    boardPowerW: 350,
    fabric: 'pcie',
    product: /^nvidia-h[18]00-pcie/,
    mig: MIG_80,
  },
  {
    key: 'h100-80',
    vendor: 'nvidia',
    name: 'NVIDIA H100 80 GB',
    memoryGiB: 80,
    boardPowerW: 700,
    fabric: 'nvlink',
    product: /^nvidia-h[18]00\b/,
    mig: MIG_80,
  },
  {
    key: 'h200-141-nvl',
    vendor: 'nvidia',
    name: 'NVIDIA H200 NVL 141 GB',
    memoryGiB: 141,
    boardPowerW: 600,
    fabric: 'nvlink',
    product: /^nvidia-h200-nvl/,
    mig: MIG_141,
  },
  {
    key: 'h200-141',
    vendor: 'nvidia',
    name: 'NVIDIA H200 141 GB',
    memoryGiB: 141,
    boardPowerW: 700,
    fabric: 'nvlink',
    product: /^nvidia-h200\b/,
    mig: MIG_141,
  },
  {
    key: 'gh200-144',
    vendor: 'nvidia',
    name: 'NVIDIA GH200 144 GB',
    memoryGiB: 144,
    boardPowerW: 900,
    fabric: 'nvlink',
    product: /^nvidia-gh200-144g/,
    mig: mig7([
      '1g.18gb',
      '1g.36gb',
      '2g.36gb',
      '3g.72gb',
      '4g.72gb',
      '7g.144gb',
    ]),
  },
  {
    // The product label names the Grace CPU's memory (120GB, 480GB).
    key: 'gh200-96',
    vendor: 'nvidia',
    name: 'NVIDIA GH200 96 GB',
    memoryGiB: 96,
    boardPowerW: 900,
    fabric: 'nvlink',
    product: /^nvidia-gh200\b/,
    mig: MIG_96,
  },
  {
    key: 'b200',
    vendor: 'nvidia',
    name: 'NVIDIA B200 180 GB',
    memoryGiB: 180,
    boardPowerW: 1000,
    fabric: 'nvlink',
    product: /^nvidia-b200\b/,
    mig: mig7([
      '1g.23gb',
      '1g.45gb',
      '2g.45gb',
      '3g.90gb',
      '4g.90gb',
      '7g.180gb',
    ]),
  },
  {
    key: 'b300',
    vendor: 'nvidia',
    name: 'NVIDIA B300 269 GB',
    memoryGiB: 269,
    boardPowerW: 1100,
    fabric: 'nvlink',
    product: /^nvidia-b300\b/,
    mig: mig7([
      '1g.34gb',
      '1g.67gb',
      '2g.67gb',
      '3g.135gb',
      '4g.135gb',
      '7g.269gb',
    ]),
  },
  {
    key: 'gb200',
    vendor: 'nvidia',
    name: 'NVIDIA GB200 186 GB',
    memoryGiB: 186,
    boardPowerW: 1200,
    fabric: 'nvlink-rack',
    product: /^nvidia-gb200\b/,
    mig: mig7([
      '1g.23gb',
      '1g.47gb',
      '2g.47gb',
      '3g.93gb',
      '4g.93gb',
      '7g.186gb',
    ]),
  },
  {
    key: 'gb300',
    vendor: 'nvidia',
    name: 'NVIDIA GB300 278 GB',
    memoryGiB: 278,
    boardPowerW: 1400,
    fabric: 'nvlink-rack',
    product: /^nvidia-gb300\b/,
    mig: mig7([
      '1g.35gb',
      '1g.70gb',
      '2g.70gb',
      '3g.139gb',
      '4g.139gb',
      '7g.278gb',
    ]),
  },
  {
    key: 'a30',
    vendor: 'nvidia',
    name: 'NVIDIA A30 24 GB',
    memoryGiB: 24,
    boardPowerW: 165,
    fabric: 'pcie',
    product: /^nvidia-a30\b/,
    mig: mig4(['1g.6gb', '2g.12gb', '4g.24gb'], (one, two) => [
      variant(one, '.me', 1),
      variant(two, '.me', 1),
    ]),
  },
  {
    key: 'rtx-pro-6000',
    vendor: 'nvidia',
    name: 'NVIDIA RTX PRO 6000 Blackwell 96 GB',
    memoryGiB: 96,
    boardPowerW: 600,
    fabric: 'pcie',
    product: /^nvidia-rtx-pro-6000-blackwell/,
    mig: mig4(['1g.24gb', '2g.48gb', '4g.96gb'], (one, two, four) => [
      variant(one, '.gfx', 4),
      variant(one, '.me', 1),
      variant(one, '.me.all', 1),
      variant(one, '-me', 4),
      variant(two, '.gfx', 2),
      variant(two, '.me.all', 1),
      variant(two, '-me', 2),
      variant(four, '.gfx', 1),
    ]),
  },
  {
    key: 'l40s',
    vendor: 'nvidia',
    name: 'NVIDIA L40S 48 GB',
    memoryGiB: 48,
    boardPowerW: 350,
    fabric: 'pcie',
    product: /^nvidia-l40s\b/,
  },
  {
    key: 'l4',
    vendor: 'nvidia',
    name: 'NVIDIA L4 24 GB',
    memoryGiB: 24,
    boardPowerW: 72,
    fabric: 'pcie',
    product: /^nvidia-l4$/,
  },
  {
    key: 't4',
    vendor: 'nvidia',
    name: 'NVIDIA T4 16 GB',
    memoryGiB: 16,
    boardPowerW: 70,
    fabric: 'pcie',
    product: /^nvidia-(tesla-)?t4$/,
  },
  {
    key: 'mi300x',
    vendor: 'amd',
    name: 'AMD Instinct MI300X 192 GB',
    memoryGiB: 192,
    boardPowerW: 750,
    fabric: 'infinity-fabric',
    product: /mi300x/,
    amd: {
      computeUnits: 304,
      computeModes: { spx: 1, dpx: 2, qpx: 4, cpx: 8 },
      memoryModes: { nps1: 1, nps2: 2, nps4: 4 },
    },
  },
  {
    key: 'mi300a',
    vendor: 'amd',
    name: 'AMD Instinct MI300A 128 GB',
    memoryGiB: 128,
    boardPowerW: 550,
    fabric: 'infinity-fabric',
    product: /mi300a/,
    amd: {
      computeUnits: 228,
      computeModes: { spx: 1, tpx: 3, cpx: 6 },
      memoryModes: { nps1: 1 },
    },
  },
  {
    key: 'max-1550',
    vendor: 'intel',
    name: 'Intel Data Center GPU Max 1550 128 GB',
    memoryGiB: 128,
    boardPowerW: 600,
    fabric: 'pcie',
    product: /^intel-max-1550/,
  },
  {
    key: 'max-1100',
    vendor: 'intel',
    name: 'Intel Data Center GPU Max 1100 48 GB',
    memoryGiB: 48,
    boardPowerW: 300,
    fabric: 'pcie',
    product: /^intel-max-1100/,
  },
  {
    key: 'flex-170',
    vendor: 'intel',
    name: 'Intel Data Center GPU Flex 170 16 GB',
    memoryGiB: 16,
    boardPowerW: 150,
    fabric: 'pcie',
    product: /^intel-flex-170/,
  },
  {
    // One card carries two GPUs of 6 GB; the plugin lists each.
    key: 'flex-140',
    vendor: 'intel',
    name: 'Intel Data Center GPU Flex 140 6 GB',
    memoryGiB: 6,
    boardPowerW: 75,
    fabric: 'pcie',
    product: /^intel-flex-140/,
  },
];

/**
 * The model a product slug or a model key names; undefined for one the table lacks.
 *
 * @public
 */
export function findGpuModel(slugOrKey: string): GpuModel | undefined {
  return gpuModels.find(
    model => model.key === slugOrKey || model.product.test(slugOrKey),
  );
}
