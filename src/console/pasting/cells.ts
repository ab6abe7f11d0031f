/** Tables as spreadsheets put them on the clipboard, and as CSV files have them. */

import { PROJECTS } from '../../core/limits.ts';

/** A row that is not blank. */
export interface TableRow {
  /** As spreadsheets count rows, from 1. */
  readonly number: number;
  /** As many as in every other row. */
  readonly cells: readonly string[];
}

/** Of a cell; nothing that a cell can be is as long. */
const CELL_UNITS = 64 * 1024;

/**
 * The rows of a text, with tabs between cells, or else with what its first row has. Undefined if
 * there are more than PROJECTS.pastedCells cells.
 */
export function splitTable(text: string): readonly TableRow[] | undefined {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [first = ''] = plain.split('\n', 1);
  const delimiter = plain.includes('\t') ? '\t' : (/[;,]/.exec(first)?.[0] ?? '\t');
  // A quotation mark opens a cell only if another one closes it.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)" *(?=[${delimiter}\n]|$)|([^${delimiter}\n]*))([${delimiter}\n]|$)`,
    'y',
  );
  const rows: string[][] = [];
  let width = 0;
  for (let end = '\n', count = 1; end !== ''; count += 1) {
    if (count > PROJECTS.pastedCells) return undefined;
    if (end === '\n') rows.push([]);
    const [, quoted, bare = '', next = ''] = cell.exec(plain) ?? [];
    const found = (quoted?.replaceAll('""', '"') ?? bare).slice(0, CELL_UNITS);
    width = Math.max(width, rows.at(-1)?.push(found.replace(/\s+/g, ' ').trim()) ?? 0);
    end = next;
  }
  const filled = rows.flatMap((cells, at): TableRow[] => {
    return cells.some((each) => each !== '') ? [{ number: at + 1, cells }] : [];
  });
  if (filled.length * width > PROJECTS.pastedCells) return undefined;
  return filled.map(({ number, cells }) => {
    return { number, cells: Array.from({ length: width }, (_, at) => cells[at] ?? '') };
  });
}

/** Rows as a text that `splitTable` reads. */
export function joinTable(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string) => (cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => cells.map(quote).join('\t')).join('\n');
}
