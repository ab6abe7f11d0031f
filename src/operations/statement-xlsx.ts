/** A statement as a workbook of Excel: its lines, and the transactions that it counted. */

import { kindsOf } from '../core/projects.ts';
import type { StatementDocument } from '../core/statements.ts';
import { amountWriter, type ItemsRequest, itemReader } from './statement-csv.ts';
import { letterheadOf } from './statement-items.ts';
import { type Cell, writeWorkbook } from './workbook.ts';

/** The bytes of the workbook, in pieces. Rejects if a sheet has no room for the transactions. */
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
const ITEM_NAMES = [
  ...['Column', 'Date', 'Transaction', 'Provider', 'Number', 'Description', 'Account code'],
  ...['Kind', 'Code', 'Budget line', 'Currency'],
];

/** The names of columns: texts, numbers and more texts. */
const headRow = (names: readonly string[], numbers: readonly string[], ends: readonly string[]) => [
  ...names.map((name): Cell => ['head', name]),
  ...numbers.map((name): Cell => ['rightHead', name]),
  ...ends.map((name): Cell => ['head', name]),
];

/** Its lines below what a statement says of itself on paper, the note below the balance. */
function lineSheet(document: StatementDocument, { access }: ItemsRequest) {
  const { number, project, startDate, endDate, currency, funder, lines, note } = document;
  const { withSubProjects } = document;
  const say = amountWriter(access);
  type Figures = StatementDocument['balance'] & { left?: number; usedPercent?: number | null };
  const amounts = (figures: Figures, sum: 'sum' | undefined): Cell[] => {
    const amount = (major: number): Cell => [sum ?? 'amount', say(major)];
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
  const names = (cells: readonly Cell[]) => (withSubProjects ? [null, ...cells] : cells);
  const rows = kindsOf(lines).flatMap((kind) => {
    const isIncome = kind === 'income';
    const own = lines.filter((line) => line.kind === kind);
    const entries = own.map((line): readonly Cell[] => [
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
  const head: (readonly Cell[])[] = [
    [['bold', organisation]],
    ...(below.length > 0 ? [[below.join(' · ')]] : []),
    [['bold', `Statement ${number} of ${project}, ${days}`]],
    [sayStatus(document)],
    [about],
    [],
    headRow(
      [...(withSubProjects ? ['Project'] : []), 'Kind', 'Category', 'Code', 'Budget line'],
      FIGURES,
      ['Reason'],
    ),
  ];
  return {
    name: `Statement ${number}`,
    widths: [...(withSubProjects ? [20] : []), 10, 16, 9, 30, 13, 13, 13, 13, 13, 13, 8, 13, 50],
    frozenRows: head.length,
    rows: [
      ...head,
      ...rows,
      ...(kindsOf(lines).length > 1 ? [last] : []),
      ...(note === null ? [] : [[], ...note.split('\n').map((line) => [line])]),
    ],
  };
}

function sayStatus({ status, issue, issuedAt, issuedBy, withdrawn }: StatementDocument): string {
  if (status === 'draft') return 'A draft: its figures may change.';
  const again = issue > 1 ? `, issue ${issue}` : '';
  const issued = `Issued ${issuedAt?.slice(0, 10)} by ${issuedBy?.name}${again}`;
  return withdrawn === null ? issued : `${issued}. Withdrawn ${withdrawn.at.slice(0, 10)}`;
}

/** They add up to the lines, column by column. */
function itemSheet(document: StatementDocument, { access, items, withContacts }: ItemsRequest) {
  const fieldsOf = itemReader(document, access);
  function* rows(): Generator<readonly Cell[]> {
    yield headRow(ITEM_NAMES, ['Amount'], withContacts ? ['Contact'] : []);
    for (const some of items) {
      for (const item of some) {
        const fields = fieldsOf(item);
        const { transactionId, provider, externalId, description, accountCode } = fields;
        yield [
          item.isChange === 1 ? 'Changes to earlier periods' : 'This period',
          ['day', fields.date],
          ...[transactionId, provider, externalId, description, accountCode],
          ...[fields.kind === 'income' ? 'Income' : 'Expense', fields.code, fields.line],
          document.currency,
          ['amount', fields.amount],
          ...(withContacts ? [['wrapped', fields.contact] as const] : []),
        ];
      }
    }
  }
  return {
    name: 'Transactions',
    widths: [24, 12, 17, 10, 20, 40, 13, 9, 9, 30, 9, 13, ...(withContacts ? [24] : [])],
    frozenRows: 1,
    rows: rows(),
  };
}
