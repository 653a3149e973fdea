import { badData } from './apiError';

const UNITS: ReadonlyArray<readonly [string, number]> = [
  ['y', 365 * 86_400_000],
  ['w', 7 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];
const DURATION = new RegExp(
  `^${UNITS.map(([unit]) => `(?:(\\d+)${unit})?`).join('')}$`,
);

/** A PromQL duration such as `5m` or `1h30m`, in milliseconds; undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  const match = text === '' ? null : DURATION.exec(text);
  if (!match) return undefined;
  return UNITS.reduce(
    (sum, [, milliseconds], index) =>
      sum + Number(match[index + 1] ?? 0) * milliseconds,
    0,
  );
}

/** The parameter `step`: seconds or a duration, in milliseconds. */
export function parseStep(text: string | undefined): number {
  const seconds = text === undefined || text === '' ? NaN : Number(text);
  const step = Number.isFinite(seconds)
    ? Math.round(seconds * 1000)
    : parseDuration(text ?? '');
  if (step === undefined) {
    throw badData(
      `invalid parameter "step": cannot parse "${
        text ?? ''
      }" to a valid duration`,
    );
  }
  if (step <= 0) {
    throw badData(
      'invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer',
    );
  }
  return step;
}

/** A time parameter: unix seconds or RFC 3339, in milliseconds. */
export function parseTime(
  name: string,
  text: string | undefined,
  otherwise?: number,
): number {
  if ((text === undefined || text === '') && otherwise !== undefined) {
    return otherwise;
  }
  const seconds = text ? Number(text) : NaN;
  const time = Number.isFinite(seconds)
    ? Math.round(seconds * 1000)
    : Date.parse(text ?? '');
  if (!Number.isFinite(time)) {
    throw badData(
      `invalid parameter "${name}": cannot parse "${
        text ?? ''
      }" to a valid timestamp`,
    );
  }
  return time;
}
