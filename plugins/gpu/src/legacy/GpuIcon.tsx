import { RiCpuLine } from '@remixicon/react';

/**
 * The plugin's icon, for `appIcons` of a dynamic plugin's wiring.
 *
 * @public
 */
export function GpuIcon() {
  return <RiCpuLine />;
}
