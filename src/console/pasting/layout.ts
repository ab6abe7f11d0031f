/** Where a pasted table has what: which of its columns are read, compared or left out. */

import { monthsBetween, quarterOf } from '../../core/calendar.ts';
import { groupBy } from '../../core/groups.ts';
import type { ProjectPlan } from '../../operations/project-plans.ts';
import type { Steps } from '../../operations/turns.ts';
import type { Reader } from '../session/reader.ts';
import type { TableRow } from './cells.ts';
import { HeadReader, type PastedColumn, type TextName } from './heads.ts';

/** Rows among which the heads are searched: a title and blank rows can be above them. */
const ROWS_ABOVE = 10;
/** Earlier columns of sums after which the months of another one can begin. */
const EARLIER_SUMS = 12;
/** Lines that are named in a message. */
const NAMED_LINES = 3;
/** Different cells that are read in one step. */
const CELLS_AT_ONCE = 250;

/** A column of sums, and the groups of columns that it can add up, the likeliest first. */
interface SumColumn {
  readonly at: number;
  readonly groups: readonly (readonly number[])[];
}

/** A table while its columns are found. */
interface Sheet {
  readonly heads: readonly string[];
  /** Below the heads. */
  readonly rows: readonly TableRow[];
  readonly columns: readonly PastedColumn[];
  /** The places of the columns whose amounts are kept. */
  readonly kept: readonly number[];
  /** The place of the names of the lines; -1 without one. */
  readonly names: number;
  /** The months of the project. */
  readonly months: readonly string[];
  /** Whether the project has one total for each line. */
  readonly isTotal: boolean;
  readonly read: ReadAmount;
  readonly reader: Reader;
}

export interface PastedLayout extends Pick<Sheet, 'heads' | 'rows' | 'read'> {
  /** Where the texts are that the table has. */
  readonly texts: ReadonlyMap<TextName, number>;
  /** Where the amounts are that the table has, by the names of the columns of the grid. */
  readonly amounts: ReadonlyMap<string, number>;
  readonly sums: readonly SumColumn[];
  /** What is not read of it. */
  readonly notes: readonly string[];
  readonly faults: readonly string[];
}

/** Finds the heads of a table, and what they say about the columns. */
export function* layOut(
  table: readonly TableRow[],
  { project }: ProjectPlan,
  reader: Reader,
): Steps<PastedLayout> {
  const headReader = new HeadReader({ ...project, reader });
  const counts: number[] = [];
  for (const { cells } of table.slice(0, ROWS_ABOVE)) {
    counts.push(cells.filter((cell) => headReader.isHead(cell)).length);
    yield;
  }
  const at = counts.indexOf(Math.max(1, ...counts));
  const heads = table[at]?.cells ?? [];
  const rows = table.slice(at + 1);
  const months = monthsBetween(project.startDate, project.endDate);
  const isTotal = project.budgetMode === 'total';
  const known = headReader.read(heads);
  const kept = [...known.keys()].filter((place) => {
    const column = known[place];
    return isTotal
      ? column?.is === 'sum' && column.quarter === undefined
      : column?.is === 'month' && months.includes(column.month);
  });
  const cellsIn = (places: readonly number[]) => {
    return [...new Set(rows.flatMap(({ cells }) => places.map((place) => cells[place] ?? '')))];
  };
  const read = yield* chooseReading(cellsIn(kept), reader);
  // Reading takes time, and what looks at cells below remembers it.
  const others = [...known.keys()].filter((place) => known[place]?.is !== 'text');
  yield* countWrong(cellsIn(others), read);
  const columns = nameLines(known, rows, read);
  const names = placeOfNames(columns);
  const sheet: Sheet = { heads, rows, columns, kept, names, months, read, isTotal, reader };
  return {
    heads,
    rows,
    texts: placesOf(columns, (column) => (column.is === 'text' ? column.name : undefined)),
    amounts: placesOf(columns, (column, place) => {
      if (!kept.includes(place)) return undefined;
      return column.is === 'month' ? column.month : 'total';
    }),
    sums: listSums(sheet),
    read,
    notes: notesOf(sheet),
    faults:
      at < 0
        ? [
            'No row names the columns. The first row needs names such as Line, ' +
              `${reader.months(months)}.`,
          ]
        : [...faultsOfHeads(sheet), ...faultsOfOutside(sheet), ...faultsOfUnknown(sheet)],
  };
}

/** The places of columns by a name, the first of each. */
function placesOf<Name>(
  columns: readonly PastedColumn[],
  nameOf: (column: PastedColumn, place: number) => Name | undefined,
): ReadonlyMap<Name, number> {
  const places = new Map<Name, number>();
  for (const [place, column] of columns.entries()) {
    const name = nameOf(column, place);
    if (name !== undefined && !places.has(name)) places.set(name, place);
  }
  return places;
}

