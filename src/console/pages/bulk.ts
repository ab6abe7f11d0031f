/** What is done to several transactions at once: the selected ones, or all of a filter. */

import { nounFor } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { COUNTED, PAGE_ITEMS } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import type { Form } from '../../http/form.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { decodePairs, type Query } from '../../http/target.ts';
import { changeMany, inSteps } from '../../operations/changes.ts';
import type { Target } from '../../operations/input.ts';
import { getTransaction, listTransactions } from '../../operations/transactions.ts';
import type { Steps } from '../../operations/turns.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { typed } from '../components/elements.ts';
import {
  type FormFaults,
  fieldOf,
  hiddenField,
  isFaulty,
  mainActions,
  postForm,
  readAt,
  required,
  type Sent,
  UNSENT,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { readLineField } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { choiceOf, ListQuery, listPath } from '../components/transaction-filters.ts';
import { nameTransactions, outcomeOf, sayRefused } from '../sentences/refusals.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { BULK_WORK, effectList, type Look, lookAtWork } from './bulk-work.ts';
import { isOffered, placeAfter, readRowFields, takeRows } from './rows.ts';
import { sayFilters, showTransactions } from './transactions.ts';

const LOOK = '/transactions/bulk';
const WORK = Object.keys(BULK_WORK) as Look['work'][];

/** What is to be done, as the form or the address of the page has it. */
interface BulkWish {
  readonly work: Look['work'];
  readonly scope: 'selected' | 'all';
  /** The selected ones, each with its `updatedAtMs` as it was shown. */
  readonly targets: readonly Required<Target>[];
  /** A line as it was chosen or typed. */
  readonly line: string;
  /** The list as it was. */
  readonly list: ListQuery;
  /** Whether allocations that are there already are replaced. */
  readonly replaces: boolean;
  readonly reason: string;
  /** What the set of all transactions of the filter was when it was shown, or offered. */
  readonly seen: string;
  /** The list to which it leads back, and the transaction that it followed there. */
  readonly back: Query;
  readonly at: string;
  /** All but what the page itself asks, for its address and its form. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** What the page that shows what would happen passes on. */
const KEPT = ['do', 'scope', 'line', 'filters', 'list', 'at'];

function readWish(form: Pick<Form, 'value' | 'values'>): BulkWish {
  const value = (name: string) => form.value(name) ?? '';
  const ids = form.values('id');
  const pairsOf = (name: string) => decodePairs(value(name), () => new Failure('not_found', ''));
  return {
    work: WORK.find((each) => each === value('do')) ?? 'allocate',
    scope: value('scope') === 'all' ? 'all' : 'selected',
    targets: ids.map((text) => {
      const [transactionId = '', stamp] = text.split('.');
      return { transactionId, seenUpdatedAtMs: Number(stamp ?? 0) };
    }),
    line: value('line'),
    list: ListQuery.read(pairsOf('filters')),
    replaces: value('existing') === 'replace',
    reason: value('reason'),
    seen: value('seen'),
    back: pairsOf('list'),
    at: value('at'),
    fields: [
      ...KEPT.flatMap((name) => (value(name) === '' ? [] : [[name, value(name)] as const])),
      ...ids.map((id) => ['id', id] as const),
    ],
  };
}

/** `POST /transactions/bulk`: does it, or leads to a page that shows what would happen. */
export async function takeBulk(visit: Visit): Promise<Reply> {
  const wish = readWish(visit.form);
  const { work, scope, targets, line, list } = wish;
  const filled = visit.field('do') === 'rows' ? readRowFields(visit) : [];
  const shown = (faults: FormFaults, status = 422) => {
    const ids = new Set(targets.map(({ transactionId }) => transactionId));
    const texts = new Map(filled.map(({ transactionId, text }) => [transactionId, text]));
    const chosen = { ids, scope, line, texts };
    return showTransactions(visit, list, { sent: { faults, status }, chosen });
  };
  if (filled.length > 0) return takeRows(visit, wish, filled, shown);
  const faults: Record<string, string> = {};
  if (scope === 'selected' && targets.length === 0) {
    faults['scope'] = 'Select some transactions, or all that match this filter.';
  }
  const chosen = readLine(visit, wish, faults);
  if (isFaulty(faults)) return shown(faults);
  const tooMany = (failure: unknown) => {
    if (failure instanceof Failure && failure.code === 'invalid_input') return failure.message;
    throw failure;
  };
  const look = await lookFor(visit, wish, chosen).catch(tooMany);
  if (typeof look === 'string') return shown({ scope: look });
  const stale = sayStale(visit.reader, wish, look);
  if (stale !== undefined) return shown({ scope: stale }, 409);
  const isPlain = look.replaced.length === 0 && look.outside.length === 0;
  const isOther = scope === 'all' && !isOffered(wish.seen, look.now);
  if (isOther || work === 'exclude' || !isPlain) {
    const query = new URLSearchParams();
    for (const [name, value] of wish.fields) query.append(name, value);
    return redirectReply(`${LOOK}?${query}`);
  }
  return carryOut(visit, wish, look, (message, status) => shown({ scope: message }, status));
}

export async function takeBulkApply(visit: Visit): Promise<Reply> {
  const wish = readWish(visit.form);
  const faults = {};
  const line = readLine(visit, wish, faults);
  if (wish.work === 'exclude') readAt(faults, 'reason', () => WHY.read(wish.reason));
  if (isFaulty(faults)) return showBulk(visit, wish, { faults });
  const look = await lookFor(visit, wish, line);
  const refuse = (message: string, status = 409) => {
    return showBulk(visit, wish, { faults: { do: message }, status });
  };
  if (wish.scope === 'all' && sealOf(look) !== wish.seen) {
    return refuse(
      'The transactions matching this filter have changed, so nothing was done. Check the list ' +
        'again.',
    );
  }
  const stale = sayStale(visit.reader, wish, look);
  return stale === undefined ? carryOut(visit, wish, look, refuse) : refuse(stale);
}

/** The transactions that are meant. Refuses with `invalid_input` too many. */
function* findSet(visit: Visit, wish: BulkWish): Steps<readonly TransactionRecord[]> {
  const { scope, targets, list } = wish;
  const [fault] = Object.values(list.faults);
  if (scope === 'all' && fault !== undefined) throw new Failure('invalid_input', fault);
  const choice =
    scope === 'all'
      ? choiceOf(list.filters, visit.reader)
      : { ids: targets.map(({ transactionId }) => transactionId) };
  const found: TransactionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...choice, limit: PAGE_ITEMS, cursor };
    const { items, nextCursor } = yield* listTransactions(visit.access, page);
    found.push(...items);
    if (found.length > COUNTED.changed) {
      const most = visit.reader.count(COUNTED.changed);
      throw new Failure(
        'invalid_input',
        `This filter has more than ${most} transactions, the most that are changed together. ` +
          'Narrow it, for example by days.',
      );
    }
    cursor = nextCursor ?? undefined;
    yield;
  } while (cursor !== undefined);
  return found;
}

