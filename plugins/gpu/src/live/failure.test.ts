import { NotAllowedError, NotFoundError } from '@backstage/errors';
import { failureOf, wordsOf } from './failure';

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

describe('wordsOf', () => {
  it('prefers what the server said', () => {
    const error = Object.assign(new Error('Request failed with 503'), {
      body: { error: { message: 'The database is not reachable' } },
    });
    expect(wordsOf(error)).toBe('The database is not reachable');
    expect(wordsOf(new TypeError('Failed to fetch'))).toBe('Failed to fetch');
  });
});
