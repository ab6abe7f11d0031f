/** The last look at a file before it is imported: totals, odd rows and rejected ones. */

import type { ValidRow } from '../../core/row-members.ts';
import { cleanText, cutText } from '../../core/text-width.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Inspection } from '../../inspect/inspect.ts';
import type { WrittenAnswer } from '../../inspect/written-answers.ts';
import { codesOf } from '../../rows/currency-signs.ts';
import { statedCurrency } from '../../rows/mapping.ts';
import type { ColumnProblem } from '../../rows/rejected-rows.ts';
import { readerOf, type Visit } from '../desk.ts';
import { fileAddress, replaceAnswers, type Wish } from '../import/answers.ts';
import { countFindings, findingsTable, sentence } from '../import/findings.ts';
import type { HeldFile } from '../import/held-files.ts';
import type { Looked, Tally } from '../import/tally.ts';
import { markField } from '../outcomes.ts';
import { moneyCell, typed } from '../parts.ts';
import { dayOf } from '../reader.ts';

interface View {
  readonly looked: Looked;
  readonly wish: Wish;
}

/** The heading of every page about a file. */
export function fileHead(
  visit: Visit,
  file: HeldFile,
  { step, looked }: { readonly step?: number; readonly looked?: Looked } = {},
): Html {
  const reader = readerOf(visit);
  const kilobytes = reader.count(Math.max(1, Math.round(file.bytes / 1024)));
  const rows = looked?.tally?.rows ?? looked?.inspection.facts?.rows ?? 0;
  const size = rows > 0 && `${reader.count(rows)} ${rows === 1 ? 'row' : 'rows'}, `;
  return html`<div class="head"><div><p class="crumb"><a href="/import">Import</a>${
    step !== undefined && ` · step ${step} of 3`
  }</p><h1>${typed(cleanText(file.name))}</h1>
<p>${size}${kilobytes} KB. Nothing is stored yet.</p></div></div>`;
}

/** Everything that is shown of a file that can be imported. */
export function readyPart(visit: Visit, file: HeldFile, { looked, wish }: View): HtmlValue {
  const { inspection, tally, savedAtMs } = looked;
  if (tally === undefined) return undefined;
  const again = fileAddress({ ...wish, written: [], isAgain: true, change: undefined });
  const isRecalled = savedAtMs !== undefined;
  return html`${tallyFigures(visit, tally, 'now')}
${
  isRecalled &&
  html`<p class="note"><span>Read with the settings that you chose on ${readerOf(visit).day(
    dayOf(savedAtMs),
  )} for a file with the same columns. <a href="${again}">Inspect this file again</a></span></p>`
}${importForm(visit, file, { looked, wish })}
${rejectedPart(visit, file, tally)}${oddRows(visit, tally)}${remarkList(tally)}
${
  !isRecalled &&
  html`<details class="findings"><summary>How the file is read: ${readerOf(visit).count(
    countFindings(inspection),
  )} things found</summary>
${findingsTable(inspection, wish)}</details>`
}`;
}

/** The figures of a file: of what would happen now, or of what was done. */
export function tallyFigures(visit: Visit, tally: Tally, when: 'now' | 'done'): Html {
  const reader = readerOf(visit);
  const { currency } = visit.session.access.organisation;
  const { out, in: into, from, to, created, updated, unchanged, rejected } = tally;
  const rows = (count: number) => `${reader.count(count)} ${count === 1 ? 'row' : 'rows'}`;
  const known = updated + unchanged;
  const knownWords =
    known === 0
      ? 'none known before'
      : `${reader.count(updated)} changed, ${reader.count(unchanged)} as before`;
  return html`<dl class="totals">
<div><dt>Money out, ${currency.code}</dt><dd>${reader.money(out.sumMinor, currency)} <small>${rows(
    out.count,
  )}</small></dd></div>
<div><dt>Money in, ${currency.code}</dt><dd>${reader.money(into.sumMinor, currency)} <small>${rows(
    into.count,
  )}</small></dd></div>
${
  from !== undefined &&
  to !== undefined &&
  html`<div><dt>Days</dt><dd>${reader.day(from)} <small>to ${reader.day(to)}</small></dd></div>\n`
}<div><dt>New</dt><dd>${reader.count(created)} <small>${knownWords}</small></dd></div>
<div><dt>Rejected</dt><dd>${reader.count(rejected)} <small>${
    rejected === 0 ? 'none' : when === 'now' ? 'will not be stored' : 'not stored'
  }</small></dd></div>
</dl>`;
}

