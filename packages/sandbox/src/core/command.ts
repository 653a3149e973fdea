/* eslint-disable @typescript-eslint/no-explicit-any */

/** What a sandbox container does. */
export interface Run {
  /** How long it runs; Infinity when only its deletion ends it. */
  seconds: number;
  exitCode: number;
}

const unitSeconds: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  m: 60,
  h: 3600,
  d: 86400,
};

/** A container whose command does not sleep is done after so long. */
const shortRunSeconds = 1;

/**
 * Reads a container's run from its command and arguments: it runs for the sum
 * of its `sleep <number>[smhd]` (`sleep infinity`: for ever), and ends with
 * what a trailing `exit <n>` or `false` says, else with 0.
 */
export function runOf(container: { command?: any; args?: any }): Run {
  const words = [...(container.command ?? []), ...(container.args ?? [])].join(
    ' ',
  );
  const sleeps = [
    ...words.matchAll(
      /\bsleep\s+(?:(infinity|inf)\b|(\d+(?:\.\d+)?)([smhd]?))/g,
    ),
  ];
  const seconds = sleeps.reduce(
    (sum, [, forever, number, unit]) =>
      sum + (forever ? Infinity : Number(number) * unitSeconds[unit]),
    0,
  );
  const [, code, fails] =
    /\b(?:exit\s+(\d+)|(false))\s*['"]?\s*;?\s*$/.exec(words) ?? [];
  return {
    seconds: sleeps.length > 0 ? seconds : shortRunSeconds,
    exitCode: fails ? 1 : Number(code ?? 0) % 256,
  };
}
