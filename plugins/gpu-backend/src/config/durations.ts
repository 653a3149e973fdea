import { Config, readDurationFromConfig } from '@backstage/config';
import { durationToMilliseconds, HumanDuration } from '@backstage/types';
import { onlyKeys, refuse } from './refuse';

/** Milliseconds throughout. */
export interface Durations {
  /** For which ended Workloads are kept. */
  retention: number;
  /** After its end, for which a Job's file stays in Git. */
  tidyUpGrace: number;
  /** Between two looks for files to take out of Git. */
  tidyUpFrequency: number;
}

/**
 * Reads `gpu.retention` and `gpu.tidyUp`.
 *
 * @throws InputError naming the key, the value and what is accepted.
 */
export function readDurations(config: Config): Durations {
  const known = { retention: ['workloads'], tidyUp: ['grace', 'frequency'] };
  for (const [section, keys] of Object.entries(known)) {
    const key = `gpu.${section}`;
    if (config.has(key)) {
      onlyKeys(config.getConfig(key), key, keys);
    }
  }
  return {
    retention: read(config, 'gpu.retention.workloads', {
      absent: { days: 30 },
      least: { days: 1 },
    }),
    tidyUpGrace: read(config, 'gpu.tidyUp.grace', {
      absent: { minutes: 15 },
      least: { seconds: 0 },
    }),
    tidyUpFrequency: read(config, 'gpu.tidyUp.frequency', {
      absent: { minutes: 5 },
      least: { seconds: 1 },
    }),
  };
}

function read(
  config: Config,
  key: string,
  { absent, least }: { absent: HumanDuration; least: HumanDuration },
): number {
  if (!config.has(key)) {
    return durationToMilliseconds(absent);
  }
  const accepted = `a duration of at least ${JSON.stringify(
    least,
  )}, such as ${JSON.stringify(absent)}, "30m" or "PT30M"`;
  let millis: number;
  try {
    millis = durationToMilliseconds(readDurationFromConfig(config, { key }));
  } catch {
    return refuse(key, config.getOptional(key), accepted);
  }
  return millis >= durationToMilliseconds(least)
    ? millis
    : refuse(key, config.getOptional(key), accepted);
}
