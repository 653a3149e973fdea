import { productSlug } from './gpuModel';
import { findGpuModel, gpuModels } from './gpuModels';

describe('the device table', () => {
  it.each<['nvidia' | 'amd' | 'intel', string, string, string]>([
    ['nvidia', 'NVIDIA-A100-SXM4-40GB', 'nvidia-a100-sxm4-40gb', 'a100-40'],
    ['nvidia', 'NVIDIA-A100-SXM4-80GB', 'nvidia-a100-sxm4-80gb', 'a100-80'],
    [
      'nvidia',
      'NVIDIA-A100-80GB-PCIe',
      'nvidia-a100-80gb-pcie',
      'a100-80-pcie',
    ],
    ['nvidia', 'NVIDIA-H100-80GB-HBM3', 'nvidia-h100-80gb-hbm3', 'h100-80'],
    ['nvidia', 'NVIDIA-H100-PCIe', 'nvidia-h100-pcie', 'h100-80-pcie'],
    ['nvidia', 'NVIDIA-H100-NVL', 'nvidia-h100-nvl', 'h100-nvl-94'],
    ['nvidia', 'NVIDIA-H200', 'nvidia-h200', 'h200-141'],
    ['nvidia', 'NVIDIA-H200-NVL', 'nvidia-h200-nvl', 'h200-141-nvl'],
    ['nvidia', 'NVIDIA-GH200-480GB', 'nvidia-gh200-480gb', 'gh200-96'],
    [
      'nvidia',
      'NVIDIA-GH200-144G-HBM3e',
      'nvidia-gh200-144g-hbm3e',
      'gh200-144',
    ],
    ['nvidia', 'NVIDIA-B200', 'nvidia-b200', 'b200'],
    ['nvidia', 'NVIDIA-B300-SXM6-AC', 'nvidia-b300-sxm6-ac', 'b300'],
    ['nvidia', 'NVIDIA-GB200', 'nvidia-gb200', 'gb200'],
    ['nvidia', 'NVIDIA-GB300', 'nvidia-gb300', 'gb300'],
    ['nvidia', 'NVIDIA-A30', 'nvidia-a30', 'a30'],
    ['nvidia', 'NVIDIA-L4', 'nvidia-l4', 'l4'],
    ['nvidia', 'NVIDIA-L40S', 'nvidia-l40s', 'l40s'],
    ['nvidia', 'Tesla-T4', 'nvidia-tesla-t4', 't4'],
    [
      'nvidia',
      'NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition',
      'nvidia-rtx-pro-6000-blackwell-server-edition',
      'rtx-pro-6000',
    ],
    ['amd', 'AMD_Instinct_MI300X_OAM', 'amd-instinct-mi300x', 'mi300x'],
    ['amd', 'AMD_Instinct_MI300A', 'amd-instinct-mi300a', 'mi300a'],
    ['intel', 'Max_1550', 'intel-max-1550', 'max-1550'],
    ['intel', 'Flex_170', 'intel-flex-170', 'flex-170'],
  ])('knows %s product %s', (vendor, product, slug, key) => {
    expect(productSlug(vendor, product)).toBe(slug);
    expect(findGpuModel(slug)?.key).toBe(key);
    expect(findGpuModel(key)?.key).toBe(key);
  });

  it.each(['nvidia-l40', 'nvidia-a10', 'nvidia-a100x', 'nvidia-v100', ''])(
    'does not take %p for another model',
    slug => {
      expect(findGpuModel(slug)).toBeUndefined();
    },
  );

  it('has each key once, and sane figures', () => {
    expect(new Set(gpuModels.map(model => model.key)).size).toBe(
      gpuModels.length,
    );
    for (const model of gpuModels) {
      expect(model.memoryGiB).toBeGreaterThan(0);
      expect(model.boardPowerW).toBeGreaterThan(0);
    }
  });

  it('names a product without a usable label by its vendor', () => {
    expect(productSlug('nvidia', '')).toBe('nvidia-gpu');
    expect(productSlug('amd', '---')).toBe('amd-gpu');
  });
});
