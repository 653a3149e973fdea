import { encodeJson } from './encodeJson';

describe('encodeJson', () => {
  it('escapes what Go escapes, and means the same', () => {
    const value = { text: 'a<b> & "c" \u2028\u2029 é 漢 🚀' };
    const json = encodeJson(value);
    expect(json).toBe(
      '{"text":"a\\u003cb\\u003e \\u0026 \\"c\\" \\u2028\\u2029 é 漢 🚀"}',
    );
    expect(JSON.parse(json)).toEqual(value);
  });
});
