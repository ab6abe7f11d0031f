/** What is done to several transactions at once: the selected ones, or all of a filter. */

import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { COUNTED_TRANSACTIONS, PAGE_ITEMS } from '../../core/limits.ts';
import type { Form } from '../../http/form.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply, redirectReply } from '../../http/pages.ts';
import { decodePairs } from '../../http/target.ts';
import { allocateTransactions } from '../../operations/allocations.ts';
import type { LineChoice } from '../../operations/budget-lines.ts';
import { changeMany, stepsOf } from '../../operations/changes.ts';
import type { Target } from '../../operations/input.ts';
import { listTransactions, type TransactionRecord } from '../../operations/transactions.ts';
import { nextTurn } from '../../operations/turns.ts';
import { excludeTransactions, restoreTransactions } from '../../operations/workflow.ts';
import { actorOf, readerOf, type Visit } from '../desk.ts';
import {
  choicesField,
  type Faults,
  faultOf,
  faultSummary,
  faultsOf,
  inputField,
  isFaulty,
  titleOf,
} from '../forms.ts';
import { framedPage } from '../layout.ts';
import { nameLine, readLineField } from '../lines.ts';
import { markField, type Outcome } from '../outcomes.ts';
import { typed } from '../parts.ts';
import { nameSome, outcomeOf, sayRefused } from '../refused.ts';
import { addressOf, choiceOf, type Filters, LIST, readFilters } from '../transaction-filters.ts';
import { listReply } from './transactions.ts';

const LOOK = '/transactions/bulk';

const WORK = ['allocate', 'exclude', 'restore'] as const;
type Work = (typeof WORK)[number];

