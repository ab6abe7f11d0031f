/**
 * What was found out about a file, with what proves it; and the last look before it is imported:
 * totals, and rows with what to say of each.
 */

import type { ValidRow } from '../../core/row-members.ts';
import { cutText } from '../../core/text-width.ts';
import {
  type ColumnProblem,
  codesOf,
  type Evidence,
  type Fact,
  type FirstFew,
  type Inspection,
  listFacts,
  type Subject,
  statedCurrency,
  type WrittenAnswer,
  writeAnswer,
} from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { nextTurn } from '../../operations/turns.ts';
import {
  type Column,
  figureList,
  moneyCell,
  sectionPart,
  stackTable,
  typed,
  unseen,
} from '../components/elements.ts';
import { postForm } from '../components/forms.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { Wish } from './answers.ts';
import type { HeldFile } from './held-files.ts';
import { nameValue, SUBJECTS } from './subjects.ts';
import { type Looked, readingOf, type Tally } from './tally.ts';

interface ReadyView {
  readonly looked: Looked;
  readonly wish: Wish;
}

/** Everything that is shown of a file that can be imported. */
export async function readyPart(
  visit: Visit,
  file: HeldFile,
  { looked, wish }: ReadyView,
): Promise<HtmlValue> {
  const { reader } = visit;
  const { inspection, tally, savedAtMs } = looked;
  if (tally === undefined) return undefined;
  const again = new Wish({ ...wish, isAgain: true }).address({ written: [] });
  const isRecalled = savedAtMs !== undefined;
  const warnings = inspection.table?.warnings ?? [];
  const figures = tallyFigures(reader, tally, 'now');
  await nextTurn();
  return html`${figures}
${warnings.map(
  (text) => html`<p class="note"><span>${typed(sentence(text))}</span></p>
`,
)}${
  isRecalled &&
  html`<p class="note"><span>Read with the settings that you chose on ${reader.dayAt(
    savedAtMs,
  )} for a file with the same columns. <a href="${again}">Inspect this file again</a></span></p>`
}${importForm(visit, file, { looked, wish })}
${troublePart(reader, file, tally, wish)}
${oddRows(reader, tally)}${remarkList(tally)}
${
  !isRecalled &&
  html`<details class="findings"><summary>How the file is read: ${reader.count(
    listFacts(inspection).length,
    'finding',
  )}</summary>
${findingsTable(inspection, wish)}</details>`
}`;
}

