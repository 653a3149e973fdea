import { InputError } from '@backstage/errors';

/**
 * Divides a whole amount in proportion to weights so that the parts sum to it
 * exactly: the largest-remainder method (Hamilton). Each part differs from its
 * exact proportion by less than one; equal remainders go to the earlier part,
 * so that the same input always gives the same parts.
 *
 * @throws InputError for a negative weight, or when an amount has no weight to go to.
 * @public
 */
export function apportion(total: bigint, weights: readonly bigint[]): bigint[] {
  const negative = weights.findIndex(weight => weight < 0n);
  if (negative >= 0) {
    throw new InputError(
      `Weight ${negative} is ${weights[negative]}: accepted is zero or more`,
    );
  }
  const sum = weights.reduce((left, right) => left + right, 0n);
  if (sum === 0n) {
    if (total === 0n) return weights.map(() => 0n);
    throw new InputError(
      `An amount of ${total} cannot be divided: all ${weights.length} weights are zero, accepted is at least one above zero`,
    );
  }

  const sign = total < 0n ? -1n : 1n;
  const magnitude = total * sign;
  const parts = weights.map(weight => (magnitude * weight) / sum);
  const remainders = weights.map(weight => (magnitude * weight) % sum);
  const left = magnitude - parts.reduce((a, b) => a + b, 0n);
  const order = weights
    .map((_, index) => index)
    .sort((a, b) => compare(remainders[b], remainders[a]) || a - b);
  for (const index of order.slice(0, Number(left))) parts[index] += 1n;
  return parts.map(part => part * sign);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
