/** The last look at a file before it is imported: totals, and rows to look at. */

import { cleanText } from '../../core/text-width.ts';
import type { Inspection, WrittenAnswer } from '../../files/index.ts';
import { codesOf, listFacts, statedCurrency } from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { figureList, typed } from '../components/elements.ts';
import { postForm } from '../components/forms.ts';
import type { Visit } from '../session/visit.ts';
import { fileAddress, hiddenAnswers, replaceAnswers, type Wish } from './answers.ts';
import { findingsTable, sentence } from './findings.ts';
import type { HeldFile } from './held-files.ts';
import { doubtfulPart, oddRows, rejectedPart, remarkList, replacedPart } from './rows.ts';
import { type Looked, readingOf, type Tally } from './tally.ts';

interface ReadyView {
  readonly looked: Looked;
  readonly wish: Wish;
}

/** The heading of every page about a file. */
export function fileHead(
  visit: Visit,
  file: HeldFile,
  { step, looked }: { readonly step?: number; readonly looked?: Looked } = {},
): Html {
  const kilobytes = visit.count(Math.max(1, Math.round(file.bytes / 1024)));
  return html`<div class="head"><div><p class="crumb"><a href="/import">Import</a>${
    step !== undefined && ` · step ${step} of 3`
  }</p><h1>${typed(cleanText(file.name))}</h1>
<p>${looked && sayRows(visit, looked)}${kilobytes} KB. Nothing is stored yet.</p></div></div>`;
}

/** How many rows there are: until the columns are known, only what looks like one is counted. */
function sayRows(visit: Visit, { tally, inspection: { check, facts } }: Looked): string {
  const whole = tally?.rows ?? (check && check.rows + check.repeated.total + check.refusedCount);
  const rows = whole ?? facts?.rows ?? 0;
  if (rows === 0) return '';
  const words = visit.count(rows, 'row');
  return whole === undefined ? `${words} with a date and an amount, ` : `${words}, `;
}

/** Everything that is shown of a file that can be imported. */
export function readyPart(visit: Visit, file: HeldFile, { looked, wish }: ReadyView): HtmlValue {
  const { inspection, tally, savedAtMs } = looked;
  if (tally === undefined) return undefined;
  const again = fileAddress({ ...wish, isAgain: true }, { written: [] });
  const isRecalled = savedAtMs !== undefined;
  const warnings = inspection.table?.warnings ?? [];
  return html`${tallyFigures(visit, tally, 'now')}
${warnings.map(
  (text) => html`<p class="note"><span>${typed(sentence(text))}</span></p>
`,
)}${
  isRecalled &&
  html`<p class="note"><span>Read with the settings that you chose on ${visit.dayAt(
    savedAtMs,
  )} for a file with the same columns. <a href="${again}">Inspect this file again</a></span></p>`
}${importForm(visit, file, { looked, wish })}
${rejectedPart(visit, file, tally)}${replacedPart(visit, tally, wish)}${doubtfulPart(visit, tally)}
${oddRows(visit, tally)}${remarkList(tally)}
${
  !isRecalled &&
  html`<details class="findings"><summary>How the file is read: ${visit.count(
    listFacts(inspection).length,
    'finding',
  )}</summary>
${findingsTable(inspection, wish)}</details>`
}`;
}

/** The figures of a file: of what would happen now, or of what was done. */
export function tallyFigures(visit: Visit, tally: Tally, when: 'now' | 'done'): Html {
  const { reader, currency } = visit;
  const { out, in: into, from, to, created, updated, unchanged } = tally;
  const { total: rejected } = tally.rejected;
  const { total: replaced } = tally.replaced;
  const { total: doubtful } = tally.doubtful;
  const known = `${reader.count(updated)} changed, ${reader.count(unchanged)} as before`;
  const notStored = when === 'now' ? 'will not be stored' : 'not stored';
  const link = (id: string, words: string) => html`<a href="#${id}">${words}</a>`;
  return figureList([
    [`Money out, ${currency.code}`, visit.money(out.sumMinor), reader.count(out.count, 'row')],
    [`Money in, ${currency.code}`, visit.money(into.sumMinor), reader.count(into.count, 'row')],
    from !== undefined &&
      to !== undefined && ['Days', reader.day(from), html`to ${reader.day(to)}`],
    ['New', reader.count(created), updated + unchanged === 0 ? 'none known before' : known],
    doubtful > 0 && [
      'Perhaps twice',
      reader.count(doubtful),
      link('doubtful', 'stored from elsewhere'),
    ],
    replaced > 0 && ['Replaced', reader.count(replaced), link('replaced', 'by later rows')],
    ['Rejected', reader.count(rejected), rejected === 0 ? 'none' : notStored],
  ]);
}

function importForm(visit: Visit, file: HeldFile, { looked, wish }: ReadyView): Html {
  const { inspection, tally } = looked;
  const stated = inspection.mapping && statedCurrency(inspection.mapping);
  const { name, currency } = visit.access.organisation;
  if (stated !== undefined && !codesOf(stated).includes(currency.code)) {
    return html`<div class="problem" role="alert"><h2>This file cannot be imported</h2>
<p>Its amounts are in ${stated}, but ${typed(name)} uses ${currency.code}. budgetd does not convert:
choose a file in ${currency.code}.</p></div>
<p class="actions"><a class="button" href="/import">Another file</a></p>`;
  }
  const count = (tally?.created ?? 0) + (tally?.updated ?? 0);
  const turned = turnAddress(inspection, wish);
  const compare = html`<p class="note"><span>Compare both totals with the bank or the ledger.${
    turned !== undefined && html` The wrong way round? <a href="${turned}">Flip all signs</a>`
  }</span></p>`;
  if (count === 0) {
    const nothing =
      (tally?.unchanged ?? 0) > 0
        ? 'Nothing to import: all of it is stored already.'
        : 'Nothing to import: no row can be stored.';
    return html`${compare}<p><b>${nothing}</b></p>
<p class="actions"><a class="button" href="/import">Another file</a></p>`;
  }
  const canKeep = inspection.mapping?.header !== undefined;
  const content = html`${hiddenAnswers(wish)}<p
class="actions"><button class="button primary">Import ${visit.count(
    count,
    'transaction',
  )}</button> <a
class="button" href="/import">Another file</a></p>
${
  canKeep &&
  html`<div class="choice"><input type="checkbox" id="keep" name="keep" value="yes" checked><label
for="keep">Keep these answers <span class="hint">The next file with the same columns is read the
same way, without questions.</span></label></div>\n`
}`;
  const unseen = { again: wish.isAgain ? 'yes' : undefined, seen: readingOf(looked) };
  return html`${compare}\n${postForm(`/import/${file.id}`, unseen, content)}`;
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
  return fileAddress(wish, { written: replaceAnswers(wish.written, subject, added) });
}
