/** One transaction: the panel beside the list. */

import { explainNoUndo } from '../../core/audit.ts';
import { nounFor } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { ALLOCATED_LINES } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import { RARE, type RareField, ROW_MEMBERS } from '../../core/row-members.ts';
import { PERCENT, readPercent } from '../../core/typed-amounts.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import {
  listShares,
  listTransactionAllocations,
  type NamedAllocation,
} from '../../operations/allocations.ts';
import { listTransactionHistory } from '../../operations/audit.ts';
import { listBudgetLines, mapBudgetLines } from '../../operations/budget-lines.ts';
import { findBeside, getTransaction, listTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import { listClaims } from '../../store/account-codes.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { pairList, statusTag, typed } from '../components/elements.ts';
import { type FormFaults, fieldOf, postForm, required } from '../components/forms.ts';
import {
  listDaysWithoutProject,
  listOfferedLines,
  nameShare,
  ruleLink,
  shareRow,
  type TypedShare,
} from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import {
  choiceOf,
  type Filters,
  type ListQuery,
  listPath,
} from '../components/transaction-filters.ts';
import { changeList, memberOf } from '../sentences/history.ts';
import { Names } from '../sentences/names.ts';
import { undoForm } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { sayCoded } from './recoded.ts';
import { reportedNotes } from './reported.ts';

/** What was typed into the form of the allocations. */
export interface TypedShares {
  readonly shares: readonly TypedShare[];
  readonly note: string;
}

/** How the panel is shown again after a form of it. */
interface PanelView {
  readonly faults?: FormFaults;
  readonly typed?: TypedShares | undefined;
  /** Why it was to be excluded. */
  readonly reason?: string | undefined;
  /** The stamp with which the form was shown first, so that no change since is overwritten. */
  readonly seenMs?: number | undefined;
}

/** A transaction beside the list. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

const HISTORY = 20;

/** The form that excludes it. */
export const EXCLUDING = {
  reason: {
    label: 'Why?',
    hint: 'Such as: a transfer between own accounts.',
    read: required('Enter a reason.'),
  },
} as const;

/** The panel of a transaction. Refuses with `not_found`. */
export async function transactionPanel(
  visit: Visit,
  id: string,
  list: ListQuery,
  view: PanelView = {},
): Promise<Panel> {
  const { access, reader } = visit;
  const transaction = getTransaction(access, id);
  const { contact, description, amountMinor } = transaction;
  const link = (to: string | undefined, name: string) => {
    if (to === undefined) return undefined;
    return html` · <a href="${list.address({ open: to })}#${to}">${name}</a>`;
  };
  const above = link(await findNeighbour(visit, transaction, list.filters, true), 'Previous');
  const below = link(await findNeighbour(visit, transaction, list.filters), 'Next');
  const content = html`<aside class="panel" id="panel" aria-labelledby="panel-title">
<p class="small"><a href="${list.address()}#${id}">Close</a>${above}${below}</p>
<h1 id="panel-title">${typed(contact ?? description)}</h1>
<p class="amount">${amountMinor < 0 && 'in '}${reader.money(amountMinor)} <span
class="small soft">${reader.currency.code}</span></p>
${factList(visit, transaction)}
${actions(visit, transaction, list, view)}
${historyOf(visit, id, list.address({ open: id }))}
</aside>`;
  return { id, title: contact ?? description, content };
}

function factList(visit: Visit, transaction: TransactionRecord): Html {
  const { date, description, accountCode, externalId, provider, createdAtMs, status } = transaction;
  const showRare = (field: RareField, text: string): Html => {
    if (field === 'projectCode') return html`<code>${text}</code>`;
    if (field !== 'reference') return typed(text);
    return html`<a href="${listPath(PATHS.list, { reference: text })}">${typed(text)}</a>`;
  };
  const rare = [...RARE].reverse().map((field) => {
    const text = transaction[field];
    return [ROW_MEMBERS[field].title, text !== null && showRare(field, text)] as const;
  });
  return pairList([
    ['Date', visit.reader.day(date)],
    ['Description', typed(description)],
    [
      'Account code',
      accountCode === null
        ? 'none'
        : html`<code>${accountCode}</code>${sayClaimed(visit, transaction)}`,
    ],
    ...rare,
    [
      'Number',
      html`${externalId !== null && html`<code>${externalId}</code>, `}${
        provider === 'api' ? 'pushed' : 'imported'
      } on ${visit.reader.dayAt(createdAtMs)}`,
    ],
    ['Status', statusTag(status)],
  ]);
}

/** The line that claims its codes on its day, if one does. */
function sayClaimed({ access }: Visit, transaction: TransactionRecord): Html | undefined {
  const { kind, budgetLineIds } = listClaims(access, [transaction])[0] ?? {};
  const [line] = kind === 'claimed' ? mapBudgetLines(access, budgetLineIds ?? []).values() : [];
  return line && html`, claimed by ${typed(nameLine(line))} of ${typed(line.projectName)}`;
}

/** Which rule made the allocations, and when. */
function ruleNote(reader: Reader, items: readonly NamedAllocation[]): Html | undefined {
  const made = items.find(({ rule }) => rule !== null);
  if (made?.rule == null) return undefined;
  return html`<p class="soft">Allocated by the rule <a href="/rules">${typed(made.rule)}</a>,
${reader.dayAt(made.createdAtMs)}.</p>`;
}

/** What can be done with it now. */
function actions(
  visit: Visit,
  transaction: TransactionRecord,
  list: ListQuery,
  { faults = {}, typed: given, reason = '', seenMs }: PanelView,
): Html {
  const { reader } = visit;
  const { status, updatedAtMs } = transaction;
  const id = formatId('txn', transaction.id);
  const unseen = { id, seen: seenMs ?? updatedAtMs, filters: list.text() };
  if (status === 'excluded') return excludedPart(visit, transaction, unseen);
  const { items } = listTransactionAllocations(visit.access, id, { limit: ALLOCATED_LINES });
  const isReplacing = visit.asked('replace') !== undefined;
  const reported = reportedNotes(visit, transaction, items);
  if (status === 'needs_review' && given === undefined && !isReplacing) {
    return html`${recodedNote(reader, transaction)}${reported}<p class="note warn">The amount
changed after it was allocated. <a
href="/review?open=${id}">Review it</a></p>${shareTable(reader, items)}
<p><a href="${list.address({ open: id, replace: 'yes' })}#panel">Replace the
allocations</a></p>`;
  }
  const link = ruleLink(visit, transaction);
  const none = items.length === 0 ? sayNothing(visit, transaction) : undefined;
  const why = html`${fieldOf('reason', { ...EXCLUDING.reason, value: reason }, { faults })}<button
class="button">Exclude</button>`;
  return html`${recodedNote(reader, transaction)}${reported}${ruleNote(reader, items)}${
    none === undefined
      ? shareForm(visit, transaction, { items, unseen, faults, given })
      : html`<p class="note">${none}</p>`
  }${link !== undefined && html`<p>${link}</p>`}
${
  items.length === 0 &&
  html`<details class="more"${faults['reason'] !== undefined && html` open`}><summary>Exclude from
the budgets</summary>
${postForm('/transactions/exclude', unseen, why)}</details>`
}`;
}

/** What its codes and day were when it was allocated, if they have changed since. */
function recodedNote(reader: Reader, { id, recoded }: TransactionRecord): Html | undefined {
  if (recoded === null) return undefined;
  const was = sayCoded(reader, recoded);
  return html`<p class="note warn"><span>Recoded after it was allocated. It was ${was}. <a
href="${PATHS.recoded}#${formatId('txn', id)}">Settle it</a></span></p>`;
}

/** Why nothing of it can be allocated; undefined if something can. */
function sayNothing(visit: Visit, { amountMinor, date }: TransactionRecord): HtmlValue {
  if (amountMinor === 0) return 'Its amount is 0, so there is nothing to allocate.';
  if (listOfferedLines(visit.access, { date })?.length !== 0) return undefined;
  const day = visit.reader.day(date);
  return listDaysWithoutProject(visit, [date]).length > 0
    ? html`No project runs on ${day}, so there is no budget line to choose.`
    : html`No project that runs on ${day} has a budget line to choose.`;
}

function shareTable(reader: Reader, items: readonly NamedAllocation[]): Html {
  const rows = items.map((item) => {
    const [name, amount] = [typed(nameShare(item)), reader.money(item.amountMinor)];
    return html`<tr><th scope="row">${name}</th><td class="num">${amount}</td></tr>\n`;
  });
  return html`<table class="split" aria-label="Allocations"><tbody>${rows}</tbody></table>`;
}

/** What the form of the allocations needs. */
interface ShareForm {
  readonly items: readonly NamedAllocation[];
  readonly unseen: Parameters<typeof postForm>[1];
  readonly faults: FormFaults;
  readonly given: TypedShares | undefined;
}

function shareForm(
  visit: Visit,
  transaction: TransactionRecord,
  { items, unseen, faults, given }: ShareForm,
): Html {
  const { access, reader } = visit;
  const { date, amountMinor, allocatedMinor } = transaction;
  const lines = listOfferedLines(access, { date });
  const stored = items.map((item) => ({
    line: lines === undefined ? nameShare(item) : formatId('bln', item.budgetLineId),
    amount: reader.field(item.amountMinor),
  }));
  const isOpen = allocatedMinor !== amountMinor;
  const shares = given?.shares ?? [...stored, ...(isOpen ? [{ line: '', amount: '' }] : [])];
  const likely = likelyLines(visit, transaction);
  // A line of a project that does not hold the day is not listed, but one that was chosen is.
  const chosen = new Set(items.map(({ budgetLineId }) => budgetLineId));
  for (const { id } of lines ?? []) chosen.delete(id);
  const others = [...mapBudgetLines(access, chosen).values()];
  const isMoneyIn = amountMinor < 0;
  const offer = { lines: lines && [...lines, ...others], likely, isMoneyIn, day: date };
  const known = [...(lines ?? []), ...others].filter(({ kind }) => kind === 'income');
  const incomes = new Set(known.flatMap((line) => [formatId('bln', line.id), nameLine(line)]));
  const rows = shares.map((share, at) => {
    const isLower = !isMoneyIn && incomes.has(share.line);
    return shareRow(share, { at, faults, offer, isOnly: shares.length === 1, isLower });
  });
  const typedMinor = shares.map(({ amount }) => minorOf(amount, amountMinor, reader));
  const left = typedMinor.reduce((rest, minor) => rest - minor, amountMinor);
  const isOver = left !== 0 && left > 0 !== amountMinor > 0;
  const value = given?.note ?? items[0]?.note ?? '';
  const note = { label: 'Note', hint: 'Stored with each of these allocations.', value };
  const content = html`<button class="hidden" name="do" value="next" tabindex="-1"
aria-hidden="true">Save</button>
<table class="split" aria-label="Allocations"><thead><tr><th scope="col">Budget line</th><th
scope="col" class="num">Amount</th><td></td></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row" data-word>${
    isOver ? 'Too much by' : 'Left to allocate'
  }</th><td class="num"><b data-left${isOver && html` class="over"`}>${reader.money(
    isOver ? Math.abs(left) : left,
  )}</b></td></tr></tfoot></table>
<p class="hint">Leave one amount empty to allocate the rest. You can also type a percentage, such as
25%.</p>
<p class="steps-line"><button class="button plain" name="do" value="add">Add a line</button> <button
class="button plain" name="do" value="split">Split equally</button></p>
${fieldOf('note', note, { faults })}<p class="actions"><button class="button primary" name="do"
value="next">Save and next</button>
<button class="button" name="do" value="save">Save</button></p>
`;
  const marks = html` class="split-form" data-amount="${amountMinor}"${
    given !== undefined && html` data-again`
  }`;
  return postForm('/transactions/allocate', unseen, content, marks);
}

/** What was typed, in minor units; 0 if it is empty or wrong. */
function minorOf(text: string, wholeMinor: number, reader: Reader): number {
  const percent = readPercent(text);
  if (percent !== undefined) return Math.round((wholeMinor * percent) / (100 * PERCENT));
  const minor = reader.findMoney(text);
  return typeof minor === 'number' ? minor : 0;
}

/** Lines that claim its code, and those to which its contact's newest one went. */
function likelyLines({ session }: Visit, transaction: TransactionRecord): readonly LineChoice[] {
  const { access } = session;
  const { accountCode, contact, date } = transaction;
  const offered = { date, isArchived: false };
  const claimed =
    accountCode === null
      ? []
      : listBudgetLines(access, { ...offered, accountCode, limit: 5 }).items;
  const [last] =
    contact === null
      ? []
      : finish(listTransactions(access, { contact, statuses: ['allocated'], limit: 1 })).items;
  const before = last === undefined ? [] : listShares(access, [last.id]).slice(0, 3);
  const taken = before.map(({ budgetLineId }) => budgetLineId);
  const fitting = mapBudgetLines(access, taken, offered);
  return [...new Map([...claimed.map((line) => [line.id, line] as const), ...fitting]).values()];
}

function excludedPart(visit: Visit, transaction: TransactionRecord, unseen: ShareForm['unseen']) {
  const id = formatId('txn', transaction.id);
  const { items } = listTransactionHistory(visit.access, id, { limit: 100 });
  const entry = items.find(({ change }) => typeof change?.after?.['excluded'] === 'object');
  const excluded = entry?.change?.after?.['excluded'];
  const reason = excluded === undefined ? undefined : memberOf(excluded, 'reason');
  return html`<div class="note"><p>Excluded from the budgets${
    reason !== undefined && html`: ${typed(String(reason))}`
  }.${
    entry !== undefined &&
    html` By ${typed(new Names(visit).of(entry.actor))}, ${visit.moment(entry.atMs)}.`
  }</p></div>
${postForm('/transactions/restore', unseen, html`<button class="button">Restore</button>`)}`;
}

/** Its history. The last change still holds: Undo, unless it was one of several. */
function historyOf(visit: Visit, id: string, to: string): Html {
  const { items, nextCursor } = listTransactionHistory(visit.access, id, { limit: HISTORY });
  const names = new Names(visit);
  const entries = items.map((entry, at) => {
    const { change, changed, action, atMs } = entry;
    const changes = change !== undefined && changeList(change, names);
    const isAlone = at === 0 && change !== undefined && changed === 1;
    const isUndone = isAlone && explainNoUndo(action) === undefined;
    const undo = isUndone && undoForm([atMs], to, html`what was done ${visit.moment(atMs)}`);
    return html`<li>${names.sayEntry(entry)}${changes}${undo}</li>\n`;
  });
  const more = nextCursor !== null && '+';
  const noun = nounFor(items.length, 'entry', 'entries');
  return html`<details class="more"><summary>History: ${items.length}${more} ${noun}</summary><ol
class="history">
${entries}</ol></details>`;
}

/** The transaction below this one in the list, or above it, even if this one is not in it. */
export async function findNeighbour(
  visit: Visit,
  transaction: TransactionRecord,
  filters: Filters,
  isAbove = false,
): Promise<string | undefined> {
  const choice = choiceOf(filters, visit.reader);
  const found = await visit.read(findBeside(visit.access, choice, transaction, isAbove));
  return found === undefined ? undefined : formatId('txn', found);
}
