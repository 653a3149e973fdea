import {
  formatQuantity,
  NANO,
  parseQuantity,
  toMilli,
  toUnits,
} from '../quantities';

/** Clusters write the same few quantities again and again. */
const MAX_KNOWN = 2000;
const known = new Map<string, number>();

/** Largest amount the engine counts: sums that pass it stay there. */
const MAX_UNITS = Number.MAX_SAFE_INTEGER;
const MOST = BigInt(MAX_UNITS);

const BINARY = /^(memory|ephemeral-storage|hugepages-.*)$/;

/**
 * A quantity in the units the queueing engine counts in: thousandths for
 * `cpu`, whole units for everything else, rounded up (Kueue `ResourceValue`).
 * What is beyond ±(2⁵³−1) units is taken for just that much: people write such
 * quotas to say "no limit" (9999Ti of memory), as Kueue does beyond int64.
 *
 * @throws InputError when the text is no quantity.
 * @public
 */
export function toEngineUnits(
  resource: string,
  quantity: string | number,
): number {
  const key = resource === 'cpu' ? `cpu ${quantity}` : String(quantity);
  let units = known.get(key);
  if (units === undefined) {
    const nano = parseQuantity(quantity);
    const nanoPerUnit = resource === 'cpu' ? NANO / 1000n : NANO;
    if (nano > MOST * nanoPerUnit) units = MAX_UNITS;
    else if (nano < -MOST * nanoPerUnit) units = -MAX_UNITS;
    else units = resource === 'cpu' ? toMilli(nano) : toUnits(nano);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, units);
  }
  return units;
}

/**
 * The reverse of {@link toEngineUnits}, written as Kueue writes quantities in
 * messages and status: binary suffixes for memory and storage, decimal ones
 * for the rest (2000 GPUs are "2k").
 *
 * @public
 */
export function fromEngineUnits(resource: string, units: number): string {
  const nano =
    resource === 'cpu' ? (BigInt(units) * NANO) / 1000n : BigInt(units) * NANO;
  return formatQuantity(nano, BINARY.test(resource) ? 'BinarySI' : 'DecimalSI');
}

/** The amount, or the most that is counted. */
export function saturated(units: number): number {
  return Math.min(units, MAX_UNITS);
}
