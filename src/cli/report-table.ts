/**
 * A report as tables for people, in the fullest form that the terminal has room for: a line of
 * figures for each budget line; three below one another; or, where the periods have no room side by
 * side, the whole project's figures, and the periods below each line when the lines are few.
 */

import { showAmount, showUse, showWhole } from './amounts.ts';
import type { Report, ReportCell, ReportRow } from './documents.ts';
import { type Paints, plain } from './paint.ts';
import { type Figures, isUsed } from './report-lines.ts';
import { type Cell, type Column, type Entry, formatTable, isFitting, type Table } from './table.ts';

/** A report, or a part of it, to be laid out. */
export interface ReportSheet {
  readonly report: Report;
  readonly lines: readonly ReportRow[];
  /** What they add up to, and what that is called; of a single line nothing. */
  readonly totals: { readonly title: string; readonly figures: Figures } | undefined;
  readonly paints: Paints;
}

/** What was laid out. */
export interface ReportLayout {
  readonly lines: readonly string[];
  /** Whether amounts are shown in whole units. */
  readonly isWhole: boolean;
  /** Whether the periods of each line are shown. */
  readonly hasPeriods: boolean;
}

/** Lines above which the periods of each one below it are too much to read. */
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

/** One entry a line; under each period three columns. */
function buildWide(sheet: ReportSheet, isWhole: boolean): Table {
  const { report, lines, totals } = sheet;
  const show = shower(sheet, isWhole);
  const cellsOf = (figures: Figures) => [
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
    entries: lines.map((line) => [line.code ?? '', line.name, ...cellsOf(line)]),
    footer: totals === undefined ? [] : [['', totals.title, ...cellsOf(totals.figures)]],
  };
}

/** The name of a line and below it three entries; each period is a column. */
function buildStacked(sheet: ReportSheet, isWhole: boolean): Table {
  const { report, lines, totals, paints } = sheet;
  const show = shower(sheet, isWhole);
  const outside = hasOutside(sheet);
  const entriesOf = (title: string, figures: Figures): Entry[] => {
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

/** One entry a line with the figures of the whole project. */
function buildOverview(sheet: ReportSheet): Table {
  const { lines, totals } = sheet;
  const show = shower(sheet, false);
  const cellsOf = ({ total, outsideActual }: Figures) => [
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
    entries: lines.map((line) => [
      line.code ?? '',
      line.name,
      line.category ?? '',
      ...cellsOf(line),
    ]),
    footer: totals === undefined ? [] : [['', totals.title, '', ...cellsOf(totals.figures)]],
  };
}

/** One entry a period, all lines together. */
function buildPeriods(sheet: ReportSheet): Table {
  const { totals } = sheet;
  if (totals === undefined) return { columns: periodColumns(sheet), entries: [] };
  const { title, figures } = totals;
  return {
    columns: periodColumns(sheet),
    entries: periodEntries(sheet, figures, ''),
    footer: [[title, ...shower(sheet, false).whole(figures.total)]],
  };
}

/** The name of a line and below it an entry for each period. */
function buildDetails(sheet: ReportSheet): Table {
  const { lines, totals, paints } = sheet;
  const show = shower(sheet, false);
  const entriesOf = (title: string, figures: Figures): Entry[] => [
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

function periodEntries(sheet: ReportSheet, figures: Figures, indent: string): Entry[] {
  const show = shower(sheet, false);
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

function titleOf({ code, name, category }: ReportRow): string {
  const rest = category === null ? name : `${name} (${category})`;
  return code === null ? rest : `${code}  ${rest}`;
}

function hasOutside({ lines }: ReportSheet): boolean {
  return lines.some(({ outsideActual }) => outsideActual !== 0);
}

/** Amounts as cells. */
interface Shower {
  one(amount: number): string;
  /** Budget, actual and variance. */
  three(cell: ReportCell): Cell[];
  /** These and how much of the budget is used. */
  whole(cell: ReportCell): Cell[];
}

function shower({ report: { currency }, paints }: ReportSheet, isWhole: boolean): Shower {
  // A dash reads better than a column of zeros.
  const one = (amount: number) =>
    amount === 0 ? '-' : isWhole ? showWhole(amount) : showAmount(amount, currency);
  const three = ({ budgeted, actual, variance }: ReportCell) => [
    one(budgeted),
    one(actual),
    { text: one(variance), paint: variance < 0 ? paints.red : plain },
  ];
  const whole = (cell: ReportCell) => [...three(cell), showUse(cell.budgeted, cell.actual)];
  return { one, three, whole };
}

/** Lines that have anything to show. */
export function withoutEmpty(lines: readonly ReportRow[]): ReportRow[] {
  return lines.filter(isUsed);
}