function importForm(visit: Visit, file: HeldFile, { looked, wish }: View): Html {
  const { inspection, tally } = looked;
  const { access } = visit.session;
  const stated = inspection.mapping && statedCurrency(inspection.mapping);
  const { name, currency } = access.organisation;
  if (stated !== undefined && !codesOf(stated).includes(currency.code)) {
    return html`<div class="problem" role="alert"><h2>This file cannot be imported</h2>
<p>Its amounts are in ${stated}, but ${typed(name)} uses ${currency.code}. budgetd does not convert:
choose a file in ${currency.code}.</p></div>
<p class="actions"><a class="button" href="/import">Another file</a></p>`;
  }
  const count = (tally?.created ?? 0) + (tally?.updated ?? 0);
  const reader = readerOf(visit);
  const turned = turnAddress(inspection, wish);
  const compare = html`<p class="note"><span>Compare both totals with the bank or the ledger.${
    turned !== undefined && html` The wrong way round? <a href="${turned}">Turn every sign</a>`
  }</span></p>`;
  if (count === 0) {
    const nothing =
      (tally?.unchanged ?? 0) > 0
        ? 'Nothing to import: all of it is stored already.'
        : 'Nothing to import: no row can be stored.';
    return html`${compare}<p><b>${nothing}</b></p>
<p class="actions"><a class="button" href="/import">Another file</a></p>`;
  }
  const many = count === 1 ? 'transaction' : 'transactions';
  const given = wish.written.map(
    ({ name: field, value }) => html`<input type="hidden" name="${field}" value="${value}">\n`,
  );
  const canKeep = inspection.mapping?.header !== undefined;
  return html`${compare}
<form method="post" action="/import/${file.id}">${markField()}
${given}${wish.isAgain && html`<input type="hidden" name="again" value="yes">\n`}<p
class="actions"><button class="button primary">Import ${reader.count(count)} ${many}</button> <a
class="button" href="/import">Another file</a></p>
${
  canKeep &&
  html`<div class="choice"><input type="checkbox" id="keep" name="keep" value="yes" checked><label
for="keep">Keep these answers <span class="hint">The next file with the same columns is read the
same way, without questions.</span></label></div>\n`
}</form>`;
}

/** The page with every amount turned round; undefined where words mark each side. */
function turnAddress({ sign, mapping }: Inspection, wish: Wish): string | undefined {
  if (sign === undefined || mapping === undefined) return undefined;
  const { columns, shape } = sign.value;
  const [out, into] = columns.map(({ title }) => title);
  let added: WrittenAnswer[] | undefined;
  if (shape.kind === 'signed') {
    added = [{ name: 'money-out', value: shape.isTurned ? 'positive' : 'negative' }];
  } else if (shape.kind === 'two') {
    const sides = [
      ['out', shape.isInTurned, into],
      ['in', shape.isOutTurned, out],
    ] as const;
    added = sides.map(([use, isTurned, column]) => ({
      name: 'map',
      value: `${use}=${isTurned ? '-' : ''}${column}`,
    }));
  }
  if (added === undefined) return undefined;
  const subject = shape.kind === 'two' ? 'amount' : 'moneyOut';
  const written = replaceAnswers(wish.written, subject, added);
  return fileAddress({ ...wish, written, change: undefined });
}

