import { InputError } from '@backstage/errors';
import { DeviceClass } from './deviceClass';
import { findGpuModel } from './gpuModels';
import { amdPartitionShare, migShare } from './physicalShare';

/**
 * A part of a GPU in the asker's own terms.
 *
 * @public
 */
export interface Fraction {
  /** Per cent of one GPU's cores, above 0 and at most 100. */
  corePercent: number;
  /** Memory, MiB. */
  vramMiB: number;
}

/**
 * What may be chosen: a class, its live capacity, and its price if there is one.
 *
 * @public
 */
export interface FractionOffer {
  deviceClass: DeviceClass;
  cluster?: string;
  flavor?: string;
  /** Units on nodes that are alive. */
  total: number;
  /** Units that can be had now. */
  free: number;
  /** Of a whole GPU of the model, in nano-units of one currency. */
  pricePerGpuHourNano?: bigint;
}

/** @public */
export interface FractionCandidate<T extends FractionOffer = FractionOffer> {
  offer: T;
  verdict: 'chosen' | 'fits' | 'rejected';
  reason:
    | 'cheapest'
    | 'larger-share'
    | 'higher-price'
    | 'none-free'
    | 'too-few-cores'
    | 'too-little-memory'
    | 'memory-unknown'
    | 'no-units';
  sentence: string;
}

/** @public */
export interface FractionMatch<T extends FractionOffer = FractionOffer> {
  /** `now`: a unit is free. `later`: it must be waited for. `never`: no class satisfies both. */
  verdict: 'now' | 'later' | 'never';
  chosen?: T;
  /** Every offer with its reason, the chosen one first, then by preference. */
  candidates: FractionCandidate<T>[];
}

/**
 * Matches a fraction of a GPU to the class that satisfies both cores and
 * memory with the smallest share of a GPU, then the lowest price; a class with
 * a free unit goes before a smaller one that must be waited for.
 *
 * @throws InputError that names the field, its value and what is accepted.
 * @public
 */
export function matchFraction<T extends FractionOffer>(
  wanted: Fraction,
  offers: readonly T[],
): FractionMatch<T> {
  check(wanted);
  const rejected: FractionCandidate<T>[] = [];
  const fitting: T[] = [];
  for (const offer of offers) {
    const rejection = reject(wanted, offer);
    if (rejection) rejected.push({ offer, verdict: 'rejected', ...rejection });
    else fitting.push(offer);
  }
  fitting.sort(
    (a, b) => Number(b.free > 0) - Number(a.free > 0) || compareCost(a, b),
  );
  const [chosen, ...others] = fitting;
  if (!chosen) return { verdict: 'never', candidates: rejected };
  return {
    verdict: chosen.free > 0 ? 'now' : 'later',
    chosen,
    candidates: [
      {
        offer: chosen,
        verdict: 'chosen',
        reason: 'cheapest',
        sentence: `${
          chosen.deviceClass.title
        } is the smallest share of a GPU that gives ${
          wanted.corePercent
        } % of the cores and ${wanted.vramMiB} MiB${
          chosen.free > 0 ? ' and is free now' : '; none is free now'
        }`,
      },
      ...others.map(offer => passedOver(offer, chosen)),
      ...rejected,
    ],
  };
}

/** Per cent of one GPU's cores that a unit of a class has for itself. @public */
export function corePercentOf(deviceClass: DeviceClass): number {
  const { form, model, shareNano } = deviceClass;
  const geometry = findGpuModel(model);
  const { partition } = form;
  const computeNano = partition
    ? (geometry?.mig && migShare(geometry.mig, partition)?.computeNano) ??
      (geometry?.amd && amdPartitionShare(geometry.amd, partition)?.computeNano)
    : 1e9;
  return computeNano === undefined
    ? shareNano / 1e7
    : computeNano / (form.replicas ?? 1) / 1e7;
}

function reject<T extends FractionOffer>(
  wanted: Fraction,
  { deviceClass, total }: T,
): Pick<FractionCandidate, 'reason' | 'sentence'> | undefined {
  const { title, vramMiB } = deviceClass;
  const cores = corePercentOf(deviceClass);
  if (cores + 1e-6 < wanted.corePercent) {
    return {
      reason: 'too-few-cores',
      sentence: `${title} has ${round(cores)} % of the cores, ${
        wanted.corePercent
      } % are wanted`,
    };
  }
  if (vramMiB === 0 && wanted.vramMiB > 0) {
    return {
      reason: 'memory-unknown',
      sentence: `${title}: its memory is not known, ${wanted.vramMiB} MiB are wanted`,
    };
  }
  if (vramMiB < wanted.vramMiB) {
    return {
      reason: 'too-little-memory',
      sentence: `${title} has ${vramMiB} MiB, ${wanted.vramMiB} MiB are wanted`,
    };
  }
  if (total === 0) {
    return {
      reason: 'no-units',
      sentence: `${title} has no unit on a node that is alive`,
    };
  }
  return undefined;
}

function passedOver<T extends FractionOffer>(
  offer: T,
  chosen: T,
): FractionCandidate<T> {
  const { title, shareNano } = offer.deviceClass;
  const percent = round(shareNano / 1e7);
  if (offer.free === 0 && chosen.free > 0) {
    return {
      offer,
      verdict: 'fits',
      reason: 'none-free',
      sentence: `${title} would do, but none of its ${offer.total} units is free`,
    };
  }
  const isLarger = shareNano > chosen.deviceClass.shareNano;
  return {
    offer,
    verdict: 'fits',
    reason: isLarger ? 'larger-share' : 'higher-price',
    sentence: isLarger
      ? `${title} would do, but takes ${percent} % of a GPU instead of ${round(
          chosen.deviceClass.shareNano / 1e7,
        )} %`
      : `${title} would do at the same share, but is not cheaper`,
  };
}

/** Smaller share first, then lower price; offers without a price after those with one. */
function compareCost(a: FractionOffer, b: FractionOffer): number {
  const byShare = a.deviceClass.shareNano - b.deviceClass.shareNano;
  if (byShare !== 0) return byShare;
  if (a.pricePerGpuHourNano !== b.pricePerGpuHourNano) {
    if (a.pricePerGpuHourNano === undefined) return 1;
    if (b.pricePerGpuHourNano === undefined) return -1;
    return a.pricePerGpuHourNano < b.pricePerGpuHourNano ? -1 : 1;
  }
  // More room first; then by name, so that the answer does not depend on order.
  return b.free - a.free || compareText(a.deviceClass.id, b.deviceClass.id);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function check({ corePercent, vramMiB }: Fraction): void {
  if (!(corePercent > 0 && corePercent <= 100)) {
    throw new InputError(
      `corePercent is ${corePercent}: accepted is a number above 0 and at most 100`,
    );
  }
  if (!Number.isInteger(vramMiB) || vramMiB < 0) {
    throw new InputError(
      `vramMiB is ${vramMiB}: accepted is a whole number of MiB, zero or more`,
    );
  }
}

function round(percent: number): number {
  return Math.round(percent * 10) / 10;
}
