/** An answer of Prometheus' HTTP API other than success. */
export class PrometheusApiError extends Error {
  constructor(
    readonly errorType: 'bad_data' | 'execution' | 'not_found',
    message: string,
  ) {
    super(message);
  }

  get statusCode(): number {
    return { bad_data: 400, execution: 422, not_found: 404 }[this.errorType];
  }
}

/** 400: the request is wrong. */
export function badData(message: string): PrometheusApiError {
  return new PrometheusApiError('bad_data', message);
}
