import { Hold, Span, Unit } from './deviceHistory';
import { Holder } from './workProfile';

/** A stretch of time in which a unit's exporter is up and its holders do not change. */
export interface Segment extends Span {
  holders: Holder[];
}

/** The stretches of a unit that overlap the scrapes (ascending). */
export function segmentsOf(unit: Unit, scrapes: number[]): Segment[] {
  const from = Math.min(scrapes[0], scrapes[scrapes.length - 1]);
  const to = Math.max(scrapes[0], scrapes[scrapes.length - 1]);
  const overlaps = (span: Span) =>
    span.from <= to && (span.to === undefined || span.to > from);
  const holds = unit.holds.filter(overlaps);
  const edges = new Set<number>();
  for (const span of holds) {
    if (span.from > from) edges.add(span.from);
    if (span.to !== undefined && span.to <= to) edges.add(span.to);
  }
  return unit.node.up.filter(overlaps).flatMap(up => {
    const inside = [...edges]
      .filter(edge => edge > up.from && (up.to === undefined || edge < up.to))
      .sort((a, b) => a - b);
    const starts = [up.from, ...inside];
    const ends = [...inside, up.to];
    return starts
      .map((start, index) => ({
        from: start,
        to: ends[index],
        holders: holdersOf(holds, Math.max(start, from)),
      }))
      .filter(overlaps);
  });
}

/** The pods on a unit at a moment, first come first. */
export function holdersAt(unit: Unit, at: number): Holder[] {
  return holdersOf(unit.holds, at);
}

function holdersOf(holds: Hold[], at: number): Holder[] {
  return holds.filter(hold => isWithin(hold, at)).map(({ holder }) => holder);
}

/** Is the moment in the span? Its end is not. */
export function isWithin(span: Span, at: number): boolean {
  return span.from <= at && (span.to === undefined || at < span.to);
}
