/**
 * A report as tables, in the fullest form that fits the terminal: one row for each budget line;
 * three rows for each; or, where the periods do not fit side by side, the figures of the whole
 * project, with the periods below each line when there are few lines.
 */

import type { Currency } from '../core/currencies.ts';
import type { Cell as ReportCell, ReportFigures, ReportRow } from '../core/report.ts';
import type { ReportRecord } from '../operations/projects.ts';
import { showAmount, showUse, showWhole } from './amounts.ts';
import { type Paints, plain } from './paint.ts';
import { type Cell, type Column, type Entry, formatTable, isFitting, type Table } from './table.ts';

/** A report, or part of one, to lay out. */
export interface ReportSheet {
  readonly report: ReportRecord;
  readonly currency: Currency;
  readonly lines: readonly ReportRow[];
  /** The sum of the lines, and its title; undefined for a single line. */
  readonly totals: { readonly title: string; readonly figures: ReportFigures } | undefined;
  readonly paints: Paints;
}

/** A finished layout. */
interface ReportLayout {
  readonly lines: readonly string[];
  /** Whether amounts are shown in whole units. */
  readonly isWhole: boolean;
  /** Whether the periods of each line are shown. */
  readonly hasPeriods: boolean;
}

/** With more lines than this, the periods of each line would be too much to read. */
const DETAILED_LINES = 12;

/** Lays a report out for a width. */
export function layOutReport(sheet: ReportSheet, width: number): ReportLayout {
  const { bold } = sheet.paints;
  for (const build of [buildWide, buildStacked]) {
    for (const isWhole of [false, true]) {
      const table = build(sheet, isWhole);
      if (isFitting(table, width)) {
        return { lines: formatTable(table, width, bold), isWhole, hasPeriods: true };
      }
    }
  }
  const hasPeriods = sheet.lines.length <= DETAILED_LINES;
  const tables = hasPeriods ? [buildDetails(sheet)] : [buildOverview(sheet), buildPeriods(sheet)];
  const lines = tables.flatMap((table, index) => [
    ...(index === 0 ? [] : ['']),
    ...formatTable(table, width, bold),
  ]);
  return { lines, isWhole: false, hasPeriods };
}

/** One entry for each line, three columns for each period. */
function buildWide(sheet: ReportSheet, isWhole: boolean): Table {
  const show = amountFormat(sheet, isWhole);
  const outside = hasOutside(sheet);
  const groups = [...sheet.report.periods.map(({ key }) => key), 'Total'];
  return {
    columns: [
      ...LINE_COLUMNS,
      ...groups.flatMap(() => THREE_COLUMNS),
      ...(outside ? [{ title: 'Outside', align: 'right' as const }] : []),
    ],
    bands: [
      { title: '', columns: LINE_COLUMNS.length },
      ...groups.map((title) => ({ title, columns: THREE_COLUMNS.length })),
    ],
    ...entriesOf(sheet, ({ code, name }, { cells, total, outsideActual }) => {
      const amounts = [...cells, total].flatMap((cell) => show.three(cell));
      return [[code, name, ...amounts, show.one(outsideActual)]];
    }),
  };
}

