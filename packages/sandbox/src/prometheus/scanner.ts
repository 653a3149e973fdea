import { badData, PrometheusApiError } from './apiError';
import { parseDuration } from './duration';

const SUPPORTED =
  'only plain selectors are served: metric{label="value", label!="value", label=~"regexp", label!~"regexp"} with an optional range [5m] and offset 5m';

const STRING = /^(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/;
const ESCAPES: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Walks over a query, skipping white space between tokens. */
export class Scanner {
  private position = 0;

  constructor(private readonly query: string) {}

  take(token: RegExp): string | undefined {
    const rest = this.rest();
    const [found] = token.exec(rest) ?? [];
    if (found === undefined) return undefined;
    this.position = this.query.length - rest.length + found.length;
    return found;
  }

  expect(token: RegExp): string {
    const found = this.take(token);
    if (found === undefined) throw this.error();
    return found;
  }

  string(): string {
    const text = this.expect(STRING);
    const body = text.slice(1, -1);
    return text.startsWith('`')
      ? body
      : body.replace(/\\(.)/g, (_, escaped) => ESCAPES[escaped] ?? escaped);
  }

  duration(): number {
    const milliseconds = parseDuration(this.expect(/^[0-9a-z]+/));
    if (milliseconds === undefined) throw this.error();
    return milliseconds;
  }

  end(): void {
    if (this.rest() !== '') throw this.error();
  }

  error(): PrometheusApiError {
    return badData(
      `invalid parameter "query": cannot read ${JSON.stringify(
        this.query.slice(0, 200),
      )} at character ${
        this.query.length - this.rest().length + 1
      }: ${SUPPORTED}`,
    );
  }

  private rest(): string {
    return this.query.slice(this.position).trimStart();
  }
}
