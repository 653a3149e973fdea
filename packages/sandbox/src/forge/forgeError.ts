/** An answer other than success, in Gitea's words. */
export class ForgeError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Further members of the body beside message and url. */
    readonly extra: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** 404 as Gitea's APIErrorNotFound writes it: the cause goes into `errors`. */
export function notFound(...errors: string[]): ForgeError {
  return new ForgeError(404, 'not found', { errors });
}

export function unprocessable(message: string): ForgeError {
  return new ForgeError(422, message);
}