/** The rejected rows with their reasons, and a file of all of them. */
export function rejectedPart(visit: Visit, file: HeldFile, tally: Tally): Html | undefined {
  const { rejected, firstRejected } = tally;
  if (rejected === 0) return undefined;
  const more = rejected - firstRejected.length;
  return html`<section aria-labelledby="rejected"><div class="title"><h2 id="rejected">Rejected
rows</h2><p><a href="/import/${file.id}/rejected">Download them</a>, correct the file and import it:
nothing is stored twice. Its cells are as they were, also formulas.</p></div>
<table class="stack" role="table" aria-labelledby="rejected"><thead role="rowgroup"><tr
role="row"><th role="columnheader" scope="col">Line</th><th role="columnheader"
scope="col">Why</th><th role="columnheader" scope="col">As it is in the file</th></tr></thead>
<tbody role="rowgroup">
${firstRejected.map(
  ({ line, values, problems }) => html`<tr role="row"><th role="rowheader" scope="row"
class="whole" data-label="Line">${line}</th><td role="cell" class="whole">${problems.map(
    sayProblem,
  )}</td><td role="cell" class="whole soft">${typed(joinValues(values))}</td></tr>\n`,
)}</tbody></table>${
    more > 0 && html`<p class="soft">And ${readerOf(visit).count(more)} more, in the file.</p>`
  }
</section>`;
}

/** The column with a cross, and what is wrong with its value. */
function sayProblem({ column, message }: ColumnProblem): Html {
  if (column === null) return html`${typed(sentence(message))} `;
  return html`<span class="tag rejected">${typed(column)}</span> ${typed(message)} `;
}

function joinValues(values: readonly string[]): string {
  return cutText(values.filter((value) => value.trim() !== '').join(' · '), VALUES_WIDTH);
}

/** How much of a rejected row is shown. */
const VALUES_WIDTH = 300;

const ODD_HEADS = ['Why shown', 'Date', 'Contact', 'Description', 'Code'];

function oddRows(visit: Visit, { largest, moneyIn, nameless }: Tally): Html | undefined {
  const rows = [
    ...largest.map((row) => oddRow(visit, row, 'largest out')),
    ...moneyIn.map((row) => oddRow(visit, row, 'money in')),
    ...nameless.map((row) => oddRow(visit, row, 'no contact')),
  ];
  if (rows.length === 0) return undefined;
  const { code } = visit.session.access.organisation.currency;
  return html`<section aria-labelledby="odd"><div class="title"><h2 id="odd">The largest and the odd
ones</h2><p class="soft">Where a wrong column or sign shows first</p></div>
<table class="odd stack" role="table" aria-labelledby="odd"><thead role="rowgroup"><tr
role="row">${ODD_HEADS.map(
    (name) => html`<th role="columnheader" scope="col">${name}</th>\n`,
  )}<th role="columnheader" scope="col" class="num">Amount, ${code}</th></tr></thead>
<tbody role="rowgroup">
${rows}</tbody></table></section>`;
}

function oddRow(visit: Visit, row: ValidRow, why: string): Html {
  const reader = readerOf(visit);
  const { contact, description, accountCode, date, amountMinor } = row;
  const amount = moneyCell(amountMinor, visit.session.access.organisation.currency, reader);
  return html`<tr role="row"><td role="cell" class="soft">${why}</td>
<td role="cell" class="nowrap soft">${reader.day(date)}</td>
<td role="cell" class="whole">${contact !== null && typed(contact)}</td>
<td role="cell" class="whole">${typed(description)}</td>
<td role="cell">${accountCode !== null && html`<code>${accountCode}</code>`}</td>
<td role="cell" class="num lead">${amount}</td></tr>
`;
}

/** Lines that are not rows, such as totals and balances. */
function remarkList({ remarks }: Tally): Html | undefined {
  if (remarks.length === 0) return undefined;
  return html`<section aria-labelledby="skipped"><h2 id="skipped">Skipped, because they are not
rows</h2><ul>${remarks.map((text) => html`<li>${typed(sentence(text))}</li>\n`)}</ul></section>`;
}
