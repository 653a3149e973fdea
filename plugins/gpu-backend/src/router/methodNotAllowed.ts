import { NotFoundError } from '@backstage/errors';
import { openApi } from '@gpuaas/backstage-plugin-gpu-common';
import { Router } from 'express';

class MethodNotAllowedError extends Error {
  readonly statusCode = 405;
  override readonly name = 'MethodNotAllowedError';
}

/** Answers 405 for the methods a documented path does not have, and 404 with a body below `/v1` for every other path. */
export function refuseTheRest(router: Router): void {
  for (const [path, operations] of Object.entries(openApi.paths)) {
    const accepted = Object.keys(operations).map(name => name.toUpperCase());
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), (req, res) => {
      res.setHeader('Allow', accepted.join(', '));
      throw new MethodNotAllowedError(
        `Method ${req.method} is not accepted; accepted is ${accepted.join(
          ' or ',
        )}`,
      );
    });
  }
  router.use('/v1', req => {
    throw new NotFoundError(
      `There is no ${req.originalUrl.split('?')[0]}; see v1/openapi.json`,
    );
  });
}
