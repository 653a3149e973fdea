import { Team } from '../fleet/fleet';
import { uniform } from '../seededRandom';
import { WorkStream } from './pools';

/**
 * How much of a stream's arrivals a team brings in one hour, relative to
 * others: by its weight, its own size, the hours it likes, and a spike now and then.
 */
export function teamDemand(
  seed: number | string,
  team: Team,
  stream: WorkStream,
  hour: number,
): number {
  const own = 0.3 + 2.4 * uniform(seed, team.name, stream.kind, 'size') ** 2;
  const peak = 24 * uniform(seed, team.name, 'peak');
  const away = Math.abs((((hour % 24) - peak + 36) % 24) - 12);
  // 1 at its own hour, near 0 half a day away.
  const mood = ((1 + Math.cos((away / 12) * Math.PI)) / 2) ** 2;
  const isSpike =
    uniform(seed, team.name, stream.kind, Math.floor(hour / 3), 'spike') < 0.06;
  return team.weight * own * (0.25 + mood) * (isSpike ? 5 : 1);
}

/**
 * How much of its mean a stream sees in one hour (UTC hours since the epoch):
 * work that follows the day is bunched into it, weekends are quieter.
 */
export function hourFactor(stream: WorkStream, hour: number): number {
  // The epoch was a Thursday: day 2 and 3 of its weeks are the weekend.
  const day = Math.floor(hour / 24) % 7;
  const isWeekend = day === 2 || day === 3;
  if (!stream.byDay) return isWeekend ? 0.92 : 1.03;
  const isWork = hour % 24 >= 7 && hour % 24 < 18;
  return (isWork ? 1.6 : 0.49) * (isWeekend ? 0.6 : 1.16);
}
