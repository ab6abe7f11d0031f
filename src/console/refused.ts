/** Transactions that a change left or refused, in words and by their names. */

import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { ChangeRefused } from '../core/refusals.ts';
import type { Target } from '../operations/input.ts';
import type { TransactionRecord } from '../operations/transactions.ts';
import { readerOf, type Visit } from './desk.ts';

/** What a change in steps left as it was. */
export interface Left {
  /** Transactions that have changed since they were shown. */
  changedSince: number;
  /** Why others were left. */
  readonly reasons: string[];
}

/** What was left, and why, after a sentence; empty if nothing was. */
export function sayLeft(visit: Visit, { changedSince, reasons }: Left): string {
  const reader = readerOf(visit);
  const have = changedSince === 1 ? 'has changed since and was' : 'have changed since and were';
  const changed = changedSince > 0 ? ` ${reader.count(changedSince)} ${have} left.` : '';
  const [reason] = reasons;
  if (reason === undefined) return changed;
  const were = reasons.length === 1 ? 'was' : 'were';
  return `${changed} ${reader.count(reasons.length)} ${were} refused and left: ${reason}`;
}

/** A transaction as people know it, within a sentence. */
export function nameTransaction(
  visit: Visit,
  { contact, description, amountMinor, date }: TransactionRecord,
): string {
  const reader = readerOf(visit);
  const amount = reader.money(amountMinor, visit.session.access.organisation.currency);
  return `${contact ?? description}, ${reader.dayText(date)}, ${amount}`;
}

/** Some of the transactions, as many as a sentence holds. */
export function nameSome(visit: Visit, found: readonly TransactionRecord[]): string {
  const names = found.slice(0, NAMED).map((each) => nameTransaction(visit, each));
  const more = found.length - names.length;
  return `${names.join('; ')}${more > 0 ? `; and ${readerOf(visit).count(more)} more` : ''}`;
}

const NAMED = 3;

/** Why nothing was done, with the names of transactions in place of their identifiers. */
export function sayRefused(
  visit: Visit,
  { message }: Pick<Failure, 'message'>,
  found: readonly TransactionRecord[],
): string {
  return message.replace(/\btxn_\w+/g, (id) => {
    const meant = found.find((each) => formatId('txn', each.id) === id);
    return meant === undefined ? id : nameTransaction(visit, meant);
  });
}

/** A step of several. */
export interface Step {
  readonly step: readonly Required<Target>[];
  readonly act: (targets: readonly Required<Target>[]) => TransactionRecord[];
  readonly found: readonly TransactionRecord[];
  /** Where what is left is counted. */
  readonly left: Left;
}

/** Changes those of a step that can be changed, and leaves the others. */
export function changeRest(visit: Visit, { step, act, found, left }: Step): TransactionRecord[] {
  try {
    return act(step);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refusals = error instanceof ChangeRefused ? error.refusals : [];
    const subjects = new Set(refusals.map(({ subject }) => subject));
    const rest = step.filter(({ transactionId }) => !subjects.has(transactionId));
    if (rest.length === step.length) throw error;
    const changed = rest.length === 0 ? [] : act(rest);
    const others = refusals.filter(({ now }) => now === undefined);
    left.changedSince += refusals.length - others.length;
    left.reasons.push(...others.map((each) => sayRefused(visit, each, found)));
    return changed;
  }
}
