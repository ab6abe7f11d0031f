/** Transactions that a change left or refused, in words and by their names. */

import { Failure } from '../../core/failures.ts';
import { type HtmlValue, html } from '../../http/html.ts';
import type { changeMany } from '../../operations/changes.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

/**
 * What a change of many did, for the page at `to` to say after `message`: what it left and why,
 * what stopped it, and Undo. Refuses with `conflict` if all of it was left.
 */
export function outcomeOf(
  visit: Visit,
  done: Awaited<ReturnType<typeof changeMany>>,
  to: string,
  message: HtmlValue,
): Outcome {
  const others = done.refusals.filter(({ now }) => now === undefined);
  const stale = done.refusals.length - others.length;
  const sentences = stale > 0 ? [sayChanged(visit.reader, stale)] : [];
  const [first] = others;
  if (first !== undefined) {
    const were = visit.reader.count(others.length, 'was', 'were');
    sentences.push(`${were} refused and not changed: ${sayRefused(visit, first)}`);
  }
  const left = sentences.join(' ');
  if (done.count === 0 && done.refusals.length > 0) throw new Failure('conflict', left);
  const stopped = done.stopped && ` The rest was not changed: ${done.stopped.message}`;
  const said = html`${message}${left !== '' && ` ${left}`}${stopped}`;
  return { to, message: said, undo: done.actsMs };
}

/** How many were left because they have changed. */
export function sayChanged(reader: Reader, number: number): string {
  const have = reader.count(number, 'has changed since and was', 'have changed since and were');
  return `${have} not changed.`;
}

/** A transaction as people know it, within a sentence. */
function nameTransaction(
  reader: Reader,
  { contact, description, amountMinor, date }: TransactionRecord,
): string {
  const amount = reader.money(amountMinor);
  return `${contact ?? description}, ${reader.dayText(date)}, ${amount}`;
}

/** Some of the transactions, as many as a sentence holds. */
export function nameTransactions(reader: Reader, found: readonly TransactionRecord[]): string {
  const names = found.slice(0, NAMED).map((each) => nameTransaction(reader, each));
  const more = found.length - names.length;
  return `${names.join('; ')}${more > 0 ? `; and ${reader.count(more)} more` : ''}`;
}

const NAMED = 3;

/** A refusal with the names of transactions in place of their identifiers. */
export function sayRefused(visit: Visit, { message }: Pick<Failure, 'message'>): string {
  return message.replace(/\btxn_\w+/g, (id) => {
    const { items } = finish(listTransactions(visit.access, { ids: [id] }));
    return items[0] === undefined ? id : nameTransaction(visit.reader, items[0]);
  });
}
