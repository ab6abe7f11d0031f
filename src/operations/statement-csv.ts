/** A statement as CSV for spreadsheets: its lines, or the transactions that it counted. */

import Papa from 'papaparse';
import { formatId } from '../core/ids.ts';
import { formatAmount, toMinor } from '../core/money.ts';
import { turn } from '../core/projects.ts';
import type { StatementDocument } from '../core/statements.ts';
import type { Access } from '../store/access.ts';
import type { ItemRecord } from '../store/statement-items.ts';
import { BYTE_ORDER_MARK, defuse } from './report-csv.ts';

const COLUMNS = [
  ...['project', 'statement', 'issue', 'status', 'kind', 'category', 'code', 'line', 'currency'],
  ...['budget', 'before', 'period', 'changes', 'toDate', 'left', 'usedPercent', 'budgetToDate'],
  'reason',
];

/** Says the amounts of a document exactly, as files have them. */
export function amountWriter({ organisation }: Access): (major: number) => string {
  const { places } = organisation.currency;
  return (major) => formatAmount(Number(toMinor(major, places)), places);
}

export function formatStatementCsv(document: StatementDocument, access: Access): string {
  const { number, issue, status, currency } = document;
  const say = amountWriter(access);
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
  return `${BYTE_ORDER_MARK}${write([COLUMNS, ...entries])}`;
}

const ITEM_COLUMNS = [
  ...['column', 'date', 'transactionId', 'provider', 'externalId', 'description', 'accountCode'],
  ...['kind', 'code', 'line', 'currency', 'amount'],
];

/** The transactions of a statement in a file. */
export interface ItemsRequest {
  readonly access: Access;
  /** Some at a time. */
  readonly items: Iterable<readonly ItemRecord[]>;
  /** Some of them are private persons. */
  readonly withContacts: boolean;
}

/** An entry for each item, in pieces: they add up to the lines, column by column. */
export function* formatItemsCsv(
  document: StatementDocument,
  { access, items, withContacts }: ItemsRequest,
): Generator<string> {
  const columns = withContacts ? [...ITEM_COLUMNS, 'contact'] : ITEM_COLUMNS;
  yield `${BYTE_ORDER_MARK}${write([columns])}`;
  const fieldsOf = itemReader(document, access);
  const entryOf = (item: ItemRecord) => {
    const { date, transactionId, provider, kind, amount, ...texts } = fieldsOf(item);
    return [
      ...[item.isChange === 1 ? 'changes' : 'period', date, transactionId, provider],
      ...[texts.externalId, texts.description, texts.accountCode].map(defuse),
      ...[kind, defuse(texts.code), defuse(texts.line), document.currency, amount],
      ...(withContacts ? [defuse(texts.contact)] : []),
    ];
  };
  for (const some of items) yield* writeInPieces(some, entryOf);
}

/** What is written in one step: 2 to 3 ms. */
const ENTRIES_AT_ONCE = 250;

/** Lines of CSV, in pieces. */
export function* writeInPieces<Item>(
  items: readonly Item[],
  entryOf: (item: Item) => (string | number)[],
): Generator<string> {
  for (let at = 0; at < items.length; at += ENTRIES_AT_ONCE) {
    yield write(items.slice(at, at + ENTRIES_AT_ONCE).map(entryOf));
  }
}

/** Reads the fields of an item with its line, as files have them. */
export function itemReader({ lines }: StatementDocument, { organisation }: Access) {
  const { places } = organisation.currency;
  const byId = new Map(lines.map((line) => [line.budgetLineId, line]));
  return (item: ItemRecord) => {
    const { date, provider, description } = item;
    const found = byId.get(formatId('bln', item.budgetLineId));
    const { kind = 'expense', code, name: line = '' } = found ?? {};
    const minor = kind === 'income' ? turn(item.amountMinor) : item.amountMinor;
    return {
      ...{ date, provider, description, kind, line },
      code: code ?? '',
      transactionId: formatId('txn', item.transactionId),
      externalId: item.externalId ?? '',
      accountCode: item.accountCode ?? '',
      contact: item.contact ?? '',
      amount: formatAmount(minor, places),
    };
  };
}

function write(entries: (string | number)[][]): string {
  return entries.length === 0 ? '' : `${Papa.unparse(entries)}\r\n`;
}
