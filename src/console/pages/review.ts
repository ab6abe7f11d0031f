/** Reviews: transactions whose amount changed after they were allocated, one after the other. */

import { REVIEW_RESOLUTIONS, type ReviewResolution } from '../../core/allocations.ts';
import type { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { ALLOCATED_LINES } from '../../core/limits.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listTransactionAllocations } from '../../operations/allocations.ts';
import {
  countTransactions,
  getTransaction,
  listTransactions,
} from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import { resolveReview, reviewEndings } from '../../operations/workflow.ts';
import { type PlannedChange, type Preview, previewChange } from '../../store/acts.ts';
import { lastWriteMs } from '../../store/audit.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import {
  type Column,
  emptyPart,
  sectionPart,
  stackTable,
  statusTag,
  typed,
} from '../components/elements.ts';
import { type FormFaults, postForm, type Sent, saidAbove, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { nameShare, sayAllocated } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { countRecoded, togetherForm } from './recoded.ts';

/** Rows of the queue on the page. */
const QUEUE = 25;
/** Waiting transactions that are looked through for those before and after one. */
const LOOKED = 100;

const WAYS = {
  keep: ['Keep', 'as they are today', 'kept'],
  rescale: ['Rescale', 'in the same proportions', 'rescaled'],
  clear: ['Clear', 'remove all', 'cleared'],
} as const satisfies Readonly<Record<ReviewResolution, readonly [string, string, string]>>;

/** `GET /review`: the transaction that `open` names, or the first of the queue. */
export async function showReview(
  visit: Visit,
  open = visit.asked('open'),
  sent: Sent = UNSENT,
): Promise<Reply> {
  const { access } = visit;
  const first = finish(listTransactions(access, { statuses: ['needs_review'], limit: 1 })).items[0];
  const transaction = open === undefined ? first : getTransaction(access, open);
  const content =
    transaction === undefined
      ? NONE
      : transaction.review === null
        ? settledPart(transaction)
        : reviewPart(visit, transaction, sent.faults);
  const beside = await otherwise(visit);
  const page = { title: 'Review', place: PATHS.review, head: false, ...sent } as const;
  return showPage(visit, { ...page, content: html`${content}${beside}` });
}

/** What is settled otherwise: payments of amount 0 all at once, and what was recoded. */
async function otherwise(visit: Visit): Promise<Html | undefined> {
  const { access } = visit;
  const seenMs = lastWriteMs(access);
  const { zeroes } = finish(countTransactions(access, { statuses: ['needs_review'] }));
  const { count, shown } = await countRecoded(visit);
  if (zeroes + count === 0) return undefined;
  const voids = `Clear the allocations of ${visit.reader.count(zeroes, 'payment')} of amount 0`;
  const recoded = `${shown} ${count === 1 ? 'transaction was' : 'transactions were'} recoded`;
  const content = html`${
    count > 0 &&
    html`<p>${recoded} after being allocated. <a
href="${PATHS.recoded}">Settle them</a></p>`
  }
${zeroes > 0 && togetherForm({ void: voids }, seenMs)}`;
  return sectionPart('otherwise', 'Also to settle', content, { aside: '' });
}

/** `POST /review`: settles one, and goes to the next. */
export async function takeReview(visit: Visit): Promise<Reply> {
  const transactionId = visit.field('id');
  const before = getTransaction(visit.access, transactionId);
  const resolution = REVIEW_RESOLUTIONS.find((each) => each === visit.form.value('way'));
  const again = (way: string, status?: number) => {
    return showReview(visit, transactionId, { faults: { way }, status });
  };
  if (resolution === undefined) return again('Choose what happens to the allocations.');
  const refused = ({ message }: Failure, status: number) =>
    again(`Nothing was settled. ${message}`, status);
  return visit.runOr(refused, () => {
    const target = { transactionId, seenUpdatedAtMs: Number(visit.field('seen')) };
    const after = resolveReview(visit.access, { ...target, resolution }, visit.actor);
    const [next] = inTurn(waitingBeside(visit, before));
    const open = next === undefined ? undefined : formatId('txn', next.id);
    const message = html`${typed(before.contact ?? before.description)} is settled: its allocations
were ${WAYS[resolution][2]}. ${statusTag(after.status)}`;
    return { to: listPath(PATHS.review, {}, { open }), message, undo: [after.updatedAtMs] };
  });
}

const NONE = html`<div class="head"><h1>Nothing to review</h1></div>
${emptyPart(
  'No amount has changed',
  `A transaction comes here when it is pushed or imported again with another amount after it was
allocated. Until someone settles it, reports count the allocated amount.`,
  html`<a class="button" href="${PATHS.list}">Transactions</a>`,
)}`;

/** Someone settled it, or a link is old. */
function settledPart(transaction: TransactionRecord): Html {
  const { contact, description, status } = transaction;
  const open = listPath(PATHS.list, {}, { open: formatId('txn', transaction.id) });
  return html`<div class="head"><div><h1>${typed(contact ?? description)}</h1>
<p>${statusTag(status)}</p></div></div>
<p>This transaction does not need a review. <a href="${open}#panel">Open it</a>, or
see <a href="${PATHS.review}">the ones that do</a>.</p>`;
}

/** What a way would do to the allocations of some transactions, and why it cannot. */
function previewWay(
  { access }: Visit,
  transactions: readonly Pick<TransactionRecord, 'id'>[],
  resolution: ReviewResolution,
): Preview {
  const requests = transactions.map(({ id }) => ({
    transactionId: formatId('txn', id),
    resolution,
  }));
  return previewChange(access, reviewEndings(access, requests));
}

function reviewPart(visit: Visit, transaction: TransactionRecord, faults: FormFaults): Html {
  const { request, access, reader } = visit;
  const { contact, description, date, accountCode, externalId, amountMinor, review } = transaction;
  const id = formatId('txn', transaction.id);
  const wasMinor = review?.previousMinor ?? amountMinor;
  const changeMinor = amountMinor - wasMinor;
  const waiting = waitingBeside(visit, transaction);
  const queue = inTurn(waiting);
  const { count } = finish(countTransactions(access, { statuses: ['needs_review'] }));
  const place = waiting.before.length + 1;
  const isPlaced = place <= LOOKED && count > 1;
  const [next] = queue;
  const later =
    next === undefined ? undefined : listPath(PATHS.review, {}, { open: formatId('txn', next.id) });
  const since = reader.moment(review?.changedAtMs ?? 0, request.nowMs);
  const isSigned = Math.sign(wasMinor) !== Math.sign(amountMinor);
  const percent = isSigned ? undefined : (100 * changeMinor) / Math.abs(wasMinor);
  // Nothing is chosen when rescaling would hardly be what a person means.
  const chosen = isSigned ? undefined : 'rescale';
  const choices = html`<fieldset><legend><h2>What should its allocations be now?</h2></legend>
${wayTable(visit, transaction, { chosen, faults })}</fieldset>
<p class="actions"><button class="button primary">Settle and next</button> <a class="button"
href="${listPath(PATHS.list, {}, { open: id, replace: 'yes' })}#panel">Replace by hand</a></p>
`;
  return html`<div class="head"><div><p class="crumb">${
    isPlaced && `${reader.count(place)} of `
  }${reader.count(count)} to review</p>
<h1>${typed(contact ?? description)}</h1>
<p>${reader.day(date)} · ${typed(description)}${
    accountCode !== null && html` · <code>${accountCode}</code>`
  }${externalId !== null && html` · <code>${externalId}</code>`}</p></div>${
    later !== undefined &&
    html`<nav class="actions" aria-label="Queue"><a class="button" href="${later}">Later</a></nav>`
  }</div>
<dl class="change">
<div${wasMinor > 0 && html` class="was"`}><dt>Allocated for</dt><dd>${reader.money(
    wasMinor,
  )}</dd></div>
<div><dt>Amount now, since ${since}</dt><dd>${reader.money(amountMinor)}</dd></div>
<div><dt>Change, ${reader.currency.code}</dt><dd>${reader.change(changeMinor)}${
    percent !== undefined &&
    html` <span class="small soft">${percent > 0 && '+'}${reader.percent(percent)}</span>`
  }</dd></div>
</dl>
${postForm(PATHS.review, { id, seen: transaction.updatedAtMs }, choices)}
${queueTable(visit, queue)}`;
}

/** Why allocations cannot be kept. */
function explainKeep({ reader }: Visit, transaction: TransactionRecord): string {
  const { amountMinor, allocatedMinor } = transaction;
  const isTurned = amountMinor !== 0 && amountMinor > 0 !== allocatedMinor > 0;
  if (isTurned) return `it is money ${amountMinor > 0 ? 'out' : 'in'} now.`;
  return `${reader.money(Math.abs(allocatedMinor - amountMinor))} too much is allocated.`;
}

function wayTable(
  visit: Visit,
  transaction: TransactionRecord,
  { chosen, faults }: { chosen: ReviewResolution | undefined; faults: FormFaults },
): Html {
  const money = (minor: number) => visit.reader.money(minor);
  const id = formatId('txn', transaction.id);
  const { items } = listTransactionAllocations(visit.access, id, { limit: ALLOCATED_LINES });
  const { amountMinor: nowMinor } = transaction;
  // Rescaled to nothing is the same as cleared.
  const ways = REVIEW_RESOLUTIONS.filter((way) => way !== 'rescale' || nowMinor !== 0);
  const effects = ways.map((way) => {
    const { planned, refusals } = previewWay(visit, [transaction], way);
    return [way, planned[0] ?? refusals[0]?.message ?? 'It cannot be done.'] as const;
  });
  // What is wrong leads to the first that can be chosen.
  const first = effects.find(([, effect]) => typeof effect !== 'string')?.[0];
  const heads = effects.map(([way, effect]) => {
    const [name, hint] = WAYS[way];
    if (typeof effect === 'string') {
      return html`<th scope="col"><span class="choice"><span>${name} <span
class="hint">not possible</span></span></span></th>\n`;
    }
    const id = way === first ? 'way' : way;
    return html`<th scope="col"><span class="choice"><input type="radio" name="way" id="${id}"
value="${way}"${way === chosen && html` checked`}${
      way === first && saidAbove('way', faults)
    }><label for="${id}">${name} <span
class="hint">${hint}</span></label></span></th>\n`;
  });
  const reasons = effects.flatMap(([way, effect]) => {
    if (typeof effect !== 'string') return [];
    const why = way === 'keep' ? explainKeep(visit, transaction) : effect;
    return [html`<p class="hint">${WAYS[way][0]} is not possible: ${why}</p>\n`];
  });
  const cells = (show: (effect: PlannedChange) => HtmlValue) =>
    effects.map(([, effect]) => {
      if (typeof effect === 'string') return html`<td class="num soft">–</td>\n`;
      return html`<td class="num">${show(effect)}</td>\n`;
    });
  const rows = items.map((item, at) => {
    const { budgetLineId, amountMinor, projectName } = item;
    // A line can have several allocations, which are in the same order before and after.
    const earlier = items.slice(0, at).filter((each) => each.budgetLineId === budgetLineId);
    return html`<tr><th scope="row">${typed(nameShare(item))} <span class="sub">${typed(
      projectName,
    )}</span></th>
${cells(({ after }) => {
  const own = after.filter((each) => each.budgetLineId === budgetLineId);
  const minor = own[earlier.length]?.amountMinor;
  if (minor === undefined) return html`<span class="soft">none</span>`;
  const change = minor - amountMinor;
  if (change === 0) return money(minor);
  return html`<b>${money(minor)}</b> <span class="sub">${visit.reader.change(change)}</span>`;
})}</tr>\n`;
  });
  return html`<div class="ways-scroll"><table class="ways"
aria-label="Allocations by choice"><thead><tr><th scope="col">Budget line</th>
${heads}</tr></thead>
<tbody>
${rows}</tbody>
<tfoot>
<tr><th scope="row">Allocated</th>${cells(({ allocatedMinor }) => money(allocatedMinor))}</tr>
<tr><th scope="row">Left of ${money(nowMinor)}</th>${cells(({ allocatedMinor }) => {
    return money(nowMinor - allocatedMinor);
  })}</tr>
<tr><th scope="row">Becomes</th>${cells(({ status }) => statusTag(status))}</tr>
</tfoot></table></div>
${reasons}`;
}

/** The transactions to review before and after another one, in the order of the list. */
interface Waiting {
  readonly before: readonly TransactionRecord[];
  readonly after: readonly TransactionRecord[];
}

/** The transactions after the other one, then those before it. */
function inTurn({ before, after }: Waiting): readonly TransactionRecord[] {
  return [...after, ...before].slice(0, QUEUE);
}

function waitingBeside({ access }: Visit, { id, date }: TransactionRecord): Waiting {
  const filter = { statuses: ['needs_review'], limit: LOOKED } as const;
  const { items } = finish(listTransactions(access, filter));
  const others = items.filter((each) => each.id !== id);
  const isAfter = (each: TransactionRecord) =>
    each.date < date || (each.date === date && each.id > id);
  return { before: others.filter((each) => !isAfter(each)), after: others.filter(isAfter) };
}

function queueTable(visit: Visit, queue: readonly TransactionRecord[]): Html | undefined {
  const { reader } = visit;
  if (queue.length === 0) return undefined;
  const wasOf = ({ review, amountMinor }: TransactionRecord) => {
    return review?.previousMinor ?? amountMinor;
  };
  const { planned } = previewWay(visit, queue, 'keep');
  const kept = new Set(planned.map(({ transaction }) => transaction.id));
  const sayFit = ({ id }: TransactionRecord) => {
    if (kept.has(id)) return 'Yes';
    return html`<span class="soft">No, the allocations exceed the new amount</span>`;
  };
  const sayName = ({ id, contact, description }: TransactionRecord) => {
    const page = listPath(PATHS.review, {}, { open: formatId('txn', id) });
    return html`<a href="${page}">${typed(contact ?? description)}</a>`;
  };
  const columns: readonly Column<TransactionRecord>[] = [
    ['Contact', '', sayName],
    ['Date', 'whole soft', ({ date }) => reader.day(date)],
    ['Allocated to', 'whole', sayAllocated(visit, queue)],
    ['Allocated for', 'num', (each) => reader.money(wasOf(each)), 'Was'],
    [
      'Now',
      'num',
      ({ amountMinor }) => `${reader.money(amountMinor)}${amountMinor === 0 ? ', voided' : ''}`,
      'Now',
    ],
    ['Change', 'num lead', (each) => reader.change(each.amountMinor - wasOf(each))],
    ['Can be kept?', 'whole', sayFit, 'Can be kept:'],
  ];
  const table = stackTable(columns, queue, { labelledBy: 'queue', look: 'queue ' });
  return sectionPart('queue', 'Next in the queue', table, { aside: '' });
}
