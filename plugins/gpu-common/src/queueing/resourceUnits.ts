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

const BINARY = /^(memory|ephemeral-storage|hugepages-.*)$/;

/**
 * A quantity in the units the queueing engine counts in: thousandths for
 * `cpu`, whole units for everything else, rounded up (Kueue `ResourceValue`).
 *
 * @throws InputError when the text is no quantity, RangeError when it is beyond ±(2⁵³−1).
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
    units = resource === 'cpu' ? toMilli(nano) : toUnits(nano);
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

/**
 * Guards arithmetic on engine units.
 *
 * @throws RangeError that names what is out of range.
 */
export function checkUnits(value: number, what: string): number {
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `${what} is ${value}: accepted are whole numbers up to ±${Number.MAX_SAFE_INTEGER}`,
    );
  }
  return value;
}
