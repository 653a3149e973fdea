/** What a failed call means to the reader. */
export type Failure = 'denied' | 'missing' | 'failed';

/** Reads the kind of failure from the error's name or the HTTP status it carries. */
export function failureOf(error: Error): Failure {
  const { statusCode, cause } = error as Error & {
    statusCode?: number;
    cause?: { name?: string };
  };
  const names = [error.name, cause?.name];
  if (statusCode === 403 || names.includes('NotAllowedError')) {
    return 'denied';
  }
  if (statusCode === 404 || names.includes('NotFoundError')) {
    return 'missing';
  }
  return 'failed';
}

/** The server's own words where the error carries them, else the error's. */
export function wordsOf(error: Error): string {
  const { body } = error as Error & {
    body?: { error?: { message?: string } };
  };
  return body?.error?.message || error.message;
}