/** Without a head for the names of the lines, they are in the first column of texts. */
function nameLines(
  columns: readonly PastedColumn[],
  rows: readonly TableRow[],
  read: ReadAmount,
): readonly PastedColumn[] {
  if (placeOfNames(columns) >= 0) return columns;
  const place = columns.findIndex((column, at) => {
    return column.is === 'unknown' && rows.some(({ cells }) => isWrong(read(cells[at] ?? '')));
  });
  return columns.map((column, at) => (at === place ? { is: 'text', name: 'name' } : column));
}

function placeOfNames(columns: readonly PastedColumn[]): number {
  return columns.findIndex((column) => column.is === 'text' && column.name === 'name');
}

/** What each column of sums can add up. */
function listSums({ columns, kept, months, isTotal }: Sheet): readonly SumColumn[] {
  const known = placesOf(columns, (each) => (each.is === 'month' ? each.month : undefined));
  const all = months.flatMap((month) => known.get(month) ?? []);
  const sums = [...columns.keys()].filter((place) => columns[place]?.is === 'sum');
  if (isTotal) return all.length === 0 ? [] : kept.map((at) => ({ at, groups: [all] }));
  const quarters = [1, 2, 3, 4].map((quarter) =>
    quartersOf(months, quarter).map((group) => group.flatMap((each) => known.get(each) ?? [])),
  );
  return sums.map((at) => {
    const column = columns[at];
    const quarter = column?.is === 'sum' ? column.quarter : undefined;
    const earlier = sums.filter((place) => place < at).slice(-EARLIER_SUMS);
    const starts = [...earlier.reverse(), -1];
    const runs = starts.map((start) => all.filter((place) => start < place && place < at));
    const named = quarter === undefined ? [all] : (quarters[quarter - 1] ?? []);
    return { at, groups: [...named, ...runs].filter((group) => group.length > 0) };
  });
}

/** The months of a quarter: of the project, and of each of its calendar years. */
function quartersOf(months: readonly string[], quarter: number): readonly (readonly string[])[] {
  const own = months.filter((month) => quarterOf(month).endsWith(`-Q${quarter}`));
  return [months.slice(3 * quarter - 3, 3 * quarter), ...groupBy(own, quarterOf).values()];
}

function notesOf(sheet: Sheet): string[] {
  const { columns, kept, months, isTotal } = sheet;
  const isUnread = (place: number) => {
    const is = columns[place]?.is;
    if (is === 'other' || sheet.heads[place] === '') return is === 'other';
    return (is === 'unknown' || isOutside(sheet, place)) && !holdsAmounts(sheet, place);
  };
  const unread = [...columns.keys()].filter(isUnread);
  const isCompared = isTotal && months.length > 0 && columns.some(({ is }) => is === 'month');
  return [
    ...(unread.length > 0 ? [`Not read: ${nameAll(sheet, unread)}.`] : []),
    ...(isCompared && kept.length > 0
      ? ['Months are compared, but not saved: the project has one total for each line.']
      : []),
  ];
}

/** Whether a column is of a month that the project does not have. */
function isOutside({ columns, months }: Sheet, place: number): boolean {
  const column = columns[place];
  if (column?.is === 'doubtful') return column.months.length === 0;
  return column?.is === 'month' && !months.includes(column.month);
}

/** Whether most of what is in a column are amounts. */
function holdsAmounts({ rows, read }: Sheet, place: number): boolean {
  const found = rows
    .map(({ cells }) => read(cells[place] ?? ''))
    .filter((each) => each !== undefined);
  const amounts = found.filter((each) => !isWrong(each));
  return 2 * amounts.length > found.length && amounts.some((minor) => minor !== 0);
}

function faultsOfHeads(sheet: Sheet): string[] {
  const { columns, heads, kept, names, months, isTotal, reader } = sheet;
  const range = reader.months(months);
  const faults: string[] = [];
  if (names < 0) {
    faults.push(
      `No column has the names of the lines. Name that column Line, and the months ${range}.`,
    );
  }
  const sums = columns.some(({ is }) => is === 'sum');
  if (!isTotal && sums && kept.length === 0) {
    const way = 'Choose “as one total for each line” in the project first';
    faults.push(`The budget is by month, but no column is a month of ${range}. ${way}.`);
  }
  if (isTotal && kept.length === 0 && columns.some(({ is }) => is === 'month')) {
    const way = 'Add a column Total, or choose “by month” in the project first';
    faults.push(`The project has one total for each line, but no column has a total. ${way}.`);
  }
  const first = new Map<string, number>();
  for (const [place, column] of columns.entries()) {
    const key = keyOf(column, heads[place] ?? '', kept.includes(place));
    if (column.is === 'doubtful' && column.months.length > 1) {
      const ways = column.months.map((month) => reader.months([month])).join(' or ');
      faults.push(`${nameColumn(sheet, place)} can be ${ways}. Write the year.`);
    } else if (key !== undefined && first.has(key)) {
      const both = nameAll(sheet, [first.get(key) ?? 0, place], ' and ');
      faults.push(`Two columns are the same: ${both}. Leave one of them out.`);
    }
    if (key !== undefined && !first.has(key)) first.set(key, place);
  }
  return faults;
}

