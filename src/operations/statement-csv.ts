/** A statement as CSV for spreadsheets: its lines, or the transactions that it counted. */

import Papa from 'papaparse';
import { formatId } from '../core/ids.ts';
import { formatAmount, toMinor } from '../core/money.ts';
import { turn } from '../core/projects.ts';
import type { StatementDocument } from '../core/statements.ts';
import type { ItemRecord } from '../store/statements.ts';
import type { Access } from './access.ts';
import { BYTE_ORDER_MARK, defuse } from './report-csv.ts';

const COLUMNS = [
  ...['project', 'statement', 'issue', 'status', 'kind', 'category', 'code', 'line', 'currency'],
  ...['budget', 'before', 'period', 'changes', 'toDate', 'left', 'usedPercent', 'budgetToDate'],
  'reason',
];

/** An entry for each line. */
export function formatStatementCsv(document: StatementDocument, access: Access): string {
  const { number, issue, status, currency } = document;
  const { places } = access.organisation.currency;
  const say = (major: number) => formatAmount(Number(toMinor(major, places)), places);
  const entries = document.lines.map((line) => {
    const { project, kind, category, code, name, usedPercent, reason } = line;
    const { budget, before, period, changes, toDate, left } = line;
    return [
      defuse(project),
      ...[number, issue, status, kind],
      ...[category ?? '', code ?? '', name].map(defuse),
      currency,
      ...[budget, before, period, changes, toDate, left].map(say),
      usedPercent ?? '',
      say(line.budgetToDate),
      defuse(reason ?? ''),
    ];
  });
  return write(COLUMNS, entries);
}

const ITEM_COLUMNS = [
  ...['column', 'date', 'transactionId', 'provider', 'externalId', 'description', 'accountCode'],
  ...['kind', 'code', 'line', 'currency', 'amount'],
];

/** An entry for each item: they add up to the lines, column by column. */
export function formatItemsCsv(
  { lines, currency }: StatementDocument,
  items: readonly ItemRecord[],
  { access, withContacts }: { readonly access: Access; readonly withContacts: boolean },
): string {
  const { places } = access.organisation.currency;
  const byId = new Map(lines.map((line) => [line.budgetLineId, line]));
  const entries = items.map((item) => {
    const line = byId.get(formatId('bln', item.budgetLineId));
    const { kind = 'expense', code = null, name = '' } = line ?? {};
    const minor = kind === 'income' ? turn(item.amountMinor) : item.amountMinor;
    return [
      ...[item.isChange === 1 ? 'changes' : 'period', item.date],
      ...[formatId('txn', item.transactionId), item.provider],
      ...[item.externalId ?? '', item.description, item.accountCode ?? ''].map(defuse),
      ...[kind, ...[code ?? '', name].map(defuse), currency, formatAmount(minor, places)],
      ...(withContacts ? [defuse(item.contact ?? '')] : []),
    ];
  });
  return write(withContacts ? [...ITEM_COLUMNS, 'contact'] : ITEM_COLUMNS, entries);
}

function write(columns: readonly string[], entries: readonly (string | number)[][]): string {
  const all = [[...columns], ...entries];
  return `${BYTE_ORDER_MARK}${Papa.unparse(all)}\r\n`;
}
