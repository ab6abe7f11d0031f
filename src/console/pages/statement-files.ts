/** Files of a statement: CSV and a workbook of Excel. */

import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { fileReply } from '../../http/pages.ts';
import { readWithItems } from '../../operations/statement-items.ts';
import type { Steps } from '../../operations/turns.ts';
import { hiddenField } from '../components/forms.ts';
import { addressOf } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';

/** The transactions behind the figures as a file, with contacts if someone ticks that. */
export function itemsForm(own: string, query: Readonly<Record<string, string | undefined>>): Html {
  const kept = Object.entries({ ...query, part: 'transactions' }).map(([name, value]) => {
    return hiddenField(name, value);
  });
  const buttons = FORMATS.map((each) => {
    const name = each.toUpperCase();
    return html`<button class="button" name="format" value="${each}">${name}</button> `;
  });
  return html`<form class="actions items" action="${own}">${kept}<span>The transactions behind
the figures:</span> <span class="choice"><input type="checkbox" id="contacts" name="contacts"
value="yes"><label for="contacts">with contacts, some of whom are private persons</label></span>
${buttons}</form>
`;
}

/** Links to the files of what an address shows. */
export function fileLinks(
  own: string,
  query: Readonly<Record<string, string | undefined>> = {},
): readonly Html[] {
  return FORMATS.map((format) => {
    const address = addressOf(own, {}, { ...query, format });
    return html` <a class="button" href="${address}">${format.toUpperCase()}</a>`;
  });
}

/** The formats of files, as addresses name them. */
export const FORMATS = ['xlsx', 'csv'] as const;
const CSV = 'text/csv; charset=utf-8';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file of a statement: of its lines, its transactions, or both. */
export async function statementFile(
  visit: Visit,
  format: (typeof FORMATS)[number],
  read: () => StatementDocument,
): Promise<Reply> {
  const { access } = visit;
  const { readings } = visit.desk;
  const isItems = format === 'csv' && visit.asked('part') === 'transactions';
  const nameOf = ({ number }: StatementDocument) => {
    return `Statement ${number}${isItems ? ' transactions' : ''}.${format}`;
  };
  const csv = await import('../../operations/statement-csv.ts');
  if (format === 'csv' && !isItems) {
    const document = read();
    return fileReply(nameOf(document), CSV, csv.formatStatementCsv(document, access));
  }
  const { document, items } = await readings.take(visit, readWithItems(access, read, visit));
  const request = { access, items, withContacts: visit.asked('contacts') === 'yes' };
  if (isItems) {
    const pieces = await readings.take(visit, collect(csv.formatItemsCsv(document, request)));
    return fileReply(nameOf(document), CSV, pieces);
  }
  const { formatStatementXlsx } = await import('../../operations/statement-xlsx.ts');
  const pieces = await formatStatementXlsx(document, request);
  return fileReply(nameOf(document), XLSX, Buffer.concat(pieces));
}

/** A file of what has changed since a statement. */
export async function changesFile(
  visit: Visit,
  format: (typeof FORMATS)[number],
  document: StatementDocument,
): Promise<Reply> {
  const name = `Changed since statement ${document.number}.${format}`;
  const { formatChangesCsv, formatChangesXlsx } = await import(
    '../../operations/statement-changes.ts'
  );
  if (format === 'xlsx') {
    return fileReply(name, XLSX, Buffer.concat(await formatChangesXlsx(document, visit.access)));
  }
  const writing = collect(formatChangesCsv(document, visit.access));
  return fileReply(name, CSV, await visit.desk.readings.take(visit, writing));
}

function* collect(pieces: Iterable<string>): Steps<readonly string[]> {
  const body: string[] = [];
  for (const piece of pieces) {
    body.push(piece);
    yield;
  }
  return body;
}
