import { addMoney, formatMoney, parseMoney } from './money';

describe('parseMoney', () => {
  it.each<[string | number, bigint]>([
    ['4', 4_000_000_000n],
    [2.5, 2_500_000_000n],
    ['-0.000000001', -1n],
    ['0.10', 100_000_000n],
  ])('reads %p', (text, nano) => {
    expect(parseMoney(text, 'EUR')).toEqual({ nano, currency: 'EUR' });
  });

  it.each(['', '1,5', '1e3', '.5', '1.', '0.0000000001', 'NaN', ' 1'])(
    'refuses the amount %p',
    text => {
      expect(() => parseMoney(text, 'EUR')).toThrow(/^Amount ".*accepted is/);
    },
  );

  it('refuses a currency that is no ISO code', () => {
    expect(() => parseMoney('1', 'euro')).toThrow('Currency "euro"');
  });
});

describe('addMoney', () => {
  it('adds amounts of one currency only', () => {
    const sum = addMoney(parseMoney('1.25', 'EUR'), parseMoney('-0.5', 'EUR'));
    expect(sum).toEqual(parseMoney('0.75', 'EUR'));
    expect(() =>
      addMoney(parseMoney('1', 'EUR'), parseMoney('1', 'USD')),
    ).toThrow('[EUR, USD]');
    expect(() => addMoney()).toThrow('exactly one currency');
  });
});

describe('formatMoney', () => {
  it.each<[string, number, string]>([
    ['4', 2, '4.00 EUR'],
    ['0.005', 2, '0.01 EUR'],
    ['0.004999999', 2, '0.00 EUR'],
    ['-1.005', 2, '-1.01 EUR'],
    ['-0.001', 2, '0.00 EUR'],
    ['1.5', 0, '2 EUR'],
    ['0.123456789', 9, '0.123456789 EUR'],
  ])('writes %s with %i places as %s', (text, digits, written) => {
    expect(formatMoney(parseMoney(text, 'EUR'), digits)).toBe(written);
  });
});
