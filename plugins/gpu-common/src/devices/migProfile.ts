import { MigGeometry, MigProfile } from './gpuModel';

const PROFILE = /^(\d+)g\.(\d+)gb([.-][a-z.]+)?$/;

/**
 * A profile name as resource names spell it: NVIDIA's `1g.10gb+me` is
 * advertised as `mig-1g.10gb.me`. Undefined for what is no profile name.
 *
 * @public
 */
export function migProfileName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\+/g, '.');
  return PROFILE.test(name) ? name : undefined;
}

/**
 * The profile of a geometry. Drivers name the same slice a little differently
 * (`7g.186gb`, `7g.189gb`): a name the table lacks takes the row of the same
 * compute slices whose memory is nearest.
 *
 * @public
 */
export function findMigProfile(
  geometry: MigGeometry,
  text: string,
): MigProfile | undefined {
  const name = migProfileName(text);
  if (!name) return undefined;
  const known = geometry.profiles.find(profile => profile.name === name);
  if (known) return known;

  const wanted = size(name);
  const [nearest] = geometry.profiles
    .filter(profile => profile.compute === wanted.compute && !profile.variant)
    .map(profile => ({
      profile,
      off: Math.abs(size(profile.name).gigabytes / wanted.gigabytes - 1),
    }))
    .filter(({ off }) => off <= 0.2)
    .sort((a, b) => a.off - b.off);
  return nearest && { ...nearest.profile, name };
}

/** Compute slices and gigabytes a profile's name states. */
function size(name: string): { compute: number; gigabytes: number } {
  const [, compute, gigabytes] = PROFILE.exec(name)!;
  return { compute: Number(compute), gigabytes: Number(gigabytes) };
}

/**
 * Can one GPU hold these instances? Checks each profile's maximum, the compute
 * slices, and that the instances can be placed side by side on the memory
 * slices, as the driver does.
 *
 * @public
 */
export function isLegalLayout(
  geometry: MigGeometry,
  layout: Record<string, number>,
): boolean {
  const wanted: MigProfile[] = [];
  for (const [name, count] of Object.entries(layout)) {
    const profile = findMigProfile(geometry, name);
    if (!profile || !Number.isInteger(count) || count < 0) return false;
    if (count > profile.max) return false;
    for (let i = 0; i < count; i++) wanted.push(profile);
  }
  const compute = wanted.reduce((sum, profile) => sum + profile.compute, 0);
  if (compute > geometry.computeSlices) return false;
  wanted.sort((a, b) => b.memory - a.memory);
  return canPlace(wanted, 0, 0);
}

/** Backtracking over at most eight memory slices, kept as bits. */
function canPlace(wanted: MigProfile[], index: number, taken: number): boolean {
  if (index === wanted.length) return true;
  const { memory, starts } = wanted[index];
  return starts.some(start => {
    const bits = (2 ** memory - 1) * 2 ** start;
    // eslint-disable-next-line no-bitwise
    return (taken & bits) === 0 && canPlace(wanted, index + 1, taken | bits);
  });
}
