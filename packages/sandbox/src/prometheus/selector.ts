import { badData } from './apiError';
import { Scanner } from './scanner';

/** One condition on a label. */
export interface Matcher {
  label: string;
  operator: '=' | '!=' | '=~' | '!~';
  value: string;
  matches: (value: string) => boolean;
}

/** A plain vector selector, the only expression that is served. */
export interface Selector {
  matchers: Matcher[];
  /** `[5m]`: a range vector. */
  rangeMs?: number;
  offsetMs: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*/;
const OPERATOR = /^(=~|!~|!=|=)/;

/**
 * Reads a selector.
 *
 * @throws PrometheusApiError bad_data for anything else PromQL can say, naming what is served.
 */
export function parseSelector(query: string): Selector {
  const scanner = new Scanner(query);
  const matchers: Matcher[] = [];
  const name = scanner.take(NAME);
  if (name) matchers.push(matcher(query, '__name__', '=', name));
  if (scanner.take(/^\{/)) {
    while (!scanner.take(/^\}/)) {
      const label = scanner.expect(LABEL);
      const operator = scanner.expect(OPERATOR) as Matcher['operator'];
      matchers.push(matcher(query, label, operator, scanner.string()));
      if (!scanner.take(/^,/)) {
        scanner.expect(/^\}/);
        break;
      }
    }
  } else if (!name) {
    throw scanner.error();
  }
  if (!matchers.some(item => !item.matches(''))) {
    throw badData(
      `invalid parameter "query": vector selector must contain at least one non-empty matcher`,
    );
  }

  const selector: Selector = { matchers, offsetMs: 0 };
  if (scanner.take(/^\[/)) {
    selector.rangeMs = scanner.duration();
    if (selector.rangeMs === 0) {
      throw badData(
        'invalid parameter "query": duration must be greater than 0',
      );
    }
    scanner.expect(/^\]/);
  }
  if (scanner.take(/^offset\b/i)) {
    const sign = scanner.take(/^-/) ? -1 : 1;
    selector.offsetMs = sign * scanner.duration();
  }
  scanner.end();
  return selector;
}

function matcher(
  query: string,
  label: string,
  operator: Matcher['operator'],
  value: string,
): Matcher {
  if (operator === '=' || operator === '!=') {
    return {
      label,
      operator,
      value,
      matches: text => (text === value) === (operator === '='),
    };
  }
  let expression: RegExp;
  try {
    // Anchored at both ends, and the dot matches line breaks, as in Prometheus.
    expression = new RegExp(`^(?:${value})$`, 's');
  } catch (error) {
    throw badData(
      `invalid parameter "query": error parsing regexp ${JSON.stringify(
        value,
      )} in ${JSON.stringify(query)}: ${(error as Error).message}`,
    );
  }
  return {
    label,
    operator,
    value,
    matches: text => expression.test(text) === (operator === '=~'),
  };
}
