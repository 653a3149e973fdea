import { NotAllowedError, NotFoundError } from '@backstage/errors';
import { failureOf } from './failure';

describe('failureOf', () => {
  it.each([
    [new NotAllowedError('no'), 'denied'],
    [new NotFoundError('no'), 'missing'],
    [Object.assign(new Error('x'), { statusCode: 403 }), 'denied'],
    [Object.assign(new Error('x'), { statusCode: 404 }), 'missing'],
    [
      Object.assign(new Error('x'), { cause: new NotFoundError('y') }),
      'missing',
    ],
    [Object.assign(new Error('x'), { statusCode: 503 }), 'failed'],
    [new TypeError('Failed to fetch'), 'failed'],
  ])('%s is %s', (error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });
});