/** What is to be done, as the form or the address of the page has it. */
interface Wish {
  readonly work: Work | undefined;
  readonly scope: 'selected' | 'all';
  /** The selected ones, each with its `updatedAtMs` as it was shown. */
  readonly targets: readonly Required<Target>[];
  /** A line as it was chosen or typed. */
  readonly line: string;
  readonly filters: Filters;
  /** Whether allocations that are there already are replaced. */
  readonly replaces: boolean;
  readonly reason: string;
  /** What the set of all transactions of the filter was when it was shown. */
  readonly seen: string;
  /** The same without what the page asks, for its address and its form. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

function readWish(form: Pick<Form, 'value' | 'values'>): Wish {
  const value = (name: string) => form.value(name) ?? '';
  const ids = form.values('id');
  return {
    work: WORK.find((each) => each === value('do')),
    scope: value('scope') === 'all' ? 'all' : 'selected',
    targets: ids.map((text) => {
      const [transactionId = '', stamp] = text.split('.');
      return { transactionId, seenUpdatedAtMs: Number(stamp ?? 0) };
    }),
    line: value('line'),
    filters: readFilters(decodePairs(value('filters'), () => new Failure('not_found', ''))),
    replaces: value('existing') === 'replace',
    reason: value('reason'),
    seen: value('seen'),
    fields: [
      ...['do', 'scope', 'line', 'filters'].map((name) => [name, value(name)] as const),
      ...ids.map((id) => ['id', id] as const),
    ],
  };
}

/** `POST /transactions/bulk`: does it, or leads to a page that shows what would happen. */
export async function takeBulk(visit: Visit): Promise<Reply> {
  const form = await visit.request.readForm();
  const wish = readWish(form);
  const { access } = visit.session;
  const { work, scope, targets, line, filters } = wish;
  const faults = faultsOf({
    scope:
      scope === 'selected' && targets.length === 0
        ? 'Select some transactions, or choose all of this filter.'
        : work === undefined
          ? 'Choose what to do with the transactions.'
          : undefined,
    line: work === 'allocate' ? faultOf(() => readLineField(access, line)) : undefined,
  });
  if (isFaulty(faults)) {
    const ids = new Set(targets.map(({ transactionId }) => transactionId));
    return listReply(visit, filters, { faults, chosen: { ids, scope, line } });
  }
  const found = await findSet(visit, wish);
  const shown = (wrong: Faults, status: number) => {
    const ids = new Set(targets.map(({ transactionId }) => transactionId));
    return listReply(visit, filters, { faults: wrong, status, chosen: { ids, scope, line } });
  };
  const stale = findStale(wish, found);
  if (stale.length > 0) return shown({ scope: sayStale(visit, wish, stale) }, 409);
  const isPlain = found.every(({ allocatedMinor }) => allocatedMinor === 0);
  if (scope === 'all' || work === 'exclude' || !isPlain) {
    const query = new URLSearchParams();
    for (const [name, value] of wish.fields) query.append(name, value);
    return redirectReply(`${LOOK}?${query}`);
  }
  try {
    return await visit.desk.outcomes.run(visit, form, () => carryOut(visit, wish, found));
  } catch (error) {
    if (!(error instanceof Failure) || !CODES.has(error.code)) throw error;
    const status = error.code === 'conflict' ? 409 : 422;
    return shown({ scope: sayRefused(visit, error) }, status);
  }
}

/** `GET /transactions/bulk`: what would happen. */
export async function showBulk(visit: Visit): Promise<Reply> {
  const { query } = visit.request;
  const values = (name: string) => query.flatMap(([each, value]) => (each === name ? [value] : []));
  return lookReply(visit, readWish({ values, value: (name) => values(name)[0] }));
}

/** `POST /transactions/bulk/apply`. */
export async function takeBulkApply(visit: Visit): Promise<Reply> {
  const form = await visit.request.readForm();
  const wish = readWish(form);
  const { access } = visit.session;
  const faults = faultsOf({
    line: wish.work === 'allocate' ? faultOf(() => readLineField(access, wish.line)) : undefined,
    reason: wish.work === 'exclude' && wish.reason.trim() === '' ? 'Say why.' : undefined,
  });
  if (isFaulty(faults)) return lookReply(visit, wish, faults);
  const found = await findSet(visit, wish);
  if (wish.scope === 'all' && sealOf(found) !== wish.seen) {
    const changed = 'The transactions of this filter have changed. Nothing was done: look again.';
    return lookReply(visit, wish, { do: changed }, 409);
  }
  const stale = findStale(wish, found);
  if (stale.length > 0) return lookReply(visit, wish, { do: sayStale(visit, wish, stale) }, 409);
  try {
    return await visit.desk.outcomes.run(visit, form, () => carryOut(visit, wish, found));
  } catch (error) {
    if (!(error instanceof Failure) || !CODES.has(error.code)) throw error;
    const status = error.code === 'conflict' ? 409 : 422;
    return lookReply(visit, wish, { do: sayRefused(visit, error) }, status);
  }
}

const CODES: ReadonlySet<string> = new Set(['conflict', 'invalid_input']);

/** The transactions that are meant. Refuses with `invalid_input` too many. */
async function findSet(visit: Visit, wish: Wish): Promise<readonly TransactionRecord[]> {
  const { scope, targets, filters } = wish;
  const choice =
    scope === 'all'
      ? choiceOf(filters)
      : { ids: targets.map(({ transactionId }) => transactionId) };
  const found: TransactionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...choice, limit: PAGE_ITEMS, cursor };
    const { items, nextCursor } = listTransactions(visit.session.access, page);
    found.push(...items);
    if (found.length > COUNTED_TRANSACTIONS) {
      const most = readerOf(visit).count(COUNTED_TRANSACTIONS);
      throw new Failure('invalid_input', `More than ${most} transactions. Filter them more.`);
    }
    cursor = nextCursor ?? undefined;
    await nextTurn();
  } while (cursor !== undefined);
  return found;
}

/** The selected ones that are not as they were shown. */
function findStale({ scope, targets }: Wish, found: readonly TransactionRecord[]) {
  if (scope === 'all') return [];
  const seen = new Map(targets.map((each) => [each.transactionId, each.seenUpdatedAtMs]));
  return found.filter(({ id, updatedAtMs }) => seen.get(formatId('txn', id)) !== updatedAtMs);
}

