/**
 * A report as tables, in the fullest form that fits the terminal: one row for each budget line;
 * three rows for each; or, where the periods do not fit side by side, the figures of the whole
 * project, with the periods below each line when there are few lines.
 */

import type { Currency } from '../core/currencies.ts';
import type { Cell as ReportCell, ReportFigures } from '../core/report.ts';
import type { ReportRecord, ReportRow } from '../operations/reports.ts';
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
export interface ReportLayout {
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
  const { report, lines, totals } = sheet;
  const show = amountFormat(sheet, isWhole);
  const cellsOf = (figures: ReportFigures) => [
    ...[...figures.cells, figures.total].flatMap((cell) => show.three(cell)),
    ...(hasOutside(sheet) ? [show.one(figures.outsideActual)] : []),
  ];
  const groups = [...report.periods.map(({ key }) => key), 'Total'];
  const outside = hasOutside(sheet) ? [{ title: 'Outside', align: 'right' as const }] : [];
  return {
    columns: [...LINE_COLUMNS, ...groups.flatMap(() => THREE_COLUMNS), ...outside],
    bands: [
      { title: '', columns: LINE_COLUMNS.length },
      ...groups.map((title) => ({ title, columns: THREE_COLUMNS.length })),
    ],
    entries: lines.map((row) => [row.line.code ?? '', row.line.name, ...cellsOf(row)]),
    footer: totals === undefined ? [] : [['', totals.title, ...cellsOf(totals.figures)]],
  };
}

/** The name of each line, then three entries; one column for each period. */
function buildStacked(sheet: ReportSheet, isWhole: boolean): Table {
  const { report, lines, totals, paints } = sheet;
  const show = amountFormat(sheet, isWhole);
  const outside = hasOutside(sheet);
  const entriesOf = (title: string, figures: ReportFigures): Entry[] => {
    const cells = [...figures.cells, figures.total].map((cell) => show.three(cell));
    const entry = (name: string, index: number, last: Cell) => [
      `  ${name}`,
      ...cells.map((three) => three[index] ?? ''),
      ...(outside ? [last] : []),
    ];
    return [
      { banner: { text: title, paint: paints.bold } },
      entry('budget', 0, ''),
      entry('actual', 1, show.one(figures.outsideActual)),
      entry('variance', 2, ''),
    ];
  };
  const titles = [
    ...report.periods.map(({ key }) => key),
    'Total',
    ...(outside ? ['Outside'] : []),
  ];
  return {
    columns: [{ title: '' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    entries: lines.flatMap((line) => entriesOf(titleOf(line), line)),
    footer: totals === undefined ? [] : entriesOf(totals.title, totals.figures),
  };
}

/** One entry for each line, with the figures of the whole project. */
function buildOverview(sheet: ReportSheet): Table {
  const { lines, totals } = sheet;
  const show = amountFormat(sheet, false);
  const cellsOf = ({ total, outsideActual }: ReportFigures) => [
    ...show.whole(total),
    show.one(outsideActual),
  ];
  return {
    columns: [
      ...LINE_COLUMNS,
      { title: 'Category', min: 12, rank: 1 },
      ...THREE_COLUMNS,
      { title: 'Used', align: 'right' },
      ...(hasOutside(sheet) ? [OUTSIDE_COLUMN] : []),
    ],
    entries: lines.map((row) => {
      const { code, name, category } = row.line;
      return [code ?? '', name, category ?? '', ...cellsOf(row)];
    }),
    footer: totals === undefined ? [] : [['', totals.title, '', ...cellsOf(totals.figures)]],
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
  const { lines, totals, paints } = sheet;
  const show = amountFormat(sheet, false);
  const entriesOf = (title: string, figures: ReportFigures): Entry[] => [
    { banner: { text: title, paint: paints.bold } },
    ...periodEntries(sheet, figures, '  '),
    ['  total', ...show.whole(figures.total)],
  ];
  return {
    columns: periodColumns(sheet),
    entries: lines.flatMap((line) => entriesOf(titleOf(line), line)),
    footer: totals === undefined ? [] : entriesOf(totals.title, totals.figures),
  };
}

function periodEntries(sheet: ReportSheet, figures: ReportFigures, indent: string): Entry[] {
  const show = amountFormat(sheet, false);
  const entries: Entry[] = sheet.report.periods.map(({ key }, index) => {
    const cell = figures.cells[index] ?? { budgeted: 0, actual: 0, variance: 0 };
    return [`${indent}${key}`, ...show.whole(cell)];
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

function titleOf({ line: { code, name, category } }: ReportRow): string {
  const rest = category === null ? name : `${name} (${category})`;
  return code === null ? rest : `${code}  ${rest}`;
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
