/**
 * The rows of the list of transactions, where their lines are chosen, and the bar below them. Each
 * goes to its line, several to the same; after that, one button gives others like it to that line.
 */

import { fixedPart } from '../../core/fixed-part.ts';
import { formatId } from '../../core/ids.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { allocations } from '../../operations/allocations.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { changeMany, inSteps } from '../../operations/changes.ts';
import type { Target } from '../../operations/input.ts';
import { countTransactions, listTransactions } from '../../operations/transactions.ts';
import { finish, nextTurn } from '../../operations/turns.ts';
import type { PlannedChange } from '../../store/acts.ts';
import { lastWriteMs } from '../../store/audit.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { type Column, moneyCell, stackTable, statusTag, typed } from '../components/elements.ts';
import { type FormFaults, isFaulty, postForm, readAt } from '../components/forms.ts';
import { readLineField, sayAllocated } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import {
  choiceOf,
  type Filters,
  type ListQuery,
  listPath,
} from '../components/transaction-filters.ts';
import { outcomeOf, sayRefused } from '../sentences/refusals.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { sumOf } from './bulk-work.ts';
import { findNeighbour } from './transaction.ts';

/** What was chosen in the list before something was found wrong with it. */
interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly scope?: string;
  readonly line?: string;
  /** What was chosen or typed in rows, by the identifiers of their transactions. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** How the list is shown. */
export interface ListView {
  readonly chosen: Chosen;
  readonly faults: FormFaults;
  /** Whether a transaction is open beside it. */
  readonly isNarrow: boolean;
  readonly open: string | undefined;
  readonly list: ListQuery;
}

/** The field of a row for its line, whose name has the stamp with which the row was shown. */
const ROW_FIELD = /^for\.(txn_\w+)\.(\d+)$/;

/** A row with a line, as it was chosen or typed. */
interface FilledRow extends Required<Target> {
  readonly text: string;
}

/** The rows with something in their fields. */
export function readRowFields({ form }: Pick<Visit, 'form'>): readonly FilledRow[] {
  return form.fields.flatMap(([name, value]) => {
    const [, transactionId, stamp] = ROW_FIELD.exec(name) ?? [];
    const text = value.trim();
    if (transactionId === undefined || text === '') return [];
    return [{ transactionId, seenUpdatedAtMs: Number(stamp), text }];
  });
}

/** The id of the field for the line of a transaction. */
function rowFieldOf(id: string): string {
  return `for-${id}`;
}

/** The account code, then the project code. */
function codesOf({ accountCode, projectCode }: TransactionRecord): (Html | false)[] {
  return [
    accountCode !== null && html`<code>${accountCode}</code>`,
    projectCode !== null && html` <code>${projectCode}</code>`,
  ];
}

const PICK_ALL = html`<label data-script hidden><input type="checkbox" data-all
aria-label="Select all on this page"></label>`;

export function rowTable(
  visit: Visit,
  items: readonly TransactionRecord[],
  { chosen, faults, isNarrow, open, list }: ListView,
): Html {
  const { reader } = visit;
  const { filters } = list;
  const idOf = ({ id }: Pick<TransactionRecord, 'id'>) => formatId('txn', id);
  const pick = ({
    contact,
    description,
    date,
    amountMinor,
    updatedAtMs,
    ...each
  }: TransactionRecord) => {
    const id = idOf(each);
    const checked = chosen.ids.has(id) && html` checked`;
    const name = `Select ${contact ?? description}, ${reader.dayText(date)}`;
    return html`<label><input type="checkbox" name="id" value="${id}.${updatedAtMs}"
aria-label="${name}" data-minor="${amountMinor}"${checked}></label>`;
  };
  const link = (each: TransactionRecord) => {
    // Without the ways back, which the script adds: they are long, and the same in each row.
    const target = list.address({ open: idOf(each), back: undefined });
    const name = typed(each.contact ?? each.description);
    return html`<a href="${target}#${idOf(each)}">${name}</a>`;
  };
  const status: Column<TransactionRecord> = ['Status', 'state', ({ status }) => statusTag(status)];
  const wide = (): readonly Column<TransactionRecord>[] => {
    const lineOf = sayAllocated(visit, items, filters);
    if (filters.tab !== 'open') return [status, ['Budget line', 'lines', lineOf]];
    const fieldOf = (each: TransactionRecord) => lineField(reader, each, chosen, faults);
    return [['Budget line', 'lines', (each) => fieldOf(each) ?? lineOf(each)]];
  };
  const amount = `Amount, ${reader.currency.code}`;
  const columns: readonly Column<TransactionRecord>[] = [
    [PICK_ALL, 'pick', pick],
    [sortHead(list, 'Date', ['newest', 'oldest']), 'date', ({ date }) => reader.dayText(date)],
    ['Contact', 'what', link],
    ['Description', 'desc', (each) => each.contact !== null && typed(each.description)],
    ['Code', 'code', codesOf],
    [
      sortHead(list, amount, ['largest', 'smallest']),
      'num',
      (each) => moneyCell(each.amountMinor, reader),
    ],
    ...(isNarrow ? [] : wide()),
  ];
  const isOpen = (each: TransactionRecord) => idOf(each) === open;
  const label = `Transactions, ${list.order} first`;
  const parts = { label, look: 'list ', idOf, isOpen, hasRowHeads: false };
  return stackTable(columns, items, parts);
}

