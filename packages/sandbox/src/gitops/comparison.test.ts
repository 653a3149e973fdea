import { applyPatch, contains, withoutPointers } from './comparison';

describe('contains', () => {
  it.each([
    ['more than is wanted', { a: 1, b: 2 }, { a: 1 }, true],
    ['less than is wanted', { a: 1 }, { a: 1, b: 2 }, false],
    ['another value', { a: 1 }, { a: 2 }, false],
    ['defaults within a list', [{ n: 1, d: 2 }], [{ n: 1 }], true],
    ['a longer list', [1, 2], [1], false],
    ['a number printed as text', { cpu: '1' }, { cpu: 1 }, true],
    ['an explicit null', { a: 1 }, { b: null }, true],
    ['nothing at all', undefined, { a: 1 }, false],
  ])('%s', (_name, live, wanted, expected) => {
    expect(contains(live, wanted)).toBe(expected);
  });
});

describe('applyPatch', () => {
  it.each([
    ['nothing', { a: 1 }, { a: 1 }, { a: 1, b: 2 }, undefined],
    ['what changed', { a: 1 }, { a: 2 }, { a: 1, b: 2 }, { a: 2 }],
    [
      'what is no longer wanted',
      { a: { x: 1, y: 2 } },
      { a: { x: 1 } },
      { a: { x: 1, y: 2, z: 3 } },
      { a: { y: null } },
    ],
    ['what others added stays', {}, { a: {} }, { a: { b: 1 } }, undefined],
    ['without a record', undefined, { a: 1 }, {}, { a: 1 }],
  ])('%s', (_name, last, wanted, live, expected) => {
    expect(applyPatch(last, wanted, live)).toEqual(expected);
  });
});

it('leaves out the fields that pointers name', () => {
  const object = { spec: { suspend: true, other: 1 } };
  expect(withoutPointers(object, ['/spec/suspend', '/spec/none/deep'])).toEqual(
    { spec: { other: 1 } },
  );
  expect(object.spec.suspend).toBe(true);
});
