/**
 * A report as tables, in the fullest form that fits the terminal: one row for each budget line;
 * three rows for each; or, where the periods do not fit side by side, the figures of the whole
 * project, with the periods below each line when there are few lines.
 */

import { groupThousands } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { toMajor } from '../core/money.ts';
import type { LineKind } from '../core/projects.ts';
import type { Cell, ReportFigures, ReportLine } from '../core/report.ts';
import { isZero, outsideOf } from '../core/report-lines.ts';
import type { ReportRecord } from '../operations/projects.ts';
import { showAmount, showUse } from './amounts.ts';
import { type Paints, plain } from './paint.ts';
import {
  formatTable,
  type Grid,
  isFitting,
  type TableCell,
  type TableColumn,
  type TableEntry,
} from './table.ts';

/** The lines of a kind in a report, or some of them, to lay out. Income is positive. */
interface ReportSheet {
  readonly report: Pick<ReportRecord, 'periods' | 'granularity'>;
  readonly currency: Currency;
  readonly kind: LineKind;
  readonly lines: readonly ReportLine[];
  /** Below the lines: their sum, and the balance. */
  readonly sums: readonly ReportSum[];
  readonly paints: Paints;
}

/** A row below the lines. */
interface ReportSum {
  readonly title: string;
  readonly figures: ReportFigures;
  /** Of the balance nothing is left or to come. */
  readonly isBalance?: boolean;
}

/** With more lines than this, the periods of each line would be too much to read. */
const DETAILED_LINES = 12;

/** Lays the sheets of a report out for a width, all in the same form. */
export function layOutReport(sheets: readonly ReportSheet[], width: number) {
  const format = (tables: readonly Grid[]) =>
    tables.flatMap((table, index) => [
      ...(index === 0 ? [] : ['']),
      ...formatTable(table, width, sheets[0]?.paints.bold),
    ]);
  for (const build of [buildWide, buildStacked]) {
    for (const isWhole of [false, true]) {
      const tables = sheets.map((sheet) => build(sheet, isWhole));
      if (tables.every((table) => isFitting(table, width))) {
        return { lines: format(tables), isWhole, hasPeriods: true };
      }
    }
  }
  const hasPeriods = sheets.every(({ lines }) => lines.length <= DETAILED_LINES);
  const tables = sheets.flatMap((sheet) => {
    return hasPeriods ? [buildDetails(sheet)] : [buildOverview(sheet), buildPeriods(sheet)];
  });
  return { lines: format(tables), isWhole: false, hasPeriods };
}

/** One entry for each line, three columns for each period. */
function buildWide(sheet: ReportSheet, isWhole: boolean): Grid {
  const three = threeColumns(sheet);
  const groups = titlesOf(sheet);
  return {
    columns: [...LINE_COLUMNS, ...groups.flatMap(() => three)],
    bands: [
      { title: '', columns: LINE_COLUMNS.length },
      ...groups.map((title) => ({ title, columns: three.length })),
    ],
    ...entriesOf(sheet, isWhole, ({ code, full }, figures, show) => {
      const amounts = cellsOf(sheet, figures).flatMap((cell) => show.three(cell));
      return [[code, full, ...amounts]];
    }),
  };
}

