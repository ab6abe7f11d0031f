/** What a run finds: figures with their targets, and tables of what they were made from. */

import type { Spread } from './statistics.ts';

/** One line of the summary. */
export interface Finding {
  /** What was measured. */
  readonly line: string;
  /** The figure, a bare number; `unit` says of what. */
  readonly value: number;
  readonly unit: '' | 'ms' | 'MB' | '%' | 'keys' | 'rows/s' | 'requests/s';
  /** What issue 3 asks for; none where it names no figure. */
  readonly target?: { readonly kind: 'at least' | 'at most'; readonly value: number } | undefined;
  /** How far the figure moved from turn to turn. */
  readonly spread?: Spread | undefined;
  /** What else a reader wants to know. */
  readonly note?: string | undefined;
}

/** A table of details. */
export interface Detail {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What one section found. */
export interface Findings {
  readonly findings: readonly Finding[];
  readonly details: readonly Detail[];
}

export const atLeast = (value: number) => ({ kind: 'at least', value }) as const;
export const atMost = (value: number) => ({ kind: 'at most', value }) as const;

/** Whether a finding meets its target; undefined where it has none. */
export function isMet({ value, target }: Finding): boolean | undefined {
  if (target === undefined) return undefined;
  return target.kind === 'at least' ? value >= target.value : value <= target.value;
}

/** A figure with the digits that mean something. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return '–';
  if (size >= 1000) return Math.round(value).toLocaleString('en-GB');
  if (size >= 100) return value.toFixed(0);
  return size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const toMilliseconds = (seconds: number): number => seconds * 1000;
