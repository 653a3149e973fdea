/**
 * The value of a GpuDurationPicker. A form sets hours and minutes; the template takes all four.
 *
 * @public
 */
export interface DurationValue {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

const UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;

/** Whether every part that is there is a whole number from 0; an empty one means no limit. */
export function isDuration(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    typeof value === 'object' &&
    UNITS.map(unit => (value as DurationValue)[unit]).every(
      part => part === undefined || (Number.isInteger(part) && part >= 0),
    )
  );
}

/** A duration as it is typed; days become hours, seconds the minute they begin. */
export function readDuration(value: DurationValue | undefined): {
  hours: string;
  minutes: string;
} {
  const { days, hours, minutes, seconds } = value ?? {};
  const text = (parts: Array<number | undefined>) =>
    parts.every(part => part === undefined)
      ? ''
      : String(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0));
  return {
    hours: text([days === undefined ? undefined : days * 24, hours]),
    minutes: text([
      minutes,
      seconds === undefined ? undefined : Math.ceil(seconds / 60),
    ]),
  };
}
