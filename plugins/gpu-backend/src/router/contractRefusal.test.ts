import { InputError, NotFoundError } from '@backstage/errors';
import { contractRefusal } from './contractRefusal';

function reworded(error: Error, req: object = {}): Error {
  const next = jest.fn();
  contractRefusal(error, req as any, {} as any, next);
  return next.mock.calls[0][0];
}

describe('contractRefusal', () => {
  it.each([
    [
      'request/body/count must be <= 100000',
      { body: { count: 10_000_000_000 } },
      'count is 10000000000; it must be <= 100000',
    ],
    [
      'request/query/limit must be integer, request/query/state/0 must be equal to one of the allowed values: a, b',
      { query: { limit: 'x', state: ['c'] } },
      'limit is "x"; it must be integer\nstate.0 is "c"; it must be equal to one of the allowed values: a, b',
    ],
    [
      'request/params/id must match pattern "^[a-z, ]+$"',
      { openapi: { pathParams: { id: 'A' } } },
      'id is "A"; it must match pattern "^[a-z, ]+$"',
    ],
    [
      "request/body must have required property 'name'",
      { body: {} },
      "body is {}; it must have required property 'name'",
    ],
    [
      "request/body/file must have required property 'path'",
      { body: { file: 'x'.repeat(200) } },
      `file is "${'x'.repeat(98)}…; it must have required property 'path'`,
    ],
  ])('%s', (message, req, expected) => {
    const error = reworded(new InputError(message), req);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(expected);
  });

  it('leaves what is not the validator’s alone', () => {
    for (const error of [
      new InputError('cursor is "x"; accepted is one from a page'),
      new NotFoundError('request/body/x must exist'),
    ]) {
      expect(reworded(error)).toBe(error);
    }
  });
});