function sayStale(visit: Visit, { targets }: Wish, stale: readonly TransactionRecord[]): string {
  const { length: asked } = targets;
  const has = stale.length === 1 ? 'has' : 'have';
  const which =
    asked === 1
      ? 'What you selected has changed'
      : `${readerOf(visit).count(stale.length)} of the ${asked} that you selected ${has} changed`;
  return `${which} since it was shown: ${nameSome(visit, stale)}. Nothing was done: look again.`;
}

/** Changes whenever one of the transactions does, or another one is among them. */
function sealOf(found: readonly TransactionRecord[]): string {
  const latest = found.reduce((most, { updatedAtMs }) => Math.max(most, updatedAtMs), 0);
  const ids = found.reduce((sum, { id }) => sum + id, 0);
  return [found.length, ids, latest].join('-');
}

/** Those of the transactions to which it applies. */
function sort(found: readonly TransactionRecord[], { work, replaces }: Wish) {
  const applies = ({ status, allocatedMinor, amountMinor }: TransactionRecord) => {
    if (work === 'restore') return status === 'excluded';
    if (status === 'excluded') return false;
    if (work === 'exclude') return allocatedMinor === 0;
    return amountMinor !== 0 && (replaces || allocatedMinor === 0);
  };
  return found.filter(applies);
}

/** Does it. What has changed since is left and counted. */
async function carryOut(
  visit: Visit,
  wish: Wish,
  found: readonly TransactionRecord[],
): Promise<Outcome> {
  const { session } = visit;
  const seen = new Map(wish.targets.map((each) => [each.transactionId, each.seenUpdatedAtMs]));
  const line = wish.work === 'allocate' ? readLineField(session.access, wish.line) : undefined;
  const meant = sort(found, wish).map(({ id, updatedAtMs }): Required<Target> => {
    const transactionId = formatId('txn', id);
    return { transactionId, seenUpdatedAtMs: seen.get(transactionId) ?? updatedAtMs };
  });
  const done = await changeMany(stepsOf(meant, (step) => change(visit, wish, line, step)));
  const reader = readerOf(visit);
  const { currency } = session.access.organisation;
  const others = found.length - meant.length;
  const were = others === 1 ? 'was left as it was' : 'were left as they were';
  const skipped = others > 0 && ` ${reader.count(others)} ${were}.`;
  const message = html`${sayCount(reader.count(done.count), done.count)} ${
    DONE[wish.work ?? 'allocate']
  }${line !== undefined && html` to ${typed(nameLine(line))}`}, ${reader.money(
    done.sumMinor,
    currency,
  )} together.${skipped}`;
  return outcomeOf(visit, done, addressOf(LIST, wish.filters), message);
}

function change(
  { request, session }: Visit,
  { work, reason }: Wish,
  line: LineChoice | undefined,
  targets: readonly Required<Target>[],
): TransactionRecord[] {
  const actor = actorOf(request, session);
  if (work === 'restore') return restoreTransactions(session.access, targets, actor);
  if (work === 'exclude') {
    const requests = targets.map((each) => ({ ...each, reason }));
    return excludeTransactions(session.access, requests, actor);
  }
  const allocations = line === undefined ? [] : [{ budgetLineId: formatId('bln', line.id) }];
  const requests = targets.map((each) => ({ ...each, allocations }));
  return allocateTransactions(session.access, requests, actor);
}

const DONE = { allocate: 'allocated', exclude: 'excluded', restore: 'restored' } as const;

function sayCount(shown: string, count: number): string {
  return `${shown} ${count === 1 ? 'transaction' : 'transactions'}`;
}

