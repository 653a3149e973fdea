import { MigGeometry, MigProfile } from './gpuModel';

/**
 * MIG of the big dies (GA100, GH100, GB100): 7 compute and 8 memory slices.
 * Counts and layouts: NVIDIA/mig-parted configurations; starts: `nvidia-smi mig -lgipp`.
 */
export function mig7(
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
export function mig4(
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

/** The plain profile with an engine of its own, or without. */
export function variant(
  of: MigProfile,
  suffix: string,
  max: number,
): MigProfile {
  return { ...of, name: `${of.name}${suffix}`, max, variant: true };
}

export const MIG_80 = mig7([
  '1g.10gb',
  '1g.20gb',
  '2g.20gb',
  '3g.40gb',
  '4g.40gb',
  '7g.80gb',
]);
export const MIG_96 = mig7([
  '1g.12gb',
  '1g.24gb',
  '2g.24gb',
  '3g.48gb',
  '4g.48gb',
  '7g.96gb',
]);
export const MIG_141 = mig7([
  '1g.18gb',
  '1g.35gb',
  '2g.35gb',
  '3g.71gb',
  '4g.71gb',
  '7g.141gb',
]);
