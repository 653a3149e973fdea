import { InputError } from '@backstage/errors';

/**
 * How a quantity is written: powers of ten or powers of 1024.
 *
 * @public
 */
export type QuantityFormat = 'DecimalSI' | 'BinarySI';

/**
 * Nano-units in one unit.
 *
 * @public
 */
export const NANO = 1_000_000_000n;

const INT64_MAX = 2n ** 63n - 1n;
/** Longest text and largest exponent read: beyond it lies no real resource, only work for the parser. */
const MAX_LENGTH = 128;
const MAX_EXPONENT = 100;

const QUANTITY =
  /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

/** Powers of ten by suffix. */
const DECIMAL_SUFFIXES: Record<string, number> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const ACCEPTED =
  'a decimal number with an optional suffix n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or exponent e<integer>, such as "8", "500m", "1.5Gi" or "2e3"';

/**
 * Reads a Kubernetes quantity exactly, in nano-units (×10⁹).
 *
 * Follows `resource.ParseQuantity` of k8s.io/apimachinery: what is finer than
 * a nano is rounded away from zero, so that a request for something never
 * becomes a request for nothing, and binary quantities saturate at 2⁶³−1
 * units. Stricter in one point: text without a digit (".") is refused, as
 * the published schema of the type does.
 *
 * @throws InputError that names the value and what is accepted.
 * @public
 */
export function parseQuantity(text: string | number): bigint {
  const { nano } = read(text);
  return nano;
}

/**
 * The format a quantity was written in, which apimachinery keeps when it
 * writes the quantity again. Exponents count as decimal.
 *
 * @throws InputError as {@link parseQuantity}.
 * @public
 */
export function quantityFormat(text: string | number): QuantityFormat {
  return read(text).format;
}

/**
 * Writes nano-units as apimachinery's `Quantity.String` does: no fraction,
 * largest suffix that loses nothing. Binary falls back to decimal for what is
 * below 1024 in magnitude or not whole; decimals beyond E use an exponent.
 *
 * @public
 */
export function formatQuantity(nano: bigint, format: QuantityFormat): string {
  if (nano === 0n) return '0';
  const magnitude = nano < 0n ? -nano : nano;
  const isBinary =
    format === 'BinarySI' &&
    magnitude >= 1024n * NANO &&
    magnitude % NANO === 0n;
  return isBinary ? formatBinary(nano / NANO) : formatDecimal(nano);
}

/**
 * Sum of quantities, in nano-units.
 *
 * @throws InputError as {@link parseQuantity}.
 * @public
 */
export function addQuantities(
  ...quantities: Array<string | number | bigint>
): bigint {
  return quantities.reduce<bigint>(
    (sum, quantity) =>
      sum + (typeof quantity === 'bigint' ? quantity : parseQuantity(quantity)),
    0n,
  );
}

/**
 * Whole units of a quantity in nano-units, rounded away from zero as
 * `Quantity.Value()` does: half a GPU needs a whole one.
 *
 * @throws RangeError when the result is no safe integer.
 * @public
 */
export function toUnits(nano: bigint): number {
  return toSafeInteger(divideAwayFromZero(nano, NANO), 'units');
}

/**
 * Thousandths of a unit, rounded away from zero as `Quantity.MilliValue()` does.
 *
 * @throws RangeError when the result is no safe integer.
 * @public
 */
export function toMilli(nano: bigint): number {
  return toSafeInteger(divideAwayFromZero(nano, NANO / 1000n), 'milli-units');
}

function read(text: string | number): { nano: bigint; format: QuantityFormat } {
  const written = typeof text === 'number' ? String(text) : text;
  const match =
    typeof written === 'string' && written.length <= MAX_LENGTH
      ? QUANTITY.exec(written)
      : null;
  if (!match) throw badQuantity(text);
  const [, sign, whole = '', fraction = '', bareFraction, suffix = ''] = match;
  const decimals = bareFraction ?? fraction;
  const mantissa = BigInt(`${whole}${decimals}`);

  const isBinary = suffix.endsWith('i');
  const exponent = isBinary ? 0 : decimalExponent(suffix);
  if (Math.abs(exponent) > MAX_EXPONENT) throw badQuantity(text);
  const factor = isBinary
    ? 1024n ** BigInt(BINARY_SUFFIXES.indexOf(suffix))
    : 1n;

  const power = exponent - decimals.length + 9;
  let magnitude =
    power >= 0
      ? mantissa * factor * 10n ** BigInt(power)
      : divideAwayFromZero(mantissa * factor, 10n ** BigInt(-power));
  if (isBinary && magnitude > INT64_MAX * NANO) magnitude = INT64_MAX * NANO;

  return {
    nano: sign === '-' ? -magnitude : magnitude,
    // As apimachinery: binary below one unit is written in decimal.
    format:
      isBinary && (magnitude === 0n || magnitude >= NANO)
        ? 'BinarySI'
        : 'DecimalSI',
  };
}

function decimalExponent(suffix: string): number {
  return DECIMAL_SUFFIXES[suffix] ?? Number(suffix.slice(1));
}

function formatDecimal(nano: bigint): string {
  let number = nano;
  let exponent = -9;
  while (number % 1000n === 0n) {
    number /= 1000n;
    exponent += 3;
  }
  const suffix = Object.keys(DECIMAL_SUFFIXES).find(
    key => DECIMAL_SUFFIXES[key] === exponent,
  );
  return `${number}${suffix ?? `e${exponent}`}`;
}

function formatBinary(units: bigint): string {
  let number = units;
  let index = 0;
  while (number % 1024n === 0n && index < BINARY_SUFFIXES.length - 1) {
    number /= 1024n;
    index += 1;
  }
  return `${number}${BINARY_SUFFIXES[index]}`;
}

function divideAwayFromZero(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function toSafeInteger(value: bigint, unit: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw new RangeError(
      `Quantity of ${value} ${unit} is out of range: at most ±${Number.MAX_SAFE_INTEGER} is accepted`,
    );
  }
  return number;
}

function badQuantity(value: unknown): InputError {
  const shown = String(JSON.stringify(value) ?? value);
  return new InputError(
    `Quantity ${
      shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
    } is not valid: accepted is ${ACCEPTED}`,
  );
}