/** The line that was chosen; undefined if none is needed, or it is wrong. */
function readLine(visit: Visit, { work, line }: BulkWish, faults: Record<string, string>) {
  if (work !== 'allocate') return undefined;
  return readAt(faults, 'line', () => readLineField(visit, line));
}

async function lookFor(visit: Visit, wish: BulkWish, line = readLine(visit, wish, {})) {
  const { work, reason } = wish;
  const found = await visit.read(findSet(visit, wish));
  return visit.read(lookAtWork(visit.access, { work, line, reason }, found));
}

/** Why nothing is done if some of the selected ones have changed; undefined if none has. */
function sayStale(
  reader: Reader,
  { scope, targets }: BulkWish,
  { found }: Look,
): string | undefined {
  const seen = new Map(targets.map((each) => [each.transactionId, each.seenUpdatedAtMs]));
  const stale = found.filter(
    ({ id, updatedAtMs }) => seen.get(formatId('txn', id)) !== updatedAtMs,
  );
  if (scope === 'all' || stale.length === 0) return undefined;
  const { length: asked } = targets;
  const has = nounFor(stale.length, 'has', 'have');
  const which =
    asked === 1
      ? 'The transaction that you selected has changed'
      : `${reader.count(stale.length)} of the ${asked} that you selected ${has} changed`;
  return `${which} since it was shown: ${nameTransactions(reader, stale)}. Nothing was done.`;
}

