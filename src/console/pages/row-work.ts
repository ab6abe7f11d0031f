/** What is chosen in the rows of the list: each goes to its line, several to the same. */

import { formatId } from '../../core/ids.ts';
import { nameLine } from '../../core/projects.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { allocations } from '../../operations/allocations.ts';
import { changeMany, inSteps } from '../../operations/changes.ts';
import type { Target } from '../../operations/input.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { finish, nextTurn } from '../../operations/turns.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { typed } from '../components/elements.ts';
import { type Faults, isFaulty, readAt } from '../components/forms.ts';
import { readLineField } from '../components/line-fields.ts';
import { type ListQuery, listAddress } from '../components/transaction-filters.ts';
import { outcomeOf, sayRefused } from '../sentences/refusals.ts';
import type { Visit } from '../session/visit.ts';
import { type FilledRow, rowFieldOf } from './rows.ts';
import { offerSame, placeAfter } from './same-again.ts';

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
  shown: (faults: Faults, status?: number) => Promise<Reply>,
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
      const many = visit.count(done.count, 'transaction');
      const message = html`${many} allocated${
        more.length === 0 && html` to ${typed(first ?? '')}`
      }, ${visit.money(done.sumMinor)} in total.`;
      const at = last && { list, isOpen: false, transaction: last.transaction };
      const to = at === undefined ? listAddress(list) : await placeAfter(visit, at);
      const offer = last && at && (await offerSame(visit, at, last.line));
      return { ...outcomeOf(visit, done, to, message), offer };
    },
  );
}

/** The lines that were chosen for transactions; what is wrong is put into the faults. */
async function readWishes(
  visit: Visit,
  all: readonly FilledRow[],
  faults: Record<string, string>,
): Promise<readonly RowWish[]> {
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
      faults[target.transactionId] ??= 'It has a budget line already: open it to change that.';
    }
    const line = readAt(faults, field, () => readLineField(visit, text, transaction));
    if (line !== undefined) wishes.push({ target, transaction, line });
    await nextTurn();
  }
  return wishes;
}
