/** The results of a run: figures with their targets, and tables with the details. */

import type { Spread } from './statistics.ts';

/** One line of the summary. */
export interface Finding {
  /** What was measured. */
  readonly line: string;
  /** The figure, in `unit`. */
  readonly value: number;
  readonly unit: '' | 'ms' | 'bytes' | 'MB' | '%' | 'keys' | 'rows/s' | 'requests/s';
  /** The most that the figure may be. Absent if it has no target. */
  readonly target?: number | undefined;
  /** How much the figure varied from turn to turn. */
  readonly spread?: Spread | undefined;
  /** Anything else the reader needs to know. */
  readonly note?: string | undefined;
}

/** A table with details. */
export interface Detail {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The results of one section. */
export interface Findings {
  readonly findings: readonly Finding[];
  readonly details: readonly Detail[];
}

/** Whether a finding meets its target; undefined if it has none. */
export function isMet({ value, target }: Finding): boolean | undefined {
  return target === undefined ? undefined : value <= target;
}

/** A figure with its significant digits. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return '–';
  if (size >= 1000) return Math.round(value).toLocaleString('en-GB');
  if (size >= 100) return value.toFixed(0);
  return size >= 10 ? value.toFixed(1) : value.toFixed(2);
}
