/** Helpers for the samples of every language. */

import type { Row } from './samples.ts';

/** A query with its question mark; empty without parameters. */
export function queryText(query: Readonly<Record<string, string>>): string {
  if (isEmpty(query)) return '';
  return `?${new URLSearchParams(query)}`.replaceAll('%2C', ',');
}

export function isEmpty(query: Readonly<Record<string, string>>): boolean {
  return Object.keys(query).length === 0;
}

/** Rows with one member per line, each written by `write`. */
export function rowsText(
  rows: readonly Row[],
  brackets: readonly [open: string, close: string],
  write: (name: string, value: Row[string]) => string,
  separator = ',',
): string {
  const [open, close] = brackets;
  const written = rows.map((row) => {
    const members = Object.entries(row).map(([name, value]) => `    ${write(name, value)}`);
    return `  ${open}\n${members.join(`${separator}\n`)}\n  ${close}`;
  });
  return written.join(',\n');
}

/** Joins lines, skipping false. */
export function linesOf(...lines: readonly (string | false)[]): string {
  return lines.filter((line) => line !== false).join('\n');
}
