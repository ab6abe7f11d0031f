/** One transaction as people read it. */

import type { Status } from '../core/transactions.ts';
import { showAmount } from './amounts.ts';
import type { Call } from './command.ts';
import type { TransactionDocument } from './documents.ts';
import { printLines, printResult } from './output.ts';
import { terminalWidth } from './paint.ts';
import { cleanText, cutText } from './text-width.ts';

/** Statuses in words that take little room. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  excluded: 'excluded',
  needs_review: 'needs review',
  allocated: 'allocated',
  partially_allocated: 'partly',
  unallocated: 'unallocated',
};

/** Prints a transaction: its document for programs, a few lines for people. */
export function printTransaction(call: Call, document: TransactionDocument): void {
  const { data: transaction } = document;
  const { id, date, currency, amount, allocatedAmount, status } = transaction;
  printResult(call, document, () => {
    const shown = (each: number) => `${showAmount(each, currency)} ${currency}`;
    const about = [transaction.contact, transaction.description].filter((text) => text !== null);
    const width = terminalWidth(call.io);
    printLines(
      call.io,
      cutText(`${id}  ${date}  ${shown(amount)}  ${cleanText(about.join(': '))}`, width),
      allocatedAmount === 0 || status === 'allocated'
        ? STATUS_WORDS[status]
        : `${STATUS_WORDS[status]}: ${shown(allocatedAmount)} of it is allocated`,
    );
  });
}
