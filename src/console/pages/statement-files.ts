/** Files of a statement: CSV and a workbook of Excel. */

import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { fileReply } from '../../http/pages.ts';
import { consistently } from '../../operations/access.ts';
import { walkItems } from '../../operations/statement-items.ts';
import type { Steps } from '../../operations/turns.ts';
import { hiddenField } from '../components/forms.ts';
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
  const { document, items } = consistently(access, () => {
    const document = read();
    return { document, items: walkItems(access, document, visit) };
  });
  const request = { access, items, withContacts: visit.asked('contacts') === 'yes' };
  const isItems = format === 'csv' && visit.asked('part') === 'transactions';
  const what = isItems ? ' transactions' : '';
  const name = `Statement ${document.number}${what}.${format}`;
  if (format === 'xlsx') {
    const { formatStatementXlsx } = await import('../../operations/statement-xlsx.ts');
    const pieces = await formatStatementXlsx(document, request);
    return fileReply(name, XLSX, Buffer.concat(pieces));
  }
  const csv = await import('../../operations/statement-csv.ts');
  if (!isItems) return fileReply(name, CSV, csv.formatStatementCsv(document, access));
  const writing = collect(csv.formatItemsCsv(document, request));
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