/** What would happen, with the button that does it. */
async function lookReply(
  visit: Visit,
  wish: Wish,
  faults: Faults = {},
  status = isFaulty(faults) ? 422 : 200,
): Promise<Reply> {
  const { work = 'allocate', filters, fields, replaces, reason } = wish;
  const found = await findSet(visit, wish);
  const counts = {
    now: sort(found, { ...wish, replaces: false }),
    all: sort(found, { ...wish, replaces: true }),
  };
  const title = TITLES[work];
  const into = lineName(visit, wish);
  // What is shown is what the selected ones are now, whatever they were in the address.
  const ids = found.map(({ id, updatedAtMs }) => ['id', `${formatId('txn', id)}.${updatedAtMs}`]);
  const kept = [...fields.filter(([name]) => name !== 'id'), ...(wish.scope === 'all' ? [] : ids)];
  const hidden = [...kept, ['seen', sealOf(found)]].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  const more = counts.all.length > counts.now.length;
  const question =
    work === 'exclude'
      ? inputField(
          { name: 'reason', label: 'Why?', hint: 'It is shown with each of them.', value: reason },
          faults,
        )
      : more &&
        choicesField(
          {
            name: 'existing',
            label: 'Those that have allocations already',
            type: 'radio',
            chosen: [replaces ? 'replace' : 'leave'],
          },
          [
            { value: 'leave', label: 'Leave them as they are' },
            { value: 'replace', label: html`Replace what they have${into && html` with ${into}`}` },
          ],
          faults,
        );
  const content = html`${faultSummary(faults)}
<p class="crumb"><a href="${addressOf(LIST, filters)}">Transactions</a></p>
<div class="head"><div><h1>${title}</h1></div></div>
${sayWhat(visit, wish, found.length, counts)}
<form class="narrow" method="post" action="/transactions/bulk/apply" novalidate>${markField()}
${hidden}${question}<p class="actions"><button class="button primary" id="do">${title}</button> <a
class="button" href="${addressOf(LIST, filters)}">Cancel</a></p>
</form>`;
  const page = framedPage({ title: titleOf(title, faults), content }, visit, LIST);
  return pageReply(page, status);
}

const TITLES = {
  allocate: 'Allocate several transactions',
  exclude: 'Exclude several transactions',
  restore: 'Restore several transactions',
} as const;

/** The line that was chosen; undefined if it cannot be. */
function lineName({ session }: Visit, { work, line }: Wish): Html | undefined {
  const { access } = session;
  const isLine = work === 'allocate' && faultOf(() => readLineField(access, line)) === undefined;
  return isLine ? typed(nameLine(readLineField(access, line))) : undefined;
}

function sayWhat(
  visit: Visit,
  wish: Wish,
  count: number,
  counts: Readonly<Record<'now' | 'all', readonly TransactionRecord[]>>,
): Html {
  const { work } = wish;
  const reader = readerOf(visit);
  const { currency } = visit.session.access.organisation;
  const say = (found: readonly TransactionRecord[]) => {
    const sum = found.reduce((minor, { amountMinor }) => minor + amountMinor, 0);
    return html`<b>${sayCount(reader.count(found.length), found.length)}</b>, ${reader.money(
      sum,
      currency,
    )} ${currency.code} together`;
  };
  const { now, all } = counts;
  const replaced = all.filter((each) => !now.includes(each));
  const rest = count - all.length;
  const why = {
    allocate: 'excluded, or of no amount',
    exclude: 'allocated, or excluded already. Clear their allocations first',
    restore: 'not excluded',
  }[work ?? 'allocate'];
  const name = lineName(visit, wish);
  const line = name && html` to ${name}`;
  const done =
    (now.length > 0 || count === 0) &&
    html`<li>${say(now)}: ${DONE[work ?? 'allocate']}${line}</li>\n`;
  return html`<ul class="effects">
${done}${replaced.length > 0 && html`<li>${say(replaced)}: they have allocations already</li>\n`}${
  rest > 0 && html`<li><b>${sayCount(reader.count(rest), rest)}</b> left as they are: ${why}</li>\n`
}</ul>`;
}