/** The name of each line, then three entries; one column for each period. */
function buildStacked(sheet: ReportSheet, isWhole: boolean): Table {
  const show = amountFormat(sheet, isWhole);
  const outside = hasOutside(sheet);
  const periods = sheet.report.periods.map(({ key }) => key);
  const titles = [...periods, 'Total', ...(outside ? ['Outside'] : [])];
  return {
    columns: [{ title: '' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    ...entriesOf(sheet, ({ title }, { cells, total, outsideActual }) => {
      const threes = [...cells, total].map((cell) => show.three(cell));
      const entry = (name: string, index: number, last: Cell) => [
        `  ${name}`,
        ...threes.map((three) => three[index] ?? ''),
        last,
      ];
      return [
        { banner: { text: title, paint: sheet.paints.bold } },
        entry('budget', 0, ''),
        entry('actual', 1, show.one(outsideActual)),
        entry('variance', 2, ''),
      ];
    }),
  };
}

/** One entry for each line, with the figures of the whole project. */
function buildOverview(sheet: ReportSheet): Table {
  const show = amountFormat(sheet, false);
  return {
    columns: [
      ...LINE_COLUMNS,
      { title: 'Category', min: 12, rank: 1 },
      ...THREE_COLUMNS,
      { title: 'Used', align: 'right' },
      ...(hasOutside(sheet) ? [OUTSIDE_COLUMN] : []),
    ],
    ...entriesOf(sheet, ({ code, name, category }, { total, outsideActual }) => [
      [code, name, category, ...show.whole(total), show.one(outsideActual)],
    ]),
  };
}

/** One entry for each period, all lines together. */
function buildPeriods(sheet: ReportSheet): Table {
  const { totals } = sheet;
  if (totals === undefined) return { columns: periodColumns(sheet), entries: [] };
  const { title, figures } = totals;
  return {
    columns: periodColumns(sheet),
    entries: periodEntries(sheet, figures, ''),
    footer: [[title, ...amountFormat(sheet, false).whole(figures.total)]],
  };
}

/** The name of each line, then one entry for each period. */
function buildDetails(sheet: ReportSheet): Table {
  const show = amountFormat(sheet, false);
  return {
    columns: periodColumns(sheet),
    ...entriesOf(sheet, ({ title }, figures) => [
      { banner: { text: title, paint: sheet.paints.bold } },
      ...periodEntries(sheet, figures, '  '),
      ['  total', ...show.whole(figures.total)],
    ]),
  };
}

/** The entries of each line, and those of the totals below. */
function entriesOf(
  { lines, totals }: ReportSheet,
  build: (label: ReturnType<typeof labelOf>, figures: ReportFigures) => Entry[],
): Pick<Table, 'entries' | 'footer'> {
  const entries = lines.flatMap((row) => build(labelOf(row), row));
  if (totals === undefined) return { entries };
  const { title, figures } = totals;
  return { entries, footer: build({ code: '', name: title, category: '', title }, figures) };
}

/** How a line is named: in columns, or in one title. */
function labelOf({ line: { code, name, category } }: ReportRow) {
  const rest = category === null ? name : `${name} (${category})`;
  const title = code === null ? rest : `${code}  ${rest}`;
  return { code: code ?? '', name, category: category ?? '', title };
}

function periodEntries(sheet: ReportSheet, figures: ReportFigures, indent: string): Entry[] {
  const show = amountFormat(sheet, false);
  const entries: Entry[] = sheet.report.periods.map(({ key }, index) => {
    const cell = figures.cells[index];
    return [`${indent}${key}`, ...(cell === undefined ? [] : show.whole(cell))];
  });
  if (figures.outsideActual === 0) return entries;
  return [...entries, [`${indent}outside`, '', show.one(figures.outsideActual)]];
}

const LINE_COLUMNS: readonly Column[] = [
  { title: 'Code', min: 8 },
  { title: 'Line', min: 14 },
];
const THREE_COLUMNS: readonly Column[] = [
  { title: 'Budget', align: 'right' },
  { title: 'Actual', align: 'right' },
  { title: 'Variance', align: 'right' },
];
const OUTSIDE_COLUMN: Column = { title: 'Outside', align: 'right', rank: 2 };

function periodColumns({ report }: ReportSheet): Column[] {
  const title = report.granularity === 'monthly' ? 'Month' : 'Quarter';
  return [{ title, min: 14 }, ...THREE_COLUMNS, { title: 'Used', align: 'right' }];
}

function hasOutside({ lines }: ReportSheet): boolean {
  return lines.some(({ outsideActual }) => outsideActual !== 0);
}

/** Turns amounts into cells. */
interface AmountFormat {
  one(amount: number): string;
  /** Budget, actual and variance. */
  three(cell: ReportCell): Cell[];
  /** The three, and how much of the budget is used. */
  whole(cell: ReportCell): Cell[];
}

function amountFormat({ currency, paints }: ReportSheet, isWhole: boolean): AmountFormat {
  // A dash reads better than a column of zeros.
  const one = (amount: number) =>
    amount === 0 ? '-' : isWhole ? showWhole(amount, currency) : showAmount(amount, currency);
  const three = ({ budgeted, actual, variance }: ReportCell) => [
    one(budgeted),
    one(actual),
    { text: one(variance), paint: variance < 0 ? paints.red : plain },
  ];
  const whole = (cell: ReportCell) => [...three(cell), showUse(cell.budgeted, cell.actual)];
  return { one, three, whole };
}
