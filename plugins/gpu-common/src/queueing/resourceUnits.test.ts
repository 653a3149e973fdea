import { fromEngineUnits, toEngineUnits } from './resourceUnits';

describe('engine units', () => {
  it.each([
    ['cpu', '500m', 500, '500m'],
    ['cpu', '1500m', 1500, '1500m'],
    ['cpu', 2, 2000, '2'],
    ['cpu', '100u', 1, '1m'],
    ['memory', '1Gi', 1_073_741_824, '1Gi'],
    ['memory', '1500m', 2, '2'],
    ['memory', '1000', 1000, '1k'],
    ['nvidia.com/gpu', '2k', 2000, '2k'],
    ['nvidia.com/gpu', '0', 0, '0'],
  ])('%s %s is %d, written %s', (resource, quantity, units, text) => {
    expect(toEngineUnits(resource, quantity)).toBe(units);
    expect(fromEngineUnits(resource, units)).toBe(text);
  });

  it.each([
    ['memory', '9999Ti'],
    ['memory', '8Ei'],
    ['nvidia.com/gpu', '1e30'],
    ['cpu', '10P'],
  ])('takes %s %s for as much as can be counted', (resource, quantity) => {
    expect(toEngineUnits(resource, quantity)).toBe(Number.MAX_SAFE_INTEGER);
    expect(toEngineUnits(resource, `-${quantity}`)).toBe(
      -Number.MAX_SAFE_INTEGER,
    );
  });

  it('tells a number of CPUs from a number of anything else', () => {
    expect(toEngineUnits('nvidia.com/gpu', '3')).toBe(3);
    expect(toEngineUnits('cpu', '3')).toBe(3000);
  });

  it.each(['eight', '', '1 Gi'])('refuses %p', text => {
    expect(() => toEngineUnits('memory', text)).toThrow('is not valid');
  });
});