/** Changes whenever one of the transactions or the days of the line do. */
function sealOf({ found, line }: Look): string {
  const latest = found.reduce((most, { updatedAtMs }) => Math.max(most, updatedAtMs), 0);
  const ids = found.reduce((sum, { id }) => sum + id, 0);
  return [found.length, ids, latest, line?.startDate, line?.endDate].join('_');
}

/** Does it. What has changed since is left and counted; `refuse` shows why nothing was done. */
async function carryOut(
  visit: Visit,
  wish: BulkWish,
  { found, line, now, replaced, request }: Look,
  refuse: (message: string, status: number) => Promise<Reply>,
): Promise<Reply> {
  const { access, reader } = visit;
  const { change, done: verb } = BULK_WORK[wish.work];
  const meant = [...now, ...(wish.replaces ? replaced : [])].map(({ transaction }) => transaction);
  const refused = (failure: Failure, status: number) => refuse(sayRefused(visit, failure), status);
  return visit.runOr(refused, async () => {
    const steps = inSteps(meant.map(request), (step) => change(access, step));
    const done = await changeMany(access, steps, visit.actor);
    const others = found.length - meant.length;
    const message = html`${reader.count(done.count, 'transaction')} ${verb}${
      line !== undefined && html` to ${typed(nameLine(line))}`
    }, ${reader.money(done.sumMinor)} in total.${
      others > 0 && ` ${reader.count(others, 'was', 'were')} not changed.`
    }`;
    return outcomeOf(visit, done, await leadBack(visit, wish), message);
  });
}

/** The list as it was, or after the transaction that this followed. */
async function leadBack(visit: Visit, { list, back, at }: BulkWish): Promise<string> {
  if (at === '') return list.address();
  return placeAfter(visit, {
    list: ListQuery.read(back),
    isOpen: back.some(([name]) => name === 'open'),
    transaction: getTransaction(visit.access, at),
  });
}

const WHY = {
  label: 'Why?',
  hint: 'The reason is shown with each excluded transaction.',
  read: required('Enter a reason.'),
};

/** `GET /transactions/bulk`: what would happen, with the button that does it. */
export async function showBulk(
  visit: Visit,
  wish = readWish(visit.form),
  sent: Sent = UNSENT,
): Promise<Reply> {
  const { work, fields, replaces, reason } = wish;
  const { filters } = wish.list;
  const look = await lookFor(visit, wish);
  const { found, now, replaced } = look;
  const { verb } = BULK_WORK[work];
  const title = `${verb} several transactions`;
  const press =
    replaced.length === 0 ? `${verb} ${visit.reader.count(now.length, 'transaction')}` : verb;
  // What is shown is what the selected ones are now, whatever they were in the address.
  const ids = found.map(({ id, updatedAtMs }) => {
    return ['id', `${formatId('txn', id)}.${updatedAtMs}`] as const;
  });
  const kept = [...fields.filter(([name]) => name !== 'id'), ...(wish.scope === 'all' ? [] : ids)];
  const hidden = [...kept, ['seen', sealOf(look)] as const].map(([name, value]) => {
    return hiddenField(name, value);
  });
  const into = look.line && typed(nameLine(look.line));
  const question =
    work === 'exclude'
      ? fieldOf('reason', { ...WHY, value: reason }, sent)
      : replaced.length > 0 &&
        fieldOf('existing', {
          label: 'Transactions that already have allocations',
          type: 'radio',
          value: replaces ? 'replace' : 'leave',
          options: [
            ['leave', 'Leave them as they are'],
            ['replace', html`Replace their allocations${into && html` with ${into}`}`],
          ],
        });
  const list = listPath(PATHS.list, filters);
  const inputs = html`${hidden}${question}${mainActions(press, list, 'do')}
`;
  const which = wish.scope === 'all' && sayFilters(visit, filters);
  const content = html`${which}${effectList(visit, look)}
${
  now.length + replaced.length > 0
    ? postForm(`${LOOK}/apply`, {}, inputs, html` class="narrow"`)
    : html`<p class="actions"><a class="button primary" id="do" href="${list}">Back</a></p>`
}`;
  const above = [[list, 'Transactions']] as const;
  return showPage(visit, { title, place: PATHS.list, above, content, ...sent });
}
