import { Addresses } from '../portal/addresses';

/** One measured figure: a JSON line of `npm run bench`. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** What the value alone does not say: counts, spread, what differs. */
  note?: string;
}

/** Something that measures one or more figures. */
export interface Bench {
  figures: Array<{ name: string; unit: string }>;
  /** Needs a portal of its own (started without background load). */
  portal: boolean;
  run(portal?: RunningPortal): Promise<Figure[]>;
}

export interface RunningPortal {
  addresses: Addresses;
  /** Process id of the sandbox. */
  sandboxPid: number;
}

/** The value below which a share `p` (0 to 1) of the samples lie: nearest rank. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}

/** A p95 figure with its median, maximum and number of samples beside it. */
export function p95Figure(
  name: string,
  unit: string,
  samples: readonly number[],
): Figure {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return {
    name,
    value: round(percentile(samples, 0.95)),
    unit,
    note: `${samples.length} samples, median ${round(
      percentile(samples, 0.5),
    )}, maximum ${round(Math.max(...samples))}`,
  };
}
