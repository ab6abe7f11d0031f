/** The rows of a file that a page about it shows, with what is to be said about each. */

import type { ValidRow } from '../../core/row-members.ts';
import { cutText } from '../../core/text-width.ts';
import type { ColumnProblem, FirstFew } from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { moneyCell, stackTable, typed } from '../components/elements.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { fileAddress, type Wish } from './answers.ts';
import { sentence } from './findings.ts';
import type { HeldFile } from './held-files.ts';
import type { Doubtful, Rejected, Replaced, Tally } from './tally.ts';

/** The rejected rows with their reasons, and a file of all of them. */
export function rejectedPart(visit: Visit, file: HeldFile, { rejected }: Tally): HtmlValue {
  const text = html`<a href="/import/${file.id}/rejected">Download them</a>, correct the file and
import it: nothing is stored twice. Its cells are unchanged, including formulas.`;
  return rowsPart<Rejected>(
    visit,
    { id: 'rejected', title: 'Rejected rows', text, heads: ['Line', 'Why', AS_WRITTEN] },
    rejected,
    ({ line, problems, values }) => html`${lineCell(line)}<td role="cell"
class="whole">${problems.map(sayProblem)}</td>${valuesCell(values)}`,
  );
}

/** Rows that are not stored because a later one has their id; with a way to change that. */
export function replacedPart(visit: Visit, { replaced }: Tally, wish?: Wish): HtmlValue {
  const change = wish && fileAddress({ ...wish, change: 'externalId' });
  const text = html`${sayHave(visit, replaced)} the external id of a later row, which
counts instead.${
    change !== undefined &&
    html` Different payments? <a href="${change}">Change the external id</a>.`
  }`;
  return rowsPart<Replaced>(
    visit,
    { id: 'replaced', title: 'Replaced rows', text, heads: ['Line', REPLACED_BY, AS_WRITTEN] },
    replaced,
    ({ line, byLine, values }) => html`${lineCell(line)}<td role="cell"
data-label="${REPLACED_BY}">line ${byLine}</td>${valuesCell(values)}`,
  );
}

/** New rows whose external ids transactions from elsewhere have. */
export function doubtfulPart(visit: Visit, { doubtful }: Tally): HtmlValue {
  const text = html`${sayHave(visit, doubtful)} the external id of a transaction
that did not come from a file. If both are the same payment, exclude one of them.`;
  return rowsPart<Doubtful>(
    visit,
    {
      id: 'doubtful',
      title: 'Perhaps stored twice',
      text,
      heads: ['Line', 'External id', ...ROW_HEADS],
      ...amountOf(visit),
    },
    doubtful,
    ({ line, row }) => html`${lineCell(line)}<td role="cell" class="whole"><a
href="${addressOf(LIST, { q: row.externalId })}">${typed(row.externalId)}</a></td>
${rowCells(visit, row)}`,
  );
}

/** The rows in which a wrong column or sign shows first. */
export function oddRows(visit: Visit, { largest, moneyIn, nameless }: Tally): HtmlValue {
  const items = [
    ...largest.map((row) => ({ row, why: 'largest out' })),
    ...moneyIn.map((row) => ({ row, why: 'money in' })),
    ...nameless.map((row) => ({ row, why: 'no contact' })),
  ];
  return rowsPart(
    visit,
    {
      id: 'odd',
      title: 'The largest and the odd ones',
      text: 'Check these first: a wrong column or sign shows up here',
      heads: ['Why shown', ...ROW_HEADS],
      ...amountOf(visit),
    },
    { items, total: items.length, more: 0 },
    ({ row, why }) => html`<td role="cell" class="soft">${why}</td>\n${rowCells(visit, row)}`,
  );
}

/** Lines that are not rows, such as totals and balances. */
export function remarkList({ remarks }: Tally): Html | undefined {
  if (remarks.length === 0) return undefined;
  return html`<section aria-labelledby="skipped"><h2 id="skipped">Skipped, because they are not
rows</h2><ul>${remarks.map((text) => html`<li>${typed(sentence(text))}</li>\n`)}</ul></section>`;
}

const REPLACED_BY = 'Replaced by';
const AS_WRITTEN = 'As it is in the file';
const ROW_HEADS = ['Date', 'Contact', 'Description', 'Code'];

interface About {
  readonly id: string;
  readonly title: string;
  readonly text: HtmlValue;
  readonly heads: readonly string[];
  /** The head of a last column, of amounts. */
  readonly amount?: string;
}

function amountOf({ access }: Visit): Pick<About, 'amount'> {
  return { amount: `Amount, ${access.organisation.currency.code}` };
}

/** A section with a table of some rows, and how many more there are; undefined without any. */
function rowsPart<Row>(
  visit: Visit,
  { id, title, text, heads, amount }: About,
  { items, total, more }: Pick<FirstFew<Row>, 'items' | 'total' | 'more'>,
  cells: (row: Row) => Html,
): HtmlValue {
  if (total === 0) return undefined;
  return html`<section aria-labelledby="${id}"><div class="title"><h2 id="${id}">${title}</h2><p>${
    text
  }</p></div>
${stackTable({
  labelledBy: id,
  look: amount === undefined ? '' : 'odd ',
  heads: amount === undefined ? heads : [...heads, [amount, 'num']],
  rows: items.map((row) => html`<tr role="row">${cells(row)}</tr>\n`),
})}${more > 0 && html`<p class="soft">And ${visit.reader.count(more)} more.</p>`}
</section>`;
}

/** `1 row has`, `2 rows have`. */
function sayHave(visit: Visit, { total }: { readonly total: number }): string {
  return visit.reader.count(total, 'row has', 'rows have');
}

function lineCell(line: number): Html {
  return html`<th role="rowheader" scope="row" data-label="Line">${line}</th>`;
}

/** How much of a row is shown. */
const VALUES_WIDTH = 300;

function valuesCell(values: readonly string[]): Html {
  const text = values.filter((value) => value.trim() !== '').join(' · ');
  return html`<td role="cell" class="whole soft">${typed(cutText(text, VALUES_WIDTH))}</td>`;
}

function rowCells(visit: Visit, row: ValidRow): Html {
  const { reader } = visit;
  const { contact, description, accountCode, date, amountMinor } = row;
  const amount = moneyCell(amountMinor, visit.currency, reader);
  return html`<td role="cell" class="nowrap soft">${reader.day(date)}</td>
<td role="cell" class="whole">${contact !== null && typed(contact)}</td>
<td role="cell" class="whole">${typed(description)}</td>
<td role="cell">${accountCode !== null && html`<code>${accountCode}</code>`}</td>
<td role="cell" class="num lead">${amount}</td>`;
}

/** The column with a cross, and what is wrong with its value. */
function sayProblem({ column, message }: ColumnProblem): Html {
  if (column === null) return html`${typed(sentence(message))} `;
  return html`<span class="tag rejected">${typed(column)}</span> ${typed(message)} `;
}
