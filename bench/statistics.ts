/** Medians, spreads and ratios of repeated measurements. */

/** One measurement: elapsed time, and the CPU time of the process. */
export interface Sample {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The median of some values, and how they spread around it. */
export interface Spread {
  readonly median: number;
  /** A quarter of the values are below. */
  readonly low: number;
  /** A quarter of the values are above. */
  readonly high: number;
  readonly least: number;
  readonly most: number;
}

/** The spread of some values, in any order. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}

export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

/** The ratio of two contenders in each turn. What disturbs a turn disturbs both. */
export function ratiosOf(
  ours: readonly Sample[],
  theirs: readonly Sample[],
  measure: (sample: Sample) => number,
): Spread {
  const ratios = ours.map((sample, turn) => {
    const other = theirs[turn];
    return other === undefined ? Number.NaN : measure(sample) / measure(other);
  });
  return spreadOf(ratios.filter(Number.isFinite));
}

export const secondsOf = (sample: Sample): number => sample.seconds;
export const cpuSecondsOf = (sample: Sample): number => sample.cpuSeconds;

/** The value that a share of the values (0 to 1) is below. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}
