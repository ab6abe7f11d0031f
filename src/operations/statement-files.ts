/**
 * A statement as files for spreadsheets, CSV and workbooks of Excel: its lines, the transactions
 * that it counted, and what has changed since it was issued.
 */

import { formatId } from '../core/ids.ts';
import { formatAmount, fromMajor } from '../core/money.ts';
import { kindsOf, type LineKind, turnIncome } from '../core/projects.ts';
import type { StatementDocument } from '../core/statements.ts';
import { dayIn } from '../core/time-zones.ts';
import type { Access } from '../store/access.ts';
import type { ItemRecord } from '../store/statement-items.ts';
import { writeCsv } from './report-csv.ts';
import { letterheadOf, mapChangedLines } from './statement-items.ts';
import { tableSheet, type WorkbookCell, writeWorkbook } from './workbook.ts';

/** Says the amounts of a document exactly, as files have them. */
function amountWriter({ organisation }: Access): (major: number) => string {
  const { places } = organisation.currency;
  return (major) => formatAmount(fromMajor(major, places), places);
}

const COLUMNS = [
  ...['project', 'statement', 'issue', 'status', 'kind', 'category', 'code', 'line', 'currency'],
  ...['budget', 'before', 'period', 'changes', 'toDate', 'left', 'usedPercent', 'budgetToDate'],
  'reason',
];

/** The lines of a statement as CSV. */
export function formatStatementCsv(document: StatementDocument, access: Access): string {
  const { number, issue, status, currency } = document;
  const say = amountWriter(access);
  const amount = (major: number): WorkbookCell => ['amount', say(major)];
  const rows = document.lines.map((line): WorkbookCell[] => {
    const { project, kind, category, code, name, usedPercent, reason } = line;
    const { budget, before, period, changes, toDate, left } = line;
    return [
      ...[project, String(number), String(issue), status, kind, category, code, name, currency],
      ...[budget, before, period, changes, toDate, left].map(amount),
      usedPercent === null ? null : ['percent', String(usedPercent)],
      amount(line.budgetToDate),
      reason,
    ];
  });
  return [...writeCsv(COLUMNS, rows)].join('');
}

/** The transactions of a statement in a file. */
export interface ItemsRequest {
  readonly access: Access;
  /** Some at a time. */
  readonly items: Iterable<readonly ItemRecord[]>;
  /** Some of them are private persons. */
  readonly withContacts: boolean;
}

/** The bytes of a workbook with both, in pieces. Rejects if a sheet has no room for the items. */
export function formatStatementXlsx(
  document: StatementDocument,
  request: ItemsRequest,
): Promise<Buffer[]> {
  const sheets = [lineSheet(document, request), itemSheet(document, request)];
  return writeWorkbook(sheets, request.access.organisation.currency.places);
}

const FIGURES = [
  ...['Budget', 'Reported before', 'This period', 'Changes to earlier periods', 'To date'],
  ...['Left', 'Used', 'Budget to date'],
];
/** The names of columns: texts, numbers and more texts. */
const headRow = (names: readonly string[], numbers: readonly string[], ends: readonly string[]) => [
  ...names.map((name): WorkbookCell => ['head', name]),
  ...numbers.map((name): WorkbookCell => ['rightHead', name]),
  ...ends.map((name): WorkbookCell => ['head', name]),
];

/** A sheet as on paper: what a statement says of itself, the lines, the balance and the note. */
function lineSheet(document: StatementDocument, { access }: ItemsRequest) {
  const { number, project, startDate, endDate, currency, funder, lines, note } = document;
  const { withSubProjects } = document;
  const say = amountWriter(access);
  type Figures = StatementDocument['balance'] & { left?: number; usedPercent?: number | null };
  const amounts = (figures: Figures, sum: 'sum' | undefined): WorkbookCell[] => {
    const amount = (major: number): WorkbookCell => [sum ?? 'amount', say(major)];
    const { left, usedPercent } = figures;
    return [
      ...[figures.budget, figures.before, figures.period].map(amount),
      [sum === undefined ? 'change' : 'sumChange', say(figures.changes)],
      amount(figures.toDate),
      left === undefined ? null : amount(left),
      typeof usedPercent === 'number' ? ['percent', String(usedPercent)] : null,
      amount(figures.budgetToDate),
    ];
  };
  const names = (cells: readonly WorkbookCell[]) => (withSubProjects ? [null, ...cells] : cells);
  const rows = kindsOf(lines).flatMap((kind) => {
    const isIncome = kind === 'income';
    const own = lines.filter((line) => line.kind === kind);
    const entries = own.map((line): readonly WorkbookCell[] => [
      ...(withSubProjects ? [line.project] : []),
      ...[isIncome ? 'Income' : 'Expense', line.category, line.code, line.name],
      ...amounts(line, undefined),
      line.reason === null ? null : ['wrapped', line.reason],
    ]);
    const total = ['bold', isIncome ? 'Total income' : 'Total expenses'] as const;
    const sums = amounts(isIncome ? document.income : document.expenses, 'sum');
    return [...entries, names([total, null, null, null, ...sums])];
  });
  const last = names([['bold', 'Balance'], null, null, null, ...amounts(document.balance, 'sum')]);
  const days = startDate === null ? `changes up to ${endDate}` : `${startDate} to ${endDate}`;
  const from = funder === null ? [] : [funder.name, funder.reference ?? ''];
  const about = [...from, `amounts in ${currency}`].filter((each) => each !== '').join(', ');
  const [organisation = '', ...below] = letterheadOf(access, document);
  const head: (readonly WorkbookCell[])[] = [
    [['bold', organisation]],
    ...(below.length > 0 ? [[below.join(' · ')]] : []),
    [['bold', `Statement ${number} of ${project}, ${days}`]],
    [sayStatus(document, access)],
    [about],
    [],
    headRow(
      [...(withSubProjects ? ['Project'] : []), 'Kind', 'Category', 'Code', 'Budget line'],
      FIGURES,
      ['Reason'],
    ),
  ];
  const widths = [10, 16, 9, 30, 13, 13, 13, 13, 13, 13, 8, 13, 50];
  return tableSheet(`Statement ${number}`, withSubProjects ? [20, ...widths] : widths, head, [
    ...rows,
    ...(kindsOf(lines).length > 1 ? [last] : []),
    ...(note === null ? [] : [[], ...note.split('\n').map((line) => [line])]),
  ]);
}

