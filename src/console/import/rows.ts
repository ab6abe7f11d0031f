/** The rows of a file that a page about it shows, with what is to be said about each. */

import type { ValidRow } from '../../core/row-members.ts';
import { cutText } from '../../core/text-width.ts';
import type { ColumnProblem, FirstFew } from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { type Column, moneyCell, sectionPart, stackTable, typed } from '../components/elements.ts';
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
  return rowsPart<Rejected>(visit, { id: 'rejected', title: 'Rejected rows', text }, rejected, [
    LINE,
    ['Why', 'whole', ({ problems }) => problems.map(sayProblem)],
    AS_WRITTEN,
  ]);
}

/** Rows that are not stored because a later one has their id; with a way to change that. */
export function replacedPart(visit: Visit, { replaced }: Tally, wish?: Wish): HtmlValue {
  const change = wish && fileAddress(wish, { change: 'externalId' });
  const text = html`${sayHave(visit, replaced)} the external id of a later row, which
counts instead.${
    change !== undefined &&
    html` Different payments? <a href="${change}">Change the external id</a>.`
  }`;
  return rowsPart<Replaced>(visit, { id: 'replaced', title: 'Replaced rows', text }, replaced, [
    LINE,
    ['Replaced by', '', ({ byLine }) => `line ${byLine}`, 'Replaced by'],
    AS_WRITTEN,
  ]);
}

/** New rows whose external ids transactions from elsewhere have. */
export function doubtfulPart(visit: Visit, { doubtful }: Tally): HtmlValue {
  const text = html`${sayHave(visit, doubtful)} the external id of a transaction
that did not come from a file. If both are the same payment, exclude one of them.`;
  const link = ({ row: { externalId } }: Doubtful) =>
    html`<a href="${addressOf(LIST, { q: externalId })}">${typed(externalId)}</a>`;
  const about = { id: 'doubtful', title: 'Perhaps stored twice', text, look: 'odd ' };
  const columns = [LINE, ['External id', 'whole', link] as const, ...columnsOfRow(visit)];
  return rowsPart<Doubtful>(visit, about, doubtful, columns);
}

/** The rows in which a wrong column or sign shows first. */
export function oddRows(visit: Visit, { largest, moneyIn, nameless }: Tally): HtmlValue {
  const items = [
    ...largest.map((row) => ({ row, why: 'largest out' })),
    ...moneyIn.map((row) => ({ row, why: 'money in' })),
    ...nameless.map((row) => ({ row, why: 'no contact' })),
  ];
  const text = 'Check these first: a wrong column or sign shows up here';
  const about = { id: 'odd', title: 'The largest and the odd ones', text, look: 'odd ' };
  return rowsPart<(typeof items)[number]>(
    visit,
    { ...about, hasRowHeads: false },
    { items, total: items.length, more: 0 },
    [['Why shown', 'soft', ({ why }) => why], ...columnsOfRow(visit)],
  );
}

/** Lines that are not rows, such as totals and balances. */
export function remarkList({ remarks }: Tally): Html | undefined {
  if (remarks.length === 0) return undefined;
  const items = remarks.map((text) => html`<li>${typed(sentence(text))}</li>\n`);
  return sectionPart('skipped', 'Skipped, because they are not rows', html`<ul>${items}</ul>`);
}

const LINE: Column<{ readonly line: number }> = ['Line', '', ({ line }) => line, 'Line'];

/** How much of a row is shown. */
const VALUES_WIDTH = 300;

const AS_WRITTEN: Column<{ readonly values: readonly string[] }> = [
  'As it is in the file',
  'whole soft',
  ({ values }) => {
    const text = values.filter((value) => value.trim() !== '').join(' · ');
    return typed(cutText(text, VALUES_WIDTH));
  },
];

function columnsOfRow(visit: Visit): readonly Column<{ readonly row: ValidRow }>[] {
  return [
    ['Date', 'nowrap soft', ({ row }) => visit.reader.day(row.date)],
    ['Contact', 'whole', ({ row: { contact } }) => contact !== null && typed(contact)],
    ['Description', 'whole', ({ row }) => typed(row.description)],
    ['Code', '', ({ row }) => row.accountCode !== null && html`<code>${row.accountCode}</code>`],
    [
      `Amount, ${visit.reader.currency.code}`,
      'num lead',
      ({ row }) => moneyCell(row.amountMinor, visit.reader),
    ],
  ];
}

interface About {
  readonly id: string;
  readonly title: string;
  readonly text: HtmlValue;
  readonly look?: string;
  readonly hasRowHeads?: boolean;
}

/** A section with a table of some rows, and how many more there are; undefined without any. */
function rowsPart<Row>(
  visit: Visit,
  { id, title, text, ...look }: About,
  { items, total, more }: Pick<FirstFew<Row>, 'items' | 'total' | 'more'>,
  columns: readonly Column<Row>[],
): HtmlValue {
  if (total === 0) return undefined;
  const content = html`${stackTable(columns, items, { labelledBy: id, ...look })}${
    more > 0 && html`<p class="soft">And ${visit.count(more)} more.</p>`
  }`;
  return sectionPart(id, title, content, { aside: html`<p>${text}</p>` });
}

/** `1 row has`, `2 rows have`. */
function sayHave(visit: Visit, { total }: { readonly total: number }): string {
  return visit.count(total, 'row has', 'rows have');
}

/** The column with a cross, and what is wrong with its value. */
function sayProblem({ column, message }: ColumnProblem): Html {
  if (column === null) return html`${typed(sentence(message))} `;
  return html`<span class="tag rejected">${typed(column)}</span> ${typed(message)} `;
}
