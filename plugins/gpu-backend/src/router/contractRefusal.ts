import { InputError } from '@backstage/errors';
import { ErrorRequestHandler } from 'express';

/** One finding of the contract's validator: `request/body/count must be <= 100000`. */
const FINDING =
  /request\/(body|query|params)((?:\/[^\s,]+)*) (must .*?)(?=, request\/|$)/g;
const MAX_SHOWN = 100;

/**
 * Rewords what the contract's validator says so that each line names the field,
 * the value and what is accepted; it leaves the value out itself.
 */
export const contractRefusal: ErrorRequestHandler = (
  error,
  req,
  _res,
  next,
) => {
  if (!(error instanceof InputError)) {
    next(error);
    return;
  }
  const sources: Record<string, unknown> = {
    body: req.body,
    query: req.query,
    params: (req as { openapi?: { pathParams?: unknown } }).openapi?.pathParams,
  };
  const lines = [...error.message.matchAll(FINDING)].map(
    ([, source, pointer, rule]) => {
      const path = pointer.split('/').slice(1).map(unescaped);
      const value = path.reduce<any>(
        (node, key) => node?.[key],
        sources[source],
      );
      return `${path.join('.') || source} is ${shown(value)}; it ${rule}`;
    },
  );
  next(lines.length > 0 ? new InputError(lines.join('\n')) : error);
};

/** A part of a JSON pointer. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'absent';
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN - 1)}…` : json;
}
