/** Prints one transaction, with its allocations. */

import { transactionItem } from '../api/documents.ts';
import type { Actor } from '../core/audit.ts';
import { formatId } from '../core/ids.ts';
import { cleanText, cutText } from '../core/text-width.ts';
import type { Status } from '../core/transactions.ts';
import { listTransactionAllocations } from '../operations/allocations.ts';
import { listAll } from '../operations/pages.ts';
import { listProjects } from '../operations/projects.ts';
import type { Access } from '../store/access.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import { amountColumn, moneyText, showAmount } from './amounts.ts';
import type { Call } from './command.ts';
import { printLines, printResult, printTable } from './output.ts';
import { terminalWidth } from './paint.ts';
import type { ListColumn } from './table.ts';

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

export async function changeTransaction<Request>(
  call: Call,
  change: (access: Access, request: Request, actor: Actor) => TransactionRecord,
  request: Request,
): Promise<void> {
  const { access, actor } = await call.openOrganisation();
  printTransaction(call, access, change(access, request, actor()));
}

/** Prints a transaction: the document with `--json`, otherwise a summary and its allocations. */
export function printTransaction(call: Call, access: Access, transaction: TransactionRecord): void {
  const { organisation } = access;
  const { currency } = organisation;
  const { io } = call;
  printResult(call, { data: transactionItem(transaction, organisation) }, () => {
    const id = formatId('txn', transaction.id);
    const about = cleanText(showAbout(transaction));
    const facts = `${id}  ${transaction.date}  ${moneyText(transaction.amountMinor, currency)}`;
    const room = Math.max(terminalWidth(io) - facts.length - 2, 1);
    printLines(io, `${facts}  ${cutText(about, room)}`);
    if (transaction.allocatedMinor !== 0) {
      const allocations = listAll((page) => listTransactionAllocations(access, id, page));
      printTable(io, allocations, [
        amountColumn(currency.code, currency, ({ amountMinor }) => amountMinor),
        { title: 'Code', min: 5, cell: ({ lineCode }) => lineCode ?? '' },
        { title: 'Line', min: 14, cell: ({ lineName }) => lineName },
        ...projectColumns(access),
      ]);
    }
    printLines(io, showState(transaction, access));
  });
}

/** The project of each line where there are several: their lines often have the same names. */
export function projectColumns(access: Access): ListColumn<{ readonly projectName: string }>[] {
  const { items } = listProjects(access, { limit: 2 });
  if (items.length < 2) return [];
  return [{ title: 'Project', min: 10, cell: ({ projectName }) => projectName }];
}

/** The status, and how much of the amount is allocated. */
function showState(
  { amountMinor, allocatedMinor, status }: TransactionRecord,
  { organisation: { currency } }: Access,
): string {
  const word = status === 'partially_allocated' ? 'partly allocated' : STATUS_WORDS[status];
  const state = `Status: ${word}.`;
  if (allocatedMinor === 0) return state;
  const left = amountMinor - allocatedMinor;
  const isTooMuch = left !== 0 && left > 0 !== allocatedMinor > 0;
  const rest = isTooMuch
    ? `${moneyText(Math.abs(left), currency)} too much`
    : `${moneyText(left, currency)} left`;
  const sums = `${showAmount(allocatedMinor, currency)} of ${moneyText(amountMinor, currency)}`;
  return `${state} ${sums} allocated, ${left === 0 ? 'nothing left' : rest}.`;
}
