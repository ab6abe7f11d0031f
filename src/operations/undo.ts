/** Undoing what was done to transactions: a new act, which can be undone itself. */

import * as store from '../store/undo.ts';
import type { Access } from './access.ts';
import type { Change } from './changes.ts';

/**
 * The change that undoes an act on transactions (allocations, exclusions, reviews, or an undoing):
 * its stamp is the `updatedAtMs` of each transaction that it changed, and the `atMs` of its entry
 * in the audit log. The change refuses transactions that have changed since. Refuses with
 * `not_found`, and with `invalid_input` if this kind of act cannot be undone.
 */
export function undoing({ db, organisation }: Access, atMs: number): Change {
  return store.undoing(db, organisation.id, atMs);
}

/** Whether something of an act is still as the act left it, so that undoing it does something. */
export function canUndo({ db, organisation }: Access, atMs: number): boolean {
  return store.canUndo(db, organisation.id, atMs);
}