/** The name of each line, then three entries; one column for each period. */
function buildStacked(sheet: ReportSheet, isWhole: boolean): Grid {
  const titles = titlesOf(sheet);
  return {
    columns: [{ title: '' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    ...entriesOf(sheet, isWhole, ({ title }, figures, show) => {
      const threes = cellsOf(sheet, figures).map((cell) => show.three(cell));
      const words = show.isBalance ? BALANCE_WORDS : WORDS[sheet.kind];
      return [
        { banner: { text: title, paint: sheet.paints.bold } },
        ...words.map((word, index) => [
          `  ${word.toLowerCase()}`,
          ...threes.map((three) => three[index] ?? ''),
        ]),
      ];
    }),
  };
}

/** One entry for each line, with the figures of the whole project. */
function buildOverview(sheet: ReportSheet): Grid {
  return {
    columns: [
      ...LINE_COLUMNS,
      { title: 'Category', min: 12, rank: 1 },
      ...threeColumns(sheet),
      { title: 'Used', align: 'right' },
      ...(hasOutside(sheet) ? [OUTSIDE_COLUMN] : []),
    ],
    ...entriesOf(sheet, false, ({ code, name, category }, { total, outsideActual }, show) => [
      [code, name, category, ...show.whole(total), show.one(outsideActual)],
    ]),
  };
}

/** One entry for each period, all lines together. */
function buildPeriods(sheet: ReportSheet): Grid {
  const columns = periodColumns(sheet);
  const [sum] = sheet.sums;
  if (sum === undefined) return { columns, entries: [] };
  const entries = periodEntries(sheet, sum.figures, amountFormat(sheet, false), '');
  const footer = sheet.sums.map(({ title, figures, isBalance }) => {
    return [title, ...amountFormat(sheet, false, isBalance).whole(figures.total)];
  });
  return { columns, entries, footer };
}

/** The name of each line, then one entry for each period. */
function buildDetails(sheet: ReportSheet): Grid {
  return {
    columns: periodColumns(sheet),
    ...entriesOf(sheet, false, ({ title }, figures, show) => [
      { banner: { text: title, paint: sheet.paints.bold } },
      ...periodEntries(sheet, figures, show, '  '),
      ['  total', ...show.whole(figures.total)],
    ]),
  };
}

function entriesOf(
  sheet: ReportSheet,
  isWhole: boolean,
  build: (
    label: ReturnType<typeof labelOf>,
    figures: ReportFigures,
    show: AmountFormat,
  ) => readonly TableEntry[],
): Pick<Grid, 'entries' | 'footer'> {
  const show = amountFormat(sheet, isWhole);
  const entries = sheet.lines.flatMap((row) => build(labelOf(row), row, show));
  const footer = sheet.sums.flatMap(({ title, figures, isBalance }) => {
    const label = { code: '', name: title, full: title, category: '', title };
    return build(label, figures, amountFormat(sheet, isWhole, isBalance));
  });
  return { entries, footer };
}

/** How a line is named: in columns, or in one title. */
function labelOf({ line: { code, name, category } }: ReportLine) {
  const full = category === null ? name : `${name} (${category})`;
  const title = code === null ? full : `${code}  ${full}`;
  return { code: code ?? '', name, full, category: category ?? '', title };
}

function periodEntries(
  sheet: ReportSheet,
  figures: ReportFigures,
  show: AmountFormat,
  indent: string,
): TableEntry[] {
  const entries: TableEntry[] = sheet.report.periods.map(({ key }, index) => {
    const cell = figures.cells[index];
    return [`${indent}${key}`, ...(cell === undefined ? [] : show.whole(cell))];
  });
  const outside = outsideOf(figures);
  return isZero(outside) ? entries : [...entries, [`${indent}outside`, ...show.whole(outside)]];
}

/** The figures side by side: of each period, outside them if a line has any, and in total. */
function cellsOf(sheet: ReportSheet, figures: ReportFigures): Cell[] {
  return [...figures.cells, ...(hasOutside(sheet) ? [outsideOf(figures)] : []), figures.total];
}

function titlesOf(sheet: ReportSheet): string[] {
  const periods = sheet.report.periods.map(({ key }) => key);
  return [...periods, ...(hasOutside(sheet) ? ['Outside'] : []), 'Total'];
}

const LINE_COLUMNS: readonly TableColumn[] = [
  { title: 'Code', min: 8 },
  { title: 'Line', min: 14 },
];
/** What people call budget, actual and variance (contract 13). */
const WORDS = {
  income: ['Expected', 'Received', 'To come'],
  expense: ['Budget', 'Spent', 'Left'],
} as const;

/** Of the balance: what is planned, and what there is. */
const BALANCE_WORDS = ['at the end', 'so far'];

function threeColumns({ kind }: ReportSheet): TableColumn[] {
  return WORDS[kind].map((title) => ({ title, align: 'right' }));
}

const OUTSIDE_COLUMN: TableColumn = { title: 'Outside', align: 'right', rank: 2 };

function periodColumns(sheet: ReportSheet): TableColumn[] {
  const title = sheet.report.granularity === 'monthly' ? 'Month' : 'Quarter';
  return [{ title, min: 14 }, ...threeColumns(sheet), { title: 'Used', align: 'right' }];
}

function hasOutside({ lines }: ReportSheet): boolean {
  return lines.some((line) => !isZero(outsideOf(line)));
}

/** Turns amounts into cells. */
interface AmountFormat {
  readonly isBalance: boolean;
  one(amount: number): string;
  /** Budget, actual and variance; of the balance, the first two. */
  three(cell: Cell): TableCell[];
  /** The three, and how much of the budget is used. */
  whole(cell: Cell): TableCell[];
}

function amountFormat(
  { currency, kind, paints }: ReportSheet,
  isWhole: boolean,
  isBalance = false,
): AmountFormat {
  // A dash reads better than a column of zeros.
  const one = (amount: number) =>
    amount === 0 ? '-' : isWhole ? showWhole(amount, currency) : showAmount(amount, currency);
  const three = ({ budgeted, actual, variance }: Cell) => [
    one(budgeted),
    one(actual),
    isBalance
      ? ''
      : { text: one(variance), paint: variance < 0 && kind === 'expense' ? paints.red : plain },
  ];
  const whole = (cell: Cell) => {
    return [...three(cell), isBalance ? '' : showUse(cell.budgeted, cell.actual)];
  };
  return { isBalance, one, three, whole };
}

/** `1,234,568`: rounded to whole units, for narrow columns. */
function showWhole(amountMinor: number, { places }: Currency): string {
  const rounded = Math.round(toMajor(Math.abs(amountMinor), places));
  return groupThousands(`${amountMinor < 0 && rounded > 0 ? '-' : ''}${rounded}`);
}
