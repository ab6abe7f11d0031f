/**
 * Tables fitted to the width of the terminal: less important columns are dropped, long texts are
 * cut. The texts come from outside, so each one is cleaned here.
 */

import { cleanText, cutText, widthOf } from '../core/text-width.ts';
import { type Paint, plain } from './paint.ts';

export interface TableColumn {
  readonly title: string;
  /** Left by default; amounts go to the right. */
  readonly align?: 'left' | 'right';
  /** The least width that texts are cut to; without it they are never cut. */
  readonly min?: number;
  /** Shown if those with lower numbers leave room; without it always shown. */
  readonly rank?: number;
}

/** One cell: a text, with or without a colour. */
export type TableCell = string | { readonly text: string; readonly paint: Paint };

/** One entry: a cell for each column, or one text across all columns, cut to fit unless whole. */
export type TableEntry =
  | readonly TableCell[]
  | { readonly banner: TableCell; readonly isWhole?: boolean };

export interface Grid {
  readonly columns: readonly TableColumn[];
  /** Titles that span several columns, in order; for tables that drop no column. */
  readonly bands?: readonly { readonly title: string; readonly columns: number }[];
  readonly entries: readonly TableEntry[];
  /** Entries at the bottom, below a second rule. */
  readonly footer?: readonly TableEntry[];
}

/** A column of a list of things, with its cell for each of them. */
export interface ListColumn<Item> extends TableColumn {
  readonly cell: (item: Item) => TableCell;
}

/** A table with an entry for each thing, and what comes below that entry. */
export function tableOf<Item>(
  items: readonly Item[],
  columns: readonly ListColumn<Item>[],
  below: (item: Item) => readonly TableEntry[] = () => [],
): Grid {
  const entryOf = (item: Item) => columns.map(({ cell }) => cell(item));
  return { columns, entries: items.flatMap((item) => [entryOf(item), ...below(item)]) };
}

const GAP = '  ';
/** Narrower than this, lines overflow: cut any shorter, they would be unreadable. */
const NARROWEST = 40;

/** At this width or more, an entry is one line; at less, long texts go below the entry. */
export const ONE_LINE_WIDTH = 120;

/** The lines of a table: titles, a rule, the entries. */
export function formatTable(table: Grid, width: number, heading: Paint = plain): string[] {
  const { columns, entries, footer = [], bands } = table;
  const widths = fitColumns(table, Math.max(width, NARROWEST));
  const shown = [...widths].map(([index, width]) => {
    return { index, width, isRight: columns[index]?.align === 'right' };
  });
  const full = sum(shown.map((each) => each.width)) + GAP.length * (shown.length - 1);
  const toLine = (entry: TableEntry) => {
    if ('banner' in entry) {
      const { text, paint } = readCell(entry.banner);
      return paint(entry.isWhole === true ? text : cutText(text, Math.max(full, width)));
    }
    return joinCells(shown.map((each) => ({ ...each, cell: readCell(entry[each.index] ?? '') })));
  };
  const rule = shown.map((each) => '─'.repeat(each.width)).join(GAP);
  const titles = toLine(columns.map(({ title }) => ({ text: title, paint: heading })));
  const over = bands === undefined ? [] : [joinBands(bands, [...widths.values()], heading)];
  const end = footer.length === 0 ? [] : [rule, ...footer.map(toLine)];
  return [...over, titles, rule, ...entries.map(toLine), ...end];
}

/** Whether all columns fit, none cut below its least width. */
export function isFitting(table: Grid, width: number): boolean {
  const least = leastWidths(table, naturalWidths(table));
  return sum(least) + GAP.length * (least.length - 1) <= width;
}

function leastWidths({ columns }: Grid, natural: readonly number[]): number[] {
  return columns.map(({ min = Infinity }, index) => Math.min(min, natural[index] ?? 0));
}

function naturalWidths({ columns, entries, footer = [] }: Grid): number[] {
  const cells = [...entries, ...footer].flatMap((entry) =>
    'banner' in entry ? [] : [entry.map((cell) => widthOf(readCell(cell).text))],
  );
  return columns.map(({ title }, index) =>
    cells.reduce((widest, entry) => Math.max(widest, entry[index] ?? 0), widthOf(title)),
  );
}

function isEmpty({ entries }: Grid, index: number): boolean {
  return entries.every((entry) => 'banner' in entry || readCell(entry[index] ?? '').text === '');
}

function joinBands(bands: NonNullable<Grid['bands']>, widths: readonly number[], heading: Paint) {
  let first = 0;
  const texts = bands.map(({ title, columns }) => {
    const own = widths.slice(first, first + columns);
    first += columns;
    const width = sum(own) + GAP.length * (columns - 1);
    const text = cutText(title, width);
    const blanks = width - widthOf(text);
    const before = ' '.repeat(Math.ceil(blanks / 2));
    return `${before}${text === '' ? '' : heading(text)}${' '.repeat(Math.floor(blanks / 2))}`;
  });
  return texts.join(GAP).trimEnd();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

type PaintedCell = Exclude<TableCell, string>;

function readCell(cell: TableCell): PaintedCell {
  if (typeof cell === 'string') return { text: cleanText(cell), paint: plain };
  return { text: cleanText(cell.text), paint: cell.paint };
}

function joinCells(cells: readonly { isRight: boolean; width: number; cell: PaintedCell }[]) {
  const joined = cells.map(({ isRight, width, cell: { text, paint } }) => {
    const fitted = cutText(text, width);
    const painted = fitted === '' ? '' : paint(fitted);
    const blanks = ' '.repeat(Math.max(0, width - widthOf(fitted)));
    return isRight ? blanks + painted : painted + blanks;
  });
  return joined.join(GAP).trimEnd();
}

/** The width of each column that is shown, by its index. */
function fitColumns(table: Grid, width: number): Map<number, number> {
  const { columns } = table;
  const natural = naturalWidths(table);
  const least = leastWidths(table, natural);
  const indexes = [...columns.keys()];
  const ranked = indexes
    .filter((index) => columns[index]?.rank !== undefined)
    .sort((a, b) => (columns[a]?.rank ?? 0) - (columns[b]?.rank ?? 0));
  const left = new Set(indexes.filter((index) => !ranked.includes(index)));
  const room = () => width - GAP.length * (left.size - 1);
  let needed = least;
  for (const index of ranked) {
    if (!isEmpty(table, index)) left.add(index);
    if (sum([...left].map((each) => needed[each] ?? 0)) <= room()) continue;
    left.delete(index);
    // A less important column has room only if no text is cut for it.
    needed = natural;
  }

  const shown = indexes.filter((index) => left.has(index));
  const widths = new Map(shown.map((index) => [index, natural[index] ?? 0]));
  let excess = sum([...widths.values()]) - room();
  while (excess > 0) {
    const [widest] = [...widths]
      .filter(([index, each]) => each > (least[index] ?? 0))
      .sort(([, a], [, b]) => b - a);
    if (widest === undefined) break;
    widths.set(widest[0], widest[1] - 1);
    excess -= 1;
  }
  return widths;
}
