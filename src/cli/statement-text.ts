/**
 * A statement as text: its lines, what is unfinished, the reasons and the note, and what has
 * changed since it was issued (contract 14).
 */

import { count } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { toMinor } from '../core/money.ts';
import { nameLine } from '../core/projects.ts';
import type { StatementDocument } from '../core/statements.ts';
import { showAmount } from './amounts.ts';
import type { Io } from './command.ts';
import { printLines, printTable } from './output.ts';
import type { ListColumn } from './table.ts';

/** An amount of a document, in major units, as people read it. */
export function showMajor(major: number, currency: Currency): string {
  return showAmount(Number(toMinor(major, currency.places)), currency);
}

type Line = StatementDocument['lines'][number];

/** A row of the table: a line, a sum or the balance. */
type Row = Pick<Line, 'before' | 'period' | 'changes' | 'toDate' | 'budget'> & {
  readonly code: string | null;
  readonly name: string;
  readonly left?: number;
};

/** Prints a statement to standard output. The table omits lines of zeros. */
export function printStatement(io: Io, document: StatementDocument, currency: Currency): void {
  const { project, number, issue, status, from, to, lines, balance, funder } = document;
  const again = issue > 1 ? `, issue ${issue}` : '';
  const months = from === null ? `changes to ${to}` : `${from} to ${to}`;
  printLines(io, `${project}: statement ${number}${again} (${status}), ${months}`);
  const funded = [funder?.name, funder?.reference].filter((part) => part);
  if (funded.length > 0) printLines(io, `For ${funded.join(', ')}`);
  const rowsOf = (kind: Line['kind']) => lines.filter((line) => line.kind === kind && isUsed(line));
  const sum = (name: string, figures: Omit<Row, 'code' | 'name'>): Row => {
    return { code: null, name, ...figures };
  };
  const rows: readonly Row[] = [
    ...rowsOf('income'),
    sum('Income', document.income),
    ...rowsOf('expense'),
    sum('Expenses', document.expenses),
    sum('Balance', balance),
  ];
  const titles = { before: 'Before', period: 'Period', changes: 'Changes', toDate: 'To date' };
  const columns: readonly ListColumn<Row>[] = [
    { title: 'Code', cell: ({ code }) => code ?? '' },
    { title: 'Line', min: 14, cell: ({ name }) => name },
    ...amountColumns<Row>({ ...titles, budget: 'Budget', left: 'Left' }, currency),
  ];
  printLines(io, '');
  printTable(io, rows, columns);
  const notes = listUnfinished(document, currency);
  if (notes.length > 0) printLines(io, '', ...notes);
  printTexts(io, document);
  printChanges(io, document, currency);
}

function isUsed({ budget, before, period, changes, toDate }: Line): boolean {
  return [budget, before, period, changes, toDate].some((amount) => amount !== 0);
}

/** A column of amounts in major units for each of these members. */
function amountColumns<Of>(
  titles: { readonly [Name in keyof Of]?: string },
  currency: Currency,
): ListColumn<Of>[] {
  return (Object.entries(titles) as [keyof Of, string][]).map(([name, title]) => ({
    title,
    align: 'right',
    cell: (row) => (typeof row[name] === 'number' ? showMajor(row[name], currency) : ''),
  }));
}

function listUnfinished({ lines, unfinished, outside }: StatementDocument, currency: Currency) {
  const { unallocated, underReview, reasonsMissing } = unfinished;
  const say = (major: number) => `${showMajor(major, currency)} ${currency.code}`;
  const directions = [
    unallocated.out !== 0 && `${say(unallocated.out)} out`,
    unallocated.in !== 0 && `${say(unallocated.in)} in`,
  ].filter((part) => part !== false);
  const missing = lines.filter(({ budgetLineId }) => reasonsMissing.includes(budgetLineId));
  const notes = [
    unallocated.count > 0 &&
      `${count(unallocated.count, 'transaction')} not allocated in full: ${directions.join(', ')}.`,
    underReview.count > 0 &&
      `${count(underReview.count, 'transaction')} under review: ${say(underReview.amount)}.`,
    outside.count > 0 &&
      `${count(outside.count, 'transaction')} dated outside the project, not counted: ` +
        `income ${say(outside.income)}, expenses ${say(outside.expenses)}.`,
    missing.length > 0 && `Reasons missing: ${missing.map(nameLine).join(', ')}.`,
  ];
  return notes.filter((note) => note !== false);
}

function printTexts(io: Io, { lines, note, withdrawn }: StatementDocument): void {
  const print = (title: string, text: string) => {
    printLines(io, '', `${title}:`, ...text.split('\n').map((line) => `  ${line}`));
  };
  for (const line of lines) {
    if (line.reason !== null) print(`Reason for ${nameLine(line)}`, line.reason);
  }
  if (note !== null) print('Note', note);
  if (withdrawn !== null) {
    printLines(io, '', `Withdrawn by ${withdrawn.by.name}: ${withdrawn.reason}`);
  }
}

/** The transactions that count otherwise now than the statement and those before it say. */
function printChanges(
  io: Io,
  { lines, changedSince }: StatementDocument,
  currency: Currency,
): void {
  if (changedSince === null || changedSince.count === 0) return;
  type Change = (typeof changedSince.transactions)[number];
  const names = new Map(lines.map((line) => [line.budgetLineId, nameLine(line)]));
  const titles = { reported: 'Reported', now: 'Now', change: 'Change' };
  const columns: readonly ListColumn<Change>[] = [
    { title: 'Date', cell: ({ date }) => date },
    { title: 'Transaction', cell: ({ transactionId }) => transactionId },
    { title: 'Description', min: 14, cell: ({ description }) => description },
    { title: 'Line', min: 10, cell: ({ budgetLineId: id }) => names.get(id) ?? id },
    ...amountColumns<Change>(titles, currency),
  ];
  const { income, expenses } = changedSince;
  const [received, spent] = [showMajor(income, currency), showMajor(expenses, currency)];
  printLines(
    io,
    '',
    `Changed since: ${count(changedSince.count, 'transaction')}, income ${received}, ` +
      `expenses ${spent}`,
    '',
  );
  printTable(io, changedSince.transactions, columns);
}
