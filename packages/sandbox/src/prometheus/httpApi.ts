import { badData, PrometheusApiError } from './apiError';
import { parseStep, parseTime } from './duration';
import { LOOKBACK_MS, QueryEngine, Series } from './queryEngine';
import { parseSelector, Selector } from './selector';
import { Labels } from './seriesLabels';

const MAX_POINTS = 11_000;
const SERVED =
  '/api/v1/query, /api/v1/query_range, /api/v1/series, /api/v1/labels, /api/v1/label/<name>/values, /api/v1/status/buildinfo, /-/ready';

/** Answers one request of Prometheus' HTTP API v1: the `data` of a success. */
export function answer(
  engine: QueryEngine,
  now: number,
  path: string,
  parameters: URLSearchParams,
): unknown {
  switch (path) {
    case '/api/v1/query':
      return query(engine, now, parameters);
    case '/api/v1/query_range':
      return queryRange(engine, parameters);
    case '/api/v1/series':
      return series(engine, now, parameters, true);
    case '/api/v1/labels':
      return [
        ...new Set(
          series(engine, now, parameters, false).flatMap(labels =>
            Object.keys(labels),
          ),
        ),
      ].sort();
    case '/api/v1/status/buildinfo':
      return {
        version: '3.5.0',
        revision: '',
        branch: '',
        buildUser: '',
        buildDate: '',
        goVersion: '',
      };
    default: {
      const [, name] = /^\/api\/v1\/label\/([^/]+)\/values$/.exec(path) ?? [];
      if (!name) {
        throw new PrometheusApiError(
          'not_found',
          `${path} is not served; served are ${SERVED}`,
        );
      }
      const values = series(engine, now, parameters, false).flatMap(
        labels => labels[decodeURIComponent(name)] ?? [],
      );
      return [...new Set(values)].sort();
    }
  }
}

function query(engine: QueryEngine, now: number, parameters: URLSearchParams) {
  const selector = parseSelector(parameters.get('query') ?? '');
  const time = parseTime('time', parameters.get('time') ?? undefined, now);
  if (hasRange(selector)) {
    return {
      resultType: 'matrix',
      result: engine.range(selector, time).map(matrixRow),
    };
  }
  return {
    resultType: 'vector',
    result: engine
      .atMoments(selector, [time])
      .map(({ labels, samples: [sample] }) => ({
        metric: labels,
        value: point(sample),
      })),
  };
}

function queryRange(engine: QueryEngine, parameters: URLSearchParams) {
  const start = parseTime('start', parameters.get('start') ?? undefined);
  const end = parseTime('end', parameters.get('end') ?? undefined);
  if (end < start) {
    throw badData(
      'invalid parameter "end": end timestamp must not be before start time',
    );
  }
  const step = parseStep(parameters.get('step') ?? undefined);
  if ((end - start) / step > MAX_POINTS) {
    throw badData(
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
    );
  }
  const selector = parseSelector(parameters.get('query') ?? '');
  if (hasRange(selector)) {
    throw badData(
      'invalid parameter "query": invalid expression type "range vector" for range query, must be Scalar or instant Vector',
    );
  }
  const moments = Array.from(
    { length: Math.floor((end - start) / step) + 1 },
    (_, index) => start + index * step,
  );
  return {
    resultType: 'matrix',
    result: engine.atMoments(selector, moments).map(matrixRow),
  };
}

function series(
  engine: QueryEngine,
  now: number,
  parameters: URLSearchParams,
  needsMatch: boolean,
): Labels[] {
  const match = parameters.getAll('match[]');
  if (match.length === 0 && needsMatch) {
    throw badData('no match[] parameter provided');
  }
  const selectors = match.map(text => {
    const selector = parseSelector(text);
    if (hasRange(selector) || selector.offsetMs !== 0) {
      throw badData(
        `invalid parameter "match[]": ${JSON.stringify(
          text,
        )} must be a selector without range and offset`,
      );
    }
    return selector.matchers;
  });
  const end = parseTime('end', parameters.get('end') ?? undefined, now);
  const start = parseTime(
    'start',
    parameters.get('start') ?? undefined,
    end - LOOKBACK_MS,
  );
  return engine.seriesBetween(match.length > 0 ? selectors : [[]], start, end);
}

function hasRange(
  selector: Selector,
): selector is Selector & { rangeMs: number } {
  return selector.rangeMs !== undefined;
}

function matrixRow({ labels, samples }: Series) {
  return { metric: labels, values: samples.map(point) };
}

function point([at, value]: [number, number]): [number, string] {
  return [at / 1000, String(value)];
}
