/** What has changed since a statement was issued, as CSV and as a workbook of Excel. */

import type { StatementDocument } from '../core/statements.ts';
import type { Access } from '../store/access.ts';
import { BYTE_ORDER_MARK, csvText } from './report-csv.ts';
import { amountWriter, writeInPieces } from './statement-csv.ts';
import { mapChangedLines } from './statement-items.ts';
import { type Cell, writeWorkbook } from './workbook.ts';

const COLUMNS = [
  ...['date', 'transactionId', 'description', 'kind', 'code', 'line', 'currency'],
  ...['reported', 'now', 'change'],
];

type Changes = NonNullable<StatementDocument['changedSince']>['transactions'];

function cellWriter(document: StatementDocument, access: Access) {
  const lines = mapChangedLines(access, document);
  const say = amountWriter(access);
  return (each: Changes[number]): Cell[] => {
    const { date, transactionId, description, kind, budgetLineId, reported, now, change } = each;
    const { code = null, name = budgetLineId } = lines.get(budgetLineId) ?? {};
    return [
      ...[['day', date] as const, transactionId, description, kind, code, name, document.currency],
      ...[reported, now].map((major) => ['amount', say(major)] as const),
      ['change', say(change)],
    ];
  };
}

/** The lines of the file, in pieces. */
export function* formatChangesCsv(document: StatementDocument, access: Access): Generator<string> {
  const cellsOf = cellWriter(document, access);
  yield `${BYTE_ORDER_MARK}${COLUMNS.join()}\r\n`;
  yield* writeInPieces(document.changedSince?.transactions ?? [], (each) => {
    return cellsOf(each).map(csvText);
  });
}

/** The bytes of the workbook, in pieces. */
export function formatChangesXlsx(document: StatementDocument, access: Access): Promise<Buffer[]> {
  const cellsOf = cellWriter(document, access);
  function* rows(): Generator<readonly Cell[]> {
    yield COLUMNS.map((name) => ['head', name]);
    for (const each of document.changedSince?.transactions ?? []) yield cellsOf(each);
  }
  const widths = [12, 17, 40, 9, 9, 30, 9, 13, 13, 13];
  const name = `Since statement ${document.number}`;
  const sheet = { name, widths, frozenRows: 1, rows: rows() };
  return writeWorkbook([sheet], access.organisation.currency.places);
}
