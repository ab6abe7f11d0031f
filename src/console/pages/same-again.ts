/** After an allocation by hand, one button gives others like it to the same line. */

import { fixedPart } from '../../core/fixed-part.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import { countTransactions } from '../../operations/transactions.ts';
import type { PlannedChange } from '../../store/acts.ts';
import { lastWriteMs } from '../../store/audit.ts';
import type { LineChoice } from '../../store/line-list.ts';
import { sumTotals } from '../../store/totals.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { typed } from '../components/elements.ts';
import { postForm } from '../components/forms.ts';
import {
  addressOf,
  choiceOf,
  type Filters,
  LIST,
  type ListQuery,
  listAddress,
  listText,
} from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { sumOf } from './bulk-work.ts';
import { rowFieldOf } from './rows.ts';
import { findNeighbour } from './transaction.ts';

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
 * Those that go the same way as this one, with the same contact; without a contact, with the same
 * fixed part of the text. On days of the line. Undefined if nothing tells them from others.
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

/** Offers to allocate the others like one that went to a line; undefined without any. */
export async function offerSame(
  visit: Visit,
  { list, isOpen, transaction }: WorkPlace,
  line: LineChoice,
): Promise<Html | undefined> {
  const filters = filtersLike(transaction, line);
  if (filters === undefined) return undefined;
  const untilMs = lastWriteMs(visit.access) ?? 0;
  const counting = countTransactions(visit.access, choiceOf(filters, visit.reader), Infinity);
  const { byStatus } = await visit.desk.readings.take(visit, counting);
  const { count: all, zeroes, outMinor, inMinor } = sumTotals(byStatus, ['unallocated']);
  const count = all - zeroes;
  if (count === 0) return undefined;
  const at = formatId('txn', transaction.id);
  const unseen = {
    ...{ do: 'allocate', scope: 'all', line: formatId('bln', line.id) },
    filters: addressOf('', filters).slice(1),
    seen: sealOffer(count, outMinor + inMinor, untilMs),
    list: listText(list, { open: isOpen ? at : undefined }),
    at,
  };
  const who =
    filters.like === undefined
      ? html`of ${typed(filters.contact ?? '')}`
      : html`like “${typed(filters.like)}”`;
  const sum = visit.amount(outMinor + inMinor);
  const button = html`<a href="${addressOf(LIST, filters)}">${visit.count(count)} more</a> ${who},
${sum} in total. <button class="button" data-same>The same for them</button>`;
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
    const next = listAddress(list, { open: below });
    return below === undefined ? next : `${next}#line-0`;
  }
  const next = below ?? (await findNeighbour(visit, transaction, filters, true));
  const whole = listAddress(list);
  return next === undefined ? whole : `${whole}#${rowFieldOf(next)}`;
}