/** A link that sorts by this, or turns that order. */
function sortHead(
  { filters, order }: ListQuery,
  name: string,
  [down, up]: readonly [ListQuery['order'], ListQuery['order']],
): Html {
  const next = order === down ? up : down;
  const mark = order === down ? ' ↓' : order === up ? ' ↑' : '';
  const sorted = listPath(PATHS.list, { ...filters, sort: next === 'newest' ? undefined : next });
  return html`<a href="${sorted}">${name}<span aria-hidden="true">${mark}</span><span
class="hidden">, ${next} first</span></a>`;
}

/** Where the line of a row is chosen; undefined for one that has a line already. */
function lineField(
  reader: Reader,
  { id: number, status, date, contact, description, updatedAtMs }: TransactionRecord,
  { texts }: Chosen,
  faults: FormFaults,
): Html | undefined {
  if (status !== 'unallocated') return undefined;
  const id = formatId('txn', number);
  const field = rowFieldOf(id);
  const fault = faults[field];
  const isWrong = fault !== undefined;
  const text = texts?.get(id);
  return html`<input id="${field}" name="for.${id}.${updatedAtMs}" data-day="${date}"
aria-label="Budget line of ${contact ?? description}, ${reader.dayText(date)}"${
    text !== undefined && html` value="${text}"`
  }${isWrong && html` aria-invalid="true" aria-describedby="${field}-fault"`}>${
    isWrong && html`<span class="fault" id="${field}-fault">${fault}</span>`
  }`;
}

/** The list in which someone works, at one transaction of it. */
interface WorkPlace {
  readonly list: ListQuery;
  /** Whether the transaction is open beside the list. */
  readonly isOpen: boolean;
  readonly transaction: TransactionRecord;
}

/** A text with fewer letters says too little of who was paid. */
const LEAST_LETTERS = 4;

/**
 * Filters for transactions that go the same way as this one, with the same contact; without a
 * contact, with the same fixed part of the text. On days of the line. Undefined if nothing tells
 * them from others.
 */
function filtersLike(
  { contact, description, amountMinor }: TransactionRecord,
  { startDate, endDate }: LineChoice,
): Filters | undefined {
  const like = contact === null ? fixedPart(description) : undefined;
  if (like !== undefined && like.length < LEAST_LETTERS) return undefined;
  const way = amountMinor < 0 ? 'in' : 'out';
  const who = like === undefined ? { contact: contact?.trim() } : { like };
  return { tab: 'open', from: startDate, to: endDate, ...who, way };
}

/**
 * Offers to allocate the others like one that went to a line, which is named unless the message
 * above has named it alone; undefined without any, and for an archived project, which takes none.
 */
export async function offerSame(
  visit: Visit,
  { list, isOpen, transaction, isNamed }: WorkPlace & { readonly isNamed: boolean },
  line: LineChoice,
): Promise<Html | undefined> {
  const { reader } = visit;
  const filters = filtersLike(transaction, line);
  const isInUse = mapBudgetLines(visit.access, [line.id], { isArchived: false }).size > 0;
  if (filters === undefined || !isInUse) return undefined;
  const untilMs = lastWriteMs(visit.access) ?? 0;
  const choice = { ...choiceOf(filters, reader), statuses: ['unallocated'] as const };
  const counting = countTransactions(visit.access, choice, Infinity);
  const { count, outMinor, inMinor } = await visit.read(counting);
  if (count === 0) return undefined;
  const at = formatId('txn', transaction.id);
  const unseen = {
    ...{ do: 'allocate', scope: 'all', line: formatId('bln', line.id) },
    filters: listPath('', filters).slice(1),
    seen: sealOffer(count, outMinor + inMinor, untilMs),
    list: list.text({ open: isOpen ? at : undefined }),
    at,
  };
  const who =
    filters.like === undefined
      ? html`of ${typed(filters.contact ?? '')}`
      : html`like “${typed(filters.like)}”`;
  const sum = reader.amount(outMinor + inMinor);
  const others = listPath(PATHS.list, filters);
  const button = html`<a href="${others}">${reader.count(count)} more</a> ${who},
${sum} in total${!isNamed && html`, to ${typed(nameLine(line))}`}. <button class="button"
data-same>The same for them</button>`;
  return postForm('/transactions/bulk', unseen, button, html` class="offer"`);
}

