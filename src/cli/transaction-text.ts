/** Prints one transaction, with its allocations. */

import { cleanText, cutText } from '../core/text-width.ts';
import type { Status } from '../core/transactions.ts';
import { addAmounts, showAmount } from './amounts.ts';
import type { Call } from './command.ts';
import type { Opened, TransactionDocument } from './documents.ts';
import { listAllocations } from './lookup.ts';
import { printLines, printResult, printTable } from './output.ts';
import { terminalWidth } from './paint.ts';

/** Short words for statuses, for columns. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  excluded: 'excluded',
  needs_review: 'needs review',
  allocated: 'allocated',
  partially_allocated: 'partly',
  unallocated: 'unallocated',
};

/** `Luigi: Pizza`: the contact, if there is one, and the description. */
export function showAbout(about: { contact: string | null; description: string }): string {
  return about.contact === null ? about.description : `${about.contact}: ${about.description}`;
}

/** Prints a transaction: its document with `--json`, otherwise a summary and its allocations. */
export function printTransaction(
  call: Call,
  { service, organisation }: Opened,
  document: TransactionDocument,
): void {
  const { data: transaction } = document;
  const { id, date, currency, amount, allocatedAmount } = transaction;
  printResult(call, document, () => {
    const shown = (each: number) => `${showAmount(each, currency)} ${currency}`;
    const about = cleanText(showAbout(transaction));
    const line = `${id}  ${date}  ${shown(amount)}  ${about}`;
    printLines(call.io, cutText(line, terminalWidth(call.io)));
    const allocations = allocatedAmount === 0 ? [] : listAllocations(service, organisation, id);
    if (allocations.length > 0) {
      printTable(call.io, {
        columns: [
          { title: currency, align: 'right' },
          { title: 'Code', min: 5 },
          { title: 'Line', min: 14 },
        ],
        entries: allocations.map(({ amount: part, budgetLine: { code, name } }) => {
          return [showAmount(part, currency), code ?? '', name];
        }),
      });
    }
    printLines(call.io, showState(transaction, shown));
  });
}

/** The status, and how much of the amount is allocated. */
function showState(
  { amount, allocatedAmount, status, currency }: TransactionDocument['data'],
  shown: (amount: number) => string,
): string {
  const word = status === 'partially_allocated' ? 'partly allocated' : STATUS_WORDS[status];
  const state = `Status: ${word}.`;
  if (allocatedAmount === 0) return state;
  const left = addAmounts([amount, -allocatedAmount], currency);
  const isTooMuch = left !== 0 && left > 0 !== allocatedAmount > 0;
  const rest = isTooMuch ? `${shown(Math.abs(left))} too much` : `${shown(left)} left`;
  const sums = `${showAmount(allocatedAmount, currency)} of ${shown(amount)} allocated`;
  return `${state} ${sums}, ${left === 0 ? 'nothing left' : rest}.`;
}
