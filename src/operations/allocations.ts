/** Allocations: those of a project, and saving those of a transaction (Spec 4.4, contract 5). */

import type { Actor } from '../core/audit.ts';
import { NOTE_CHARACTERS } from '../core/limits.ts';
import * as codes from '../store/account-codes.ts';
import * as store from '../store/allocations.ts';
import { findProject } from '../store/projects.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import { type Access, missing, numberOf, requireNumber } from './access.ts';
import { readLine } from './input.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';

export type { AccountCodeCounts, AccountCodeOutcome } from '../store/account-codes.ts';
export type { AllocationRecord } from '../store/allocations.ts';

/** Which allocations to list. An absent filter matches all, an unknown identifier nothing. */
export interface AllocationFilter extends PageRequest {
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
  const { db, organisation } = access;
  const list = boundAllocations(id, filter);
  return readPage(access, list, filter, (page) => {
    const { filters } = list;
    if (findProject(db, organisation.id, filters.projectId) === undefined) {
      throw missing('project', id);
    }
    return store.listAllocations(db, organisation.id, { ...filters, ...page });
  });
}

/** The list that a filter describes, as its cursors know it. */
export function boundAllocations(projectId: string, filter: AllocationFilter) {
  const { from, to, budgetLineId: line, transactionId: transaction } = filter;
  const filters = {
    projectId: numberOf('prj', projectId),
    from,
    to,
    budgetLineId: line === undefined ? undefined : numberOf('bln', line),
    transactionId: transaction === undefined ? undefined : numberOf('txn', transaction),
  };
  return { name: 'allocations', sortKey: 'date', filters } as const;
}

/** One allocation to save. */
export interface AllocationInput {
  readonly budgetLineId: string;
  /** With the transaction's sign. Absent: the rest of the transaction. */
  readonly amountMinor?: number | undefined;
  readonly note?: string | null | undefined;
}

/** All allocations of a transaction: they replace the ones it has. */
export interface AllocationRequest {
  readonly transactionId: string;
  readonly allocations: readonly AllocationInput[];
}

/**
 * Replaces all allocations of a transaction, which also ends its review. Refuses with `not_found`,
 * `invalid_input` or, when the transaction is excluded, `conflict`.
 */
export function allocate(
  { db, organisation }: Access,
  { transactionId, allocations }: AllocationRequest,
  actor: Actor,
): TransactionRecord {
  const request = {
    transactionId: requireNumber('txn', 'transaction', transactionId),
    drafts: allocations.map(({ budgetLineId, amountMinor, note }) => ({
      budgetLineId: requireNumber('bln', 'budget line', budgetLineId),
      amountMinor,
      note: note === undefined || note === null ? null : readLine('A note', note, NOTE_CHARACTERS),
    })),
  };
  return store.saveAllocations(db, organisation.id, request, actor);
}

/** Allocates each unallocated transaction to the only budget line with its account code. */
export function allocateByAccountCode(
  { db, organisation }: Access,
  actor: Actor,
  onStep?: (soFar: codes.AccountCodeCounts) => void,
): codes.AccountCodeOutcome {
  return codes.allocateByAccountCode(db, organisation.id, actor, onStep);
}
