/** Undoing what was done to transactions: a new act, which can be undone itself. */

import type { Actor } from '../core/audit.ts';
import type { PartlyChanged } from '../core/refusals.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import * as store from '../store/undo.ts';
import type { Access } from './access.ts';

/**
 * Undoes an act on transactions (allocations, exclusions, reviews, or an undoing) by its stamp: the
 * `updatedAtMs` of each transaction that it changed, and the `atMs` of its entry in the audit log.
 * It writes the earlier states back as a new act. Refuses with `not_found`, with `invalid_input`
 * if this kind of act cannot be undone, and with `conflict` for transactions changed since.
 */
export function undo(
  { db, organisation }: Access,
  act: { readonly atMs: number },
  actor: Actor,
): TransactionRecord[] {
  return store.undoAct(db, organisation.id, act, actor);
}

/**
 * The same for those of its transactions that have not changed since: the others are left, each
 * with its refusal. Refuses with `not_found`, and with `invalid_input` if this kind of act cannot
 * be undone.
 */
export function undoUnchanged(
  { db, organisation }: Access,
  act: { readonly atMs: number },
  actor: Actor,
): PartlyChanged<TransactionRecord> {
  return store.undoUnchanged(db, organisation.id, act, actor);
}

/** Whether something of an act is still as the act left it, so that undoing it does something. */
export function canUndo({ db, organisation }: Access, atMs: number): boolean {
  return store.canUndo(db, organisation.id, atMs);
}
