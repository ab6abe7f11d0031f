/** Files of a statement, or of a report: CSV and a workbook of Excel. */

import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { fileReply } from '../../http/pages.ts';
import { readWithItems } from '../../operations/statement-items.ts';
import type { Steps } from '../../operations/turns.ts';
import type { Visit } from '../session/visit.ts';

export function fileLinks(addressFor: (format: Format) => string): readonly Html[] {
  return FORMATS.map((format) => {
    return html` <a class="button" href="${addressFor(format)}">${format.toUpperCase()}</a>`;
  });
}

/** The formats of files, as addresses name them. */
export const FORMATS = ['xlsx', 'csv'] as const;
type Format = (typeof FORMATS)[number];
const TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The format of the file that the address asks for; undefined for the page. */
export function askedFormat(visit: Visit): Format | undefined {
  return FORMATS.find((each) => each === visit.asked('format'));
}

/** A file by its name without the format, from the pieces of either. */
export async function tableFile(
  visit: Visit,
  [name, format]: readonly [name: string, format: Format],
  { csv, xlsx }: { csv: () => Iterable<string>; xlsx: () => Promise<readonly Buffer[]> },
): Promise<Reply> {
  const body = format === 'csv' ? await visit.read(collect(csv())) : Buffer.concat(await xlsx());
  return fileReply(`${name}.${format}`, TYPES[format], body);
}

/** A file of a statement: of its lines, its transactions, or both. */
export async function statementFile(
  visit: Visit,
  format: Format,
  read: () => Steps<StatementDocument>,
): Promise<Reply> {
  const { access } = visit;
  const isItems = format === 'csv' && visit.asked('part') === 'transactions';
  const files = await import('../../operations/statement-files.ts');
  if (format === 'csv' && !isItems) {
    const document = await visit.read(read());
    const body = files.formatStatementCsv(document, access);
    return fileReply(`Statement ${document.number}.csv`, TYPES.csv, body);
  }
  const { document, items } = await visit.read(readWithItems(access, read, visit));
  const request = { access, items, withContacts: visit.asked('contacts') === 'yes' };
  const name = `Statement ${document.number}${isItems ? ' transactions' : ''}`;
  return tableFile(visit, [name, format], {
    csv: () => files.formatItemsCsv(document, request),
    xlsx: () => files.formatStatementXlsx(document, request),
  });
}

export async function changesFile(
  visit: Visit,
  format: Format,
  document: StatementDocument,
): Promise<Reply> {
  const files = await import('../../operations/statement-files.ts');
  return tableFile(visit, [`Changed since statement ${document.number}`, format], {
    csv: () => files.formatChangesCsv(document, visit.access),
    xlsx: () => files.formatChangesXlsx(document, visit.access),
  });
}

function* collect(pieces: Iterable<string>): Steps<readonly string[]> {
  const body: string[] = [];
  for (const piece of pieces) {
    body.push(piece);
    yield;
  }
  return body;
}