/** What was offered, and the last write before that. */
function sealOffer(count: number, sumMinor: number, untilMs: number): string {
  return `${count}_${sumMinor}_${untilMs}`;
}

/** Whether a form says that these were offered: others are not allocated without a look. */
export function isOffered(seen: string, planned: readonly PlannedChange[]): boolean {
  const untilMs = Number(seen.split('_').at(-1));
  const isKnown = planned.every(({ transaction }) => transaction.updatedAtMs <= untilMs);
  return isKnown && seen === sealOffer(planned.length, sumOf(planned), untilMs);
}

/** Where to allocate next: in the panel of the next transaction, or at the field of its row. */
export async function placeAfter(
  visit: Visit,
  { list, isOpen, transaction }: WorkPlace,
): Promise<string> {
  const { filters } = list;
  const below = await findNeighbour(visit, transaction, filters);
  if (isOpen) {
    const next = list.address({ open: below });
    return below === undefined ? next : `${next}#line-0`;
  }
  const next = below ?? (await findNeighbour(visit, transaction, filters, true));
  const whole = list.address();
  return next === undefined ? whole : `${whole}#${rowFieldOf(next)}`;
}

/** A row, and the line that it goes to. */
interface RowWish {
  readonly target: Required<Target>;
  readonly transaction: TransactionRecord;
  readonly line: LineChoice;
}

/**
 * Allocates rows to the lines that were chosen in them. What is chosen in a row that is selected
 * goes for all that are selected. `shown` is the list again, with what is wrong with that.
 */
export async function takeRows(
  visit: Visit,
  { list, targets }: { readonly list: ListQuery; readonly targets: readonly Required<Target>[] },
  filled: readonly FilledRow[],
  shown: (faults: FormFaults, status?: number) => Promise<Reply>,
): Promise<Reply> {
  const selected = new Map(targets.map((each) => [each.transactionId, each]));
  const shared = filled.find(({ transactionId }) => selected.has(transactionId));
  for (const { transactionId } of filled) selected.delete(transactionId);
  const others = shared === undefined ? [] : [...selected.values()];
  const all = [...filled, ...others.map((each) => ({ ...each, text: shared?.text ?? '' }))];
  const faults: Record<string, string> = {};
  const wishes = await readWishes(visit, all, faults);
  if (isFaulty(faults)) return shown(faults);
  const last = wishes.find(({ target }) => target.transactionId === filled.at(-1)?.transactionId);
  return visit.runOr(
    (failure, status) => shown({ scope: sayRefused(visit, failure) }, status),
    async () => {
      const steps = inSteps(wishes, (step) =>
        allocations(
          visit.access,
          step.map(({ target, line }) => {
            return { ...target, allocations: [{ budgetLineId: formatId('bln', line.id) }] };
          }),
        ),
      );
      const done = await changeMany(visit.access, steps, visit.actor);
      const [first, ...more] = new Set(wishes.map(({ line }) => nameLine(line)));
      const many = visit.reader.count(done.count, 'transaction');
      const message = html`${many} allocated${
        more.length === 0 && html` to ${typed(first ?? '')}`
      }, ${visit.reader.money(done.sumMinor)} in total.`;
      const at = last && { list, isOpen: false, transaction: last.transaction };
      const to = at === undefined ? list.address() : await placeAfter(visit, at);
      const offer =
        last && at && (await offerSame(visit, { ...at, isNamed: more.length === 0 }, last.line));
      return { ...outcomeOf(visit, done, to, message), offer };
    },
  );
}

/** The lines that were chosen for transactions; what is wrong is put into the faults. */
async function readWishes(visit: Visit, all: readonly FilledRow[], faults: Record<string, string>) {
  const ids = all.map(({ transactionId }) => transactionId);
  const { items } = finish(listTransactions(visit.access, { ids, limit: ids.length }));
  const found = new Map(items.map((each) => [formatId('txn', each.id), each]));
  const wishes: RowWish[] = [];
  for (const { text, ...target } of all) {
    const transaction = found.get(target.transactionId);
    if (transaction === undefined) continue;
    const field = rowFieldOf(target.transactionId);
    const isSeen = transaction.updatedAtMs === target.seenUpdatedAtMs;
    if (isSeen && transaction.status !== 'unallocated') {
      faults[target.transactionId] ??=
        'This transaction already has a budget line. Open it to change the line.';
    }
    const line = readAt(faults, field, () => readLineField(visit, text, transaction));
    if (line !== undefined) wishes.push({ target, transaction, line });
    await nextTurn();
  }
  return wishes;
}
