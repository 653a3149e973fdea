import { DateTime } from 'luxon';

/** A moment in the reader's own time zone: the time today, else the date too. */
export function formatMoment(
  at: string | Date,
  now: Date = new Date(),
): string {
  const moment = DateTime.fromJSDate(new Date(at));
  return moment.hasSame(DateTime.fromJSDate(now), 'day')
    ? moment.toFormat('HH:mm:ss')
    : moment.toFormat('d LLL, HH:mm:ss');
}

/** A moment, with its full RFC 3339 stamp for machines and as a tooltip. */
export function Moment({ at }: { at: string | Date }) {
  const iso = typeof at === 'string' ? at : at.toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {formatMoment(at)}
    </time>
  );
}