/** The figures of a file: of what would happen now, or of what was done. */
export function tallyFigures(reader: Reader, tally: Tally, when: 'now' | 'done'): Html {
  const { currency } = reader;
  const { out, in: into, from, to, created, updated, unchanged } = tally;
  const { total: rejected } = tally.rejected;
  const { total: replaced } = tally.replaced;
  const { total: doubtful } = tally.doubtful;
  const known = `${reader.count(updated)} changed, ${reader.count(unchanged)} as before`;
  const notStored = when === 'now' ? 'will not be stored' : 'not stored';
  const link = (id: string, words: string) => html`<a href="#${id}">${words}</a>`;
  return figureList([
    [`Money out, ${currency.code}`, reader.money(out.sumMinor), reader.count(out.count, 'row')],
    [`Money in, ${currency.code}`, reader.money(into.sumMinor), reader.count(into.count, 'row')],
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
    turned !== undefined &&
    html` Are money out and money in swapped? <a href="${turned}">Flip all signs</a>`
  }</span></p>`;
  if (count === 0) {
    const nothing =
      (tally?.unchanged ?? 0) > 0
        ? 'Nothing to import: all rows are stored already. Excluded transactions stay excluded.'
        : 'Nothing to import: none of the rows can be stored.';
    return html`${compare}<p><b>${nothing}</b></p>
<p class="actions"><a class="button" href="/import">Another file</a></p>`;
  }
  const canKeep = inspection.mapping?.header !== undefined;
  const many = visit.reader.count(count, 'transaction');
  const content = html`${wish.hidden}<p
class="actions"><button class="button primary">Import ${many}</button> <a
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
  return wish.address({ written: wish.replacing(subject, added) });
}

/** The rows that are not stored as they are, or perhaps twice. */
export function troublePart(
  reader: Reader,
  file: HeldFile,
  tally: Tally,
  wish?: Wish,
): readonly HtmlValue[] {
  return [
    rejectedPart(reader, file, tally),
    replacedPart(reader, tally, wish),
    doubtfulPart(reader, tally),
  ];
}

/** The rejected rows with their reasons, and a file of all of them. */
function rejectedPart(reader: Reader, file: HeldFile, { rejected }: Tally): HtmlValue {
  const text = html`<a href="/import/${file.id}/rejected">Download them</a>, correct the file and
import it: nothing is stored twice. The cells in it are unchanged, including formulas.`;
  return rowsPart(reader, { id: 'rejected', title: 'Rejected rows', text }, rejected, [
    LINE,
    ['Why', 'whole', ({ problems }) => problems.map(sayProblem)],
    AS_WRITTEN,
  ]);
}

/** Rows that are not stored because a later one has their id; with a way to change that. */
function replacedPart(reader: Reader, { replaced }: Tally, wish: Wish | undefined): HtmlValue {
  const change = wish?.address({ change: 'externalId' });
  const text = html`${sayHave(reader, replaced)} the external id of a later row, which
counts instead.${
    change !== undefined &&
    html` Different payments? <a href="${change}">Change the external id</a>.`
  }`;
  return rowsPart(reader, { id: 'replaced', title: 'Replaced rows', text }, replaced, [
    LINE,
    ['Replaced by', '', ({ byLine }) => `line ${byLine}`, 'Replaced by'],
    AS_WRITTEN,
  ]);
}

/** New rows whose external ids transactions from elsewhere have. */
function doubtfulPart(reader: Reader, { doubtful }: Tally): HtmlValue {
  const text = html`${sayHave(reader, doubtful)} the external id of a transaction
that did not come from a file. If both are the same payment, exclude one of them.`;
  const link = ({ row: { externalId } }: { readonly row: ValidRow }) =>
    html`<a href="${listPath(PATHS.list, { q: externalId })}">${typed(externalId)}</a>`;
  const about = { id: 'doubtful', title: 'Perhaps stored twice', text, look: 'odd ' };
  const columns = [LINE, ['External id', 'whole', link] as const, ...columnsOfRow(reader)];
  return rowsPart(reader, about, doubtful, columns);
}

/** The rows in which a wrong column or sign shows first. */
function oddRows(reader: Reader, { largest, moneyIn, nameless }: Tally): HtmlValue {
  const items = [
    ...largest.map((row) => ({ row, why: 'largest out' })),
    ...moneyIn.map((row) => ({ row, why: 'money in' })),
    ...nameless.map((row) => ({ row, why: 'no contact' })),
  ];
  const text = 'Check these first: a wrong column or sign shows up here';
  const about = { id: 'odd', title: 'Largest and unusual rows', text, look: 'odd ' };
  return rowsPart(
    reader,
    { ...about, hasRowHeads: false },
    { items, total: items.length, more: 0 },
    [['Why shown', 'soft', ({ why }) => why], ...columnsOfRow(reader)],
  );
}

/** Lines that are not rows, such as totals and balances. */
function remarkList({ remarks }: Tally): Html | undefined {
  if (remarks.length === 0) return undefined;
  const items = remarks.map((text) => html`<li>${typed(sentence(text))}</li>\n`);
  return sectionPart('skipped', 'Skipped, because they are not rows', html`<ul>${items}</ul>`);
}

const LINE: Column<{ readonly line: number }> = ['Line', '', ({ line }) => line, 'Line'];

/** How much of a row is shown. */
const VALUES_WIDTH = 300;

const AS_WRITTEN: Column<{ readonly values: readonly string[] }> = [
  'Row in the file',
  'whole soft',
  ({ values }) => {
    const text = values.filter((value) => value.trim() !== '').join(' · ');
    return typed(cutText(text, VALUES_WIDTH));
  },
];

function columnsOfRow(reader: Reader): readonly Column<{ readonly row: ValidRow }>[] {
  return [
    ['Date', 'nowrap soft', ({ row }) => reader.day(row.date)],
    ['Contact', 'whole', ({ row: { contact } }) => contact !== null && typed(contact)],
    ['Description', 'whole', ({ row }) => typed(row.description)],
    ['Code', '', ({ row }) => row.accountCode !== null && html`<code>${row.accountCode}</code>`],
    [
      `Amount, ${reader.currency.code}`,
      'num lead',
      ({ row }) => moneyCell(row.amountMinor, reader),
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
  reader: Reader,
  { id, title, text, ...look }: About,
  { items, total, more }: Pick<FirstFew<Row>, 'items' | 'total' | 'more'>,
  columns: readonly Column<Row>[],
): HtmlValue {
  if (total === 0) return undefined;
  const content = html`${stackTable(columns, items, { labelledBy: id, ...look })}${
    more > 0 && html`<p class="soft">And ${reader.count(more)} more.</p>`
  }`;
  return sectionPart(id, title, content, { aside: html`<p class="soft">${text}</p>` });
}

/** `1 row has`, `2 rows have`. */
function sayHave(reader: Reader, { total }: { readonly total: number }): string {
  return reader.count(total, 'row has', 'rows have');
}

/** The column with a cross, and what is wrong with its value. */
function sayProblem({ column, message }: ColumnProblem): Html {
  if (column === null) return html`${typed(sentence(message))} `;
  return html`<span class="tag rejected">${typed(column)}</span> ${typed(message)} `;
}

/** A table of every finding, or undefined if nothing was found. */
export function findingsTable(inspection: Inspection, wish: Wish): Html | undefined {
  const facts = listFacts(inspection);
  if (facts.length === 0) return undefined;
  const nameOf = ({ subject, label }: Fact) => {
    return subject === undefined ? label.trim() : SUBJECTS[subject].name;
  };
  const columns: readonly Column<Fact>[] = [
    ['What', '', nameOf],
    ['Found', '', ({ subject, value }) => typed(nameValue(subject, value))],
    ['What proves it', 'whole', (fact) => proofOf(fact, wish)],
    [
      unseen('Change'),
      '',
      (fact) =>
        fact.subject !== undefined &&
        html`<a href="${wish.address({ change: fact.subject })}">Change${unseen(
          ` ${nameOf(fact)}`,
        )}</a>`,
    ],
  ];
  return stackTable(columns, facts, { label: 'What was found', look: 'proof ' });
}

function proofOf({ subject, evidence, note }: Fact, wish: Wish): Html {
  return html`${evidence !== undefined && explain(evidence, subject, wish)}${
    note !== '' && html` ${typed(sentence(note))}`
  }`;
}

function explain(evidence: Evidence, subject: Subject | undefined, wish: Wish): Html {
  if ('missing' in evidence) {
    return evidence.missing === 'currency'
      ? html`The file does not say: the organisation's is assumed.`
      : html`No column is named like one.`;
  }
  if ('said' in evidence) return html`You chose it.`;
  const { because, instead = [], otherColumn } = evidence;
  const ways = instead.map((answer) => {
    const written = writeAnswer(answer);
    const words = written.value.slice(written.value.indexOf('=') + 1);
    const page = wish.address({ written: wish.replacing(subject ?? 'rejected', [written]) });
    return html` <a href="${page}">Use ${typed(words)} instead</a>`;
  });
  const other = otherColumn !== undefined && ' Change it if other columns say more.';
  return html`${typed(sentence(because))}${ways}${other}`;
}

/** A clause as a sentence. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
