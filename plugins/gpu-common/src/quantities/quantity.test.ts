import fc from 'fast-check';
import {
  addQuantities,
  formatQuantity,
  NANO,
  parseQuantity,
  quantityFormat,
  toMilli,
  toUnits,
} from './quantity';

const Ki = 1024n;
const INT64_MAX = 2n ** 63n - 1n;

describe('parseQuantity', () => {
  // Values and cases follow k8s.io/apimachinery's TestQuantityParse.
  it.each<[string | number, bigint]>([
    ['0', 0n],
    ['0n', 0n],
    ['0Ki', 0n],
    ['1', NANO],
    [8, 8n * NANO],
    [0.5, NANO / 2n],
    ['+1', NANO],
    ['-1', -NANO],
    ['1Ki', 1024n * NANO],
    ['8Ki', 8n * Ki * NANO],
    ['7Mi', 7n * Ki ** 2n * NANO],
    ['6Gi', 6n * Ki ** 3n * NANO],
    ['5Ti', 5n * Ki ** 4n * NANO],
    ['4Pi', 4n * Ki ** 5n * NANO],
    ['3Ei', 3n * Ki ** 6n * NANO],
    ['5n', 5n],
    ['4u', 4_000n],
    ['3m', 3_000_000n],
    ['8k', 8_000n * NANO],
    ['50k', 50_000n * NANO],
    ['7M', 7_000_000n * NANO],
    ['6G', 6n * 10n ** 9n * NANO],
    ['5T', 5n * 10n ** 12n * NANO],
    ['2P', 2n * 10n ** 15n * NANO],
    ['1E', 10n ** 18n * NANO],
    ['12E', 12n * 10n ** 18n * NANO],
    ['1E-3', 1_000_000n],
    ['1e3', 1_000n * NANO],
    ['1E6', 10n ** 6n * NANO],
    ['1e14', 10n ** 14n * NANO],
    ['1.3E+6', 1_300_000n * NANO],
    ['1.53E12', 1_530_000_000_000n * NANO],
    ['0.5e-2', 5_000_000n],
    ['100.035k', 100_035n * NANO],
    ['0.0005k', NANO / 2n],
    ['10.035M', 10_035_000n * NANO],
    ['9.01', 9_010_000_000n],
    ['6.987654321G', 6_987_654_321n * NANO],
    ['1.01E', 1_010_000_000_000_000_000n * NANO],
    // Finer than a nano: rounded up, never to zero.
    ['3.001n', 4n],
    ['-3.001n', -4n],
    ['1.1E-9', 2n],
    ['0.0000000001', 1n],
    ['0.0000000005', 1n],
    ['0.9n', 1n],
    ['0.00000012345', 124n],
    ['0.00000012354', 124n],
    ['0.000000000001Ki', 2n],
    // Binary quantities saturate; decimal ones do not.
    ['9Ei', INT64_MAX * NANO],
    ['9223372036854775807Ki', INT64_MAX * NANO],
    ['-9Ei', -INT64_MAX * NANO],
    ['100.035Ki', 102_435_840_000_000n],
    ['0.5Mi', 524_288n * NANO],
    ['0.05Gi', 53_687_091_200_000_000n],
    ['.001', 1_000_000n],
    ['.0001k', 100_000_000n],
    ['1.', NANO],
    ['1.G', 10n ** 9n * NANO],
    ['0042', 42n * NANO],
  ])('reads %p', (text, nano) => {
    expect(parseQuantity(text)).toBe(nano);
  });

  it.each([
    '',
    '.',
    '+',
    ' 1',
    '1 ',
    '1.1.M',
    '1+1.0M',
    '0.1mi',
    '0.1am',
    'aoeu',
    '.5i',
    '1i',
    '-3.01i',
    '-3.01e-',
    '1K',
    '1ki',
    '1e1.5',
    '1e101',
    '1e-999999999',
    '0x10',
    '١',
    'NaN',
    '9'.repeat(200),
  ])('refuses %p and says what is accepted', text => {
    expect(() => parseQuantity(text)).toThrow(/^Quantity ".*accepted is/);
    expect(() => quantityFormat(text)).toThrow('accepted is');
  });

  it.each([NaN, Infinity, undefined, null, {}, [1]])(
    'refuses %p, which is no quantity',
    value => {
      expect(() => parseQuantity(value as unknown as string)).toThrow(
        'accepted is',
      );
    },
  );

  it('names the value in the message, cut when it is long', () => {
    expect(() => parseQuantity('12 GPUs')).toThrow('Quantity "12 GPUs" is not');
    expect(() => parseQuantity('x'.repeat(5000))).toThrow(/^.{1,400}$/);
  });
});

describe('quantityFormat', () => {
  it.each([
    ['1', 'DecimalSI'],
    ['1e3', 'DecimalSI'],
    ['5k', 'DecimalSI'],
    ['1Gi', 'BinarySI'],
    ['0Ki', 'BinarySI'],
    ['0.0001Ki', 'DecimalSI'],
  ])('of %p is %s', (text, format) => {
    expect(quantityFormat(text)).toBe(format);
  });
});

describe('formatQuantity', () => {
  it.each<[bigint, 'DecimalSI' | 'BinarySI', string]>([
    [0n, 'DecimalSI', '0'],
    [0n, 'BinarySI', '0'],
    [1n, 'DecimalSI', '1n'],
    [1_500_000_000n, 'DecimalSI', '1500m'],
    [NANO / 10n, 'DecimalSI', '100m'],
    [1_080_000n, 'DecimalSI', '1080u'],
    [1080n * NANO, 'DecimalSI', '1080'],
    [2_000n * NANO, 'DecimalSI', '2k'],
    [108_000_000_000n * NANO, 'DecimalSI', '108G'],
    [10n ** 21n * NANO, 'DecimalSI', '1e21'],
    [-2_500n * NANO, 'DecimalSI', '-2500'],
    [1536n * Ki ** 2n * NANO, 'BinarySI', '1536Mi'],
    [Ki ** 3n * NANO, 'BinarySI', '1Gi'],
    [1000n * NANO, 'BinarySI', '1k'],
    [512n * NANO, 'BinarySI', '512'],
    [1024n * NANO, 'BinarySI', '1Ki'],
    [1025n * NANO, 'BinarySI', '1025'],
    [-Ki * NANO, 'BinarySI', '-1Ki'],
    [102_435_840_000_000n, 'BinarySI', '102435840m'],
    [Ki ** 7n * NANO, 'BinarySI', '1024Ei'],
  ])('writes %p nano in %s as %s', (nano, format, text) => {
    expect(formatQuantity(nano, format)).toBe(text);
  });
});

describe('whole units and thousandths', () => {
  it.each<[string, number, number]>([
    ['1', 1, 1000],
    ['500m', 1, 500],
    ['1001m', 2, 1001],
    ['1u', 1, 1],
    ['0', 0, 0],
    ['-1.5', -2, -1500],
    ['2Ki', 2048, 2_048_000],
  ])('of %s are %i and %i', (text, units, milli) => {
    expect(toUnits(parseQuantity(text))).toBe(units);
    expect(toMilli(parseQuantity(text))).toBe(milli);
  });

  it('refuses what a number cannot hold exactly', () => {
    expect(() => toUnits(parseQuantity('10E'))).toThrow('out of range');
  });
});

describe('addQuantities', () => {
  it('adds texts, numbers and nano-units', () => {
    expect(addQuantities('1500m', 2, 500_000_000n)).toBe(4n * NANO);
    expect(addQuantities()).toBe(0n);
  });
});

describe('properties', () => {
  const int64 = fc.bigInt({ min: -INT64_MAX, max: INT64_MAX });
  const format = fc.constantFrom<'DecimalSI' | 'BinarySI'>(
    'DecimalSI',
    'BinarySI',
  );

  it('what is written is read back as the same value', () => {
    fc.assert(
      fc.property(int64, format, (nano, as) => {
        expect(parseQuantity(formatQuantity(nano, as))).toBe(nano);
      }),
    );
  });

  it('whole binary units are read back as the same value', () => {
    fc.assert(
      fc.property(int64, units => {
        const text = formatQuantity(units * NANO, 'BinarySI');
        expect(parseQuantity(text)).toBe(units * NANO);
      }),
    );
  });

  it('order is preserved', () => {
    const decimal = fc
      .tuple(fc.integer({ min: -99999, max: 99999 }), fc.nat({ max: 999999 }))
      .map(([whole, fraction]) => ({
        text: `${whole}.${String(fraction).padStart(6, '0')}`,
        value: BigInt(`${whole}${String(fraction).padStart(6, '0')}`),
      }));
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(parseQuantity(a.text) < parseQuantity(b.text)).toBe(
          a.value < b.value,
        );
      }),
    );
  });

  it('any text is either read or refused with an InputError', () => {
    const outcome = (text: string): string => {
      try {
        return typeof parseQuantity(text);
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(fc.string(), text => {
        expect(['bigint', 'InputError']).toContain(outcome(text));
      }),
    );
  });
});