/** What no other column can be. */
function keyOf(column: PastedColumn, head: string, isKept: boolean): string | undefined {
  if (column.is === 'text') return column.name;
  if (column.is === 'doubtful' && column.months.length === 1) return head;
  if (!isKept) return undefined;
  return column.is === 'month' ? column.month : 'total';
}

function faultsOfOutside(sheet: Sheet): string[] {
  const { columns, rows, names, months, read, reader } = sheet;
  const places = [...columns.keys()].filter((place) => isOutside(sheet, place));
  const wrong = places.filter((place) => holdsAmounts(sheet, place));
  if (wrong.length === 0) return [];
  const lines = rows.filter(({ cells }) => wrong.some((place) => read(cells[place] ?? '')));
  const named = lines.slice(0, NAMED_LINES).map(({ cells, number }) => {
    return cells[names] ?? `row ${number}`;
  });
  const more = lines.length > NAMED_LINES ? ` and ${lines.length - NAMED_LINES} more` : '';
  const outside = wrong.flatMap((place) => {
    const column = columns[place];
    return column?.is === 'month' ? [column.month] : [];
  });
  const isDated = outside.length === wrong.length;
  const what = isDated ? reader.months(outside.sort()) : nameAll(sheet, wrong);
  const days = `which runs from ${reader.months(months)}`;
  const way = 'Leave these columns out, or change the days of the project first';
  return [
    `The amounts of ${what} are outside the project, ${days}: ${named.join(', ')}${more}. ${way}.`,
  ];
}

function faultsOfUnknown(sheet: Sheet): string[] {
  const unknown = [...sheet.columns.keys()].filter((place) => {
    return sheet.columns[place]?.is === 'unknown' && holdsAmounts(sheet, place);
  });
  return unknown.map((place) => {
    const what = `${nameColumn(sheet, place)} has amounts but is not a month of the project`;
    return `${what}. Leave the column out, or name the month in its head.`;
  });
}

function nameAll(sheet: Sheet, places: readonly number[], between = ', '): string {
  return places.map((place) => nameColumn(sheet, place)).join(between);
}

/** A column as the table names it. */
export function nameColumn({ heads }: Pick<PastedLayout, 'heads'>, place: number): string {
  const head = heads[place] ?? '';
  return head === '' ? `Column ${place + 1}` : `“${head}”`;
}

/** Reads a cell: minor units, undefined for an empty one, or a text that says what is wrong. */
type ReadAmount = (cell: string) => number | string | undefined;

/**
 * How to read amounts like these: with the decimal mark of the reader, or with the other mark if
 * more of them can be read so and none has the reader's before one or two digits.
 */
function* chooseReading(cells: readonly string[], reader: Reader): Steps<ReadAmount> {
  const readWith = (decimal: string): ReadAmount => {
    const known = new Map<string, ReturnType<ReadAmount>>([['', undefined]]);
    return (cell) => {
      if (!known.has(cell)) known.set(cell, reader.readCopied(cell, decimal));
      return known.get(cell);
    };
  };
  const own = readWith(reader.decimal);
  const wrong = yield* countWrong(cells, own);
  const proof = new RegExp(`[${reader.decimal}]\\d{1,2}\\D*$`);
  if (wrong === 0 || cells.some((cell) => proof.test(cell))) return own;
  const other = readWith(reader.decimal === ',' ? '.' : ',');
  return (yield* countWrong(cells, other)) < wrong ? other : own;
}

function* countWrong(cells: readonly string[], read: ReadAmount): Steps<number> {
  let wrong = 0;
  for (const [at, cell] of cells.entries()) {
    if (at % CELLS_AT_ONCE === 0) yield;
    if (isWrong(read(cell))) wrong += 1;
  }
  return wrong;
}

/** Whether a cell is something else than an amount. */
export function isWrong(found: ReturnType<ReadAmount>): found is string {
  return typeof found === 'string';
}
