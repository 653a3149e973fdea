import { InputError } from '@backstage/errors';
import { NANO } from './quantity';

/**
 * An amount of money: whole nano-units (10⁻⁹) of one currency.
 *
 * @public
 */
export interface Money {
  nano: bigint;
  /** ISO 4217 code, for example `EUR`. */
  currency: string;
}

const AMOUNT = /^(-?)(\d{1,30})(?:\.(\d{1,9}))?$/;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * Reads a decimal amount such as `4`, `2.50` or `-0.000000001` exactly.
 *
 * @throws InputError that names the value and what is accepted.
 * @public
 */
export function parseMoney(amount: string | number, currency: string): Money {
  const match = AMOUNT.exec(String(amount));
  if (!match) {
    throw new InputError(
      `Amount ${JSON.stringify(
        amount,
      )} is not valid: accepted is a decimal number with at most 9 places, such as "4" or "2.50"`,
    );
  }
  if (!CURRENCY.test(currency)) {
    throw new InputError(
      `Currency ${JSON.stringify(
        currency,
      )} is not valid: accepted is an ISO 4217 code of three capital letters, such as "EUR"`,
    );
  }
  const [, sign, whole, fraction = ''] = match;
  const magnitude = BigInt(whole) * NANO + BigInt(fraction.padEnd(9, '0'));
  return { nano: sign ? -magnitude : magnitude, currency };
}

/**
 * Sum of amounts of one currency.
 *
 * @throws InputError when currencies differ or no amount is given: a sum needs a currency.
 * @public
 */
export function addMoney(...amounts: Money[]): Money {
  const currencies = [...new Set(amounts.map(amount => amount.currency))];
  if (currencies.length !== 1) {
    throw new InputError(
      `Amounts of currencies [${currencies.join(
        ', ',
      )}] cannot be added: accepted are amounts of exactly one currency`,
    );
  }
  return {
    nano: amounts.reduce((sum, amount) => sum + amount.nano, 0n),
    currency: currencies[0],
  };
}

/**
 * Writes an amount with `digits` places, rounded half away from zero.
 * What is lost here is the `rounding` line of a report, nowhere else.
 *
 * @public
 */
export function formatMoney(money: Money, digits: number = 2): string {
  const step = 10n ** BigInt(9 - digits);
  const magnitude = money.nano < 0n ? -money.nano : money.nano;
  const scaled = (magnitude + step / 2n) / step;
  const scale = 10n ** BigInt(digits);
  const fraction = (scaled % scale).toString().padStart(digits, '0');
  const sign = money.nano < 0n && scaled > 0n ? '-' : '';
  return `${sign}${scaled / scale}${digits > 0 ? `.${fraction}` : ''} ${
    money.currency
  }`;
}