function sayStatus(
  { issue, issuedAt, issuedBy, withdrawn }: StatementDocument,
  { organisation }: Access,
): string {
  if (issuedAt === null) return 'A draft: its figures may change.';
  const day = (instant: string) => dayIn(organisation.timeZone, Date.parse(instant));
  const again = issue > 1 ? `, issue ${issue}` : '';
  const issued = `Issued ${day(issuedAt)} by ${issuedBy?.name}${again}`;
  return withdrawn === null ? issued : `${issued}. Withdrawn ${day(withdrawn.at)}`;
}

type ItemWords = Readonly<Record<'period' | 'changes' | LineKind, string>>;

/** The cells of each item: items add up to the lines, column by column. */
function* itemRows(
  { lines, currency }: StatementDocument,
  { access, items, withContacts }: ItemsRequest,
  words: ItemWords,
): Generator<WorkbookCell[]> {
  const { places } = access.organisation.currency;
  const byId = new Map(lines.map((line) => [line.budgetLineId, line]));
  const cellsOf = (item: ItemRecord): WorkbookCell[] => {
    const line = byId.get(formatId('bln', item.budgetLineId));
    const { kind = 'expense', code = null, name = '' } = line ?? {};
    const minor = turnIncome(kind, item.amountMinor);
    return [
      item.isChange === 1 ? words.changes : words.period,
      ['day', item.date],
      ...[formatId('txn', item.transactionId), item.provider],
      ...[item.externalId, item.description, item.accountCode, words[kind], code, name, currency],
      ['amount', formatAmount(minor, places)],
      ...(withContacts ? [['wrapped', item.contact ?? ''] as const] : []),
    ];
  };
  for (const some of items) yield* some.map(cellsOf);
}

const ITEM_COLUMNS = [
  ...['column', 'date', 'transactionId', 'provider', 'externalId', 'description', 'accountCode'],
  ...['kind', 'code', 'line', 'currency', 'amount'],
];

const AS_MEMBERS: ItemWords = {
  period: 'period',
  changes: 'changes',
  income: 'income',
  expense: 'expense',
};

/** An entry for each item, in pieces. */
export function formatItemsCsv(
  document: StatementDocument,
  request: ItemsRequest,
): Generator<string> {
  const columns = request.withContacts ? [...ITEM_COLUMNS, 'contact'] : ITEM_COLUMNS;
  return writeCsv(columns, itemRows(document, request, AS_MEMBERS));
}

const ITEM_NAMES = [
  ...['Column', 'Date', 'Transaction', 'Provider', 'Number', 'Description', 'Account code'],
  ...['Kind', 'Code', 'Budget line', 'Currency'],
];

const AS_WORDS: ItemWords = {
  period: 'This period',
  changes: 'Changes to earlier periods',
  income: 'Income',
  expense: 'Expense',
};

function itemSheet(document: StatementDocument, request: ItemsRequest) {
  const { withContacts } = request;
  const widths = [24, 12, 17, 10, 20, 40, 13, 9, 9, 30, 9, 13, ...(withContacts ? [24] : [])];
  const head = headRow(ITEM_NAMES, ['Amount'], withContacts ? ['Contact'] : []);
  return tableSheet('Transactions', widths, [head], itemRows(document, request, AS_WORDS));
}

const CHANGE_COLUMNS = [
  ...['date', 'transactionId', 'description', 'kind', 'code', 'line', 'currency'],
  ...['reported', 'now', 'change'],
];

function changeRows(document: StatementDocument, access: Access): WorkbookCell[][] {
  const lines = mapChangedLines(access, document);
  const say = amountWriter(access);
  const changes = document.changedSince?.transactions ?? [];
  return changes.map((each) => {
    const { date, transactionId, description, kind, budgetLineId, reported, now, change } = each;
    const { code = null, name = budgetLineId } = lines.get(budgetLineId) ?? {};
    return [
      ...[['day', date] as const, transactionId, description, kind, code, name, document.currency],
      ...[reported, now].map((major) => ['amount', say(major)] as const),
      ['change', say(change)],
    ];
  });
}

/** What has changed since, as lines of CSV, in pieces. */
export function formatChangesCsv(document: StatementDocument, access: Access): Generator<string> {
  return writeCsv(CHANGE_COLUMNS, changeRows(document, access));
}

/** The bytes of a workbook with the same, in pieces. */
export function formatChangesXlsx(document: StatementDocument, access: Access): Promise<Buffer[]> {
  const head = CHANGE_COLUMNS.map((name): WorkbookCell => ['head', name]);
  const widths = [12, 17, 40, 9, 9, 30, 9, 13, 13, 13];
  const name = `Since statement ${document.number}`;
  const sheet = tableSheet(name, widths, [head], changeRows(document, access));
  return writeWorkbook([sheet], access.organisation.currency.places);
}
