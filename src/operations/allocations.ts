/** Allocations: those of a project, and saving those of a transaction (Spec 4.4, contract 5). */

import { findMisfit, settleWishes } from '../core/allocations.ts';
import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { ALLOCATED_LINES, CHARACTERS, PAGE_ITEMS } from '../core/limits.ts';
import type { Access } from '../store/access.ts';
import { type Change, changeOne } from '../store/acts.ts';
import * as store from '../store/allocations.ts';
import { findLine } from '../store/budget-lines.ts';
import { numberOf, requireNumber } from './access.ts';
import { readLine, readTarget, type Target } from './input.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';
import { getProject } from './projects.ts';
import { getTransaction, type TransactionChoice, toNumbers } from './transactions.ts';

/** Which allocations to list. An absent filter matches all, an unknown identifier nothing. */
interface AllocationFilter extends PageRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly budgetLineId?: string | undefined;
  readonly transactionId?: string | undefined;
}

/**
 * A page of a project's allocations, newest transaction date first, then by id. Refuses with
 * `invalid_cursor` or `not_found`.
 */
export function listAllocations(
  access: Access,
  id: string,
  filter: AllocationFilter = {},
): Listing<store.AllocationRecord> {
  const list = boundAllocations(id, filter);
  return readPage(access, list, filter, ({ after, limit }) => {
    const { projectId, from, to, budgetLineId, transactionId } = list.filters;
    getProject(access, id);
    const page = { projectId, from, to, budgetLineId, transactionId, after, limit };
    return store.pageOfAllocations(access, page);
  });
}

/** An allocation of a transaction, with the name of its project. */
export interface NamedAllocation extends store.AllocationRecord {
  readonly projectName: string;
}

/**
 * A page of a transaction's allocations in all projects, in the order of creation. Refuses with
 * `invalid_cursor` or `not_found`.
 */
export function listTransactionAllocations(
  access: Access,
  id: string,
  page: PageRequest = {},
): Listing<NamedAllocation> {
  const transactionId = numberOf('txn', id);
  const filters = { transactionId };
  const list = { name: 'transaction-allocations', sortKey: 'date', filters } as const;
  return readPage(access, list, page, (position) => {
    getTransaction(access, id);
    const found = store.pageOfAllocations(access, { transactionId, ...position });
    // No join for it: that took a twentieth of the time of a project's list.
    const items = found.items.map((item) => {
      const project = getProject(access, formatId('prj', item.projectId));
      return { ...item, projectName: project.name };
    });
    return { ...found, items };
  });
}

/**
 * What of these transactions, by their record numbers, is on which line, in the order in which it
 * was made, and what of that the filters of a list match. Refuses with `invalid_input` more
 * transactions than a page has.
 */
export function listShares(
  access: Access,
  transactionIds: readonly number[],
  choice: TransactionChoice = {},
): readonly store.LineShare[] {
  if (transactionIds.length > PAGE_ITEMS) {
    throw new Failure('invalid_input', `Ask for at most ${PAGE_ITEMS} transactions at a time.`);
  }
  return store.listLineShares(access, transactionIds, toNumbers(choice));
}

/** The list that a filter describes, as its cursors know it: by every filter. */
export function boundAllocations(projectId: string, filter: AllocationFilter) {
  const { from, to, budgetLineId: line, transactionId: transaction } = filter;
  const filters = {
    projectId: numberOf('prj', projectId),
    from,
    to,
    budgetLineId: line === undefined ? undefined : numberOf('bln', line),
    transactionId: transaction === undefined ? undefined : numberOf('txn', transaction),
  } satisfies Record<'projectId' | Exclude<keyof AllocationFilter, keyof PageRequest>, unknown>;
  return { name: 'allocations', sortKey: 'date', filters } as const;
}

/** One allocation to save. */
export interface NewAllocation {
  readonly budgetLineId: string;
  /** With the transaction's sign. Absent: the rest of the transaction. */
  readonly amountMinor?: number | undefined;
  readonly note?: string | null | undefined;
}

/** All allocations of a transaction: they replace the ones it has. */
interface AllocationRequest extends Target {
  readonly allocations: readonly NewAllocation[];
}

/**
 * Replaces all allocations of transactions, which also ends their reviews. Refuses with
 * `not_found`, `invalid_input` or, for those that are excluded, `conflict`.
 */
export function allocations(access: Access, requests: readonly AllocationRequest[]): Change {
  for (const { allocations } of requests) requireFew(allocations);
  const read = requests.map((request) => ({
    ...readTarget(request),
    drafts: request.allocations.map(({ budgetLineId, amountMinor, note }) => ({
      budgetLineId: requireNumber('bln', 'budget line', budgetLineId),
      amountMinor:
        amountMinor === undefined ? undefined : readMinor('An amount in minor units', amountMinor),
      note: note === undefined || note === null ? null : readLine('A note', note, CHARACTERS.note),
    })),
  }));
  const known = new Set<number>();
  const change: Change<(typeof read)[number]> = {
    requests: read,
    together: 'transactions.allocated',
    decide({ id: number, amountMinor, status, review, recoded }, _, { drafts }) {
      const id = formatId('txn', number);
      if (status === 'excluded') {
        const message = `${id} is excluded. Run \`budgetd restore ${id}\` first.`;
        throw new Failure('conflict', message);
      }
      const amounts = settleWishes(amountMinor, drafts);
      const { currency } = access.organisation;
      const misfit = findMisfit({ id, amountMinor, currency }, amounts);
      if (misfit !== undefined) {
        throw new Failure('invalid_input', `${misfit.problem} ${misfit.advice}`);
      }
      for (const { budgetLineId } of drafts) {
        if (!known.has(budgetLineId)) requireLine(access, budgetLineId);
        known.add(budgetLineId);
      }
      return {
        action: (review ?? recoded) === null ? 'transaction.allocated' : 'review.replaced',
        shares: drafts.map((draft, index) => ({ ...draft, amountMinor: amounts[index] ?? 0 })),
      };
    },
  };
  return change;
}

/** The project of a line. Throws the same `not_found` for another organisation's as for none. */
function requireLine(access: Access, id: number): { projectId: number } {
  const line = findLine(access, id);
  if (line !== undefined) return line;
  const message = `No budget line has the id ${formatId('bln', id)}.`;
  throw new Failure('not_found', `${message} Check it, or use the line's code.`);
}

/** An amount in minor units. Refuses with `invalid_input` what is not a whole number. */
function readMinor(what: string, minor: number): number {
  if (Number.isSafeInteger(minor)) return minor;
  throw new Failure('invalid_input', `${what} must be a whole number, not ${minor}.`);
}

/** Refuses allocations to more lines than a transaction can have. */
export function requireFew(lines: readonly unknown[]): void {
  if (lines.length <= ALLOCATED_LINES) return;
  const message = `A transaction can be allocated to at most ${ALLOCATED_LINES} budget lines.`;
  throw new Failure('invalid_input', message);
}

/** Replaces all allocations of one transaction. */
export function allocate(access: Access, request: AllocationRequest, actor: Actor) {
  return changeOne(access, allocations(access, [request]), actor);
}
