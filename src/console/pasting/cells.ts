/** Tables as spreadsheets put them on the clipboard, and as CSV files have them. */

import { PROJECTS } from '../../core/limits.ts';
import type { Steps } from '../../operations/turns.ts';

/** A row that is not blank. */
export interface TableRow {
  /** As spreadsheets count rows, from 1. */
  readonly number: number;
  /** As many as in every other row. */
  readonly cells: readonly string[];
}

/** Of a cell; nothing that a cell can be is as long. */
const CELL_UNITS = 64 * 1024;

/** Cells that are split in one step. */
const CELLS_AT_ONCE = 10_000;

/**
 * The rows of a text, with tabs between cells, or else with what its first row has. Undefined if
 * there are more than PROJECTS.pastedRows rows or PROJECTS.pastedCells cells.
 */
export function* splitTable(text: string): Steps<readonly TableRow[] | undefined> {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [first = ''] = plain.split('\n', 1);
  const delimiter = plain.includes('\t') ? '\t' : (/[;,]/.exec(first)?.[0] ?? '\t');
  // A quotation mark opens a cell only if another one closes it.
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)" *(?=[${delimiter}\n]|$)|([^${delimiter}\n]*))([${delimiter}\n]|$)`,
    'y',
  );
  const rows: TableRow[] = [];
  let width = 0;
  let cells: string[] = [];
  for (let end = delimiter, count = 1, number = 1; end !== ''; count += 1) {
    if (count > PROJECTS.pastedCells) return undefined;
    if (count % CELLS_AT_ONCE === 0) yield;
    const [, quoted, bare = '', next = ''] = cell.exec(plain) ?? [];
    const found = (quoted?.replaceAll('""', '"') ?? bare).slice(0, CELL_UNITS);
    width = Math.max(width, cells.push(found.replace(/\s+/g, ' ').trim()));
    end = next;
    if (end === delimiter) continue;
    if (cells.some((each) => each !== '')) rows.push({ number, cells });
    if (rows.length > PROJECTS.pastedRows || rows.length * width > PROJECTS.pastedCells) {
      return undefined;
    }
    number += 1;
    cells = [];
  }
  return rows.map(({ number, cells: own }) => {
    return { number, cells: Array.from({ length: width }, (_, at) => own[at] ?? '') };
  });
}
