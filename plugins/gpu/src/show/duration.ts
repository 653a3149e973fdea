const UNITS: Array<[seconds: number, symbol: string]> = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/**
 * A span of time in its two largest units: `45 s`, `3 min 20 s`, `2 h 5 min`,
 * `3 d 4 h`. Whole seconds; below zero counts as zero.
 */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([size]) => whole >= size);
  if (first === -1) {
    return '0 s';
  }
  const [size, symbol] = UNITS[first];
  const head = `${Math.floor(whole / size)} ${symbol}`;
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((whole % size) / next[0]) : 0;
  return rest > 0 ? `${head} ${rest} ${next[1]}` : head;
}

/** A span of time in its largest unit alone: `45 s`, `3 min`, `2 h`, `3 d`; for ages in lists. */
export function formatCoarsely(seconds: number): string {
  return formatDuration(seconds).split(' ').slice(0, 2).join(' ');
}

/** Seconds from `from` to `to`; both RFC 3339 or a date. */
export function secondsBetween(from: string | Date, to: string | Date): number {
  return (new Date(to).getTime() - new Date(from).getTime()) / 1_000;
}
