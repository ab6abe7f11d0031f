/**
 * The undoing of an act on transactions: their earlier states written back as a new act, which the
 * log records and which can be undone itself.
 */

import { type AuditChange, type AuditState, explainNoUndo } from '../core/audit.ts';
import { formatInstant, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { readId } from '../core/ids.ts';
import type { Recoded, Review } from '../core/transactions.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import type { Acted, ActTarget, Change } from './acts.ts';
import { type AuditRecord, listEntriesAt } from './audit.ts';
import { findLine } from './budget-lines.ts';
import type { Share, StoredShare } from './shares.ts';

interface UndoRequest extends ActTarget {
  readonly earlier: EarlierState;
}

/**
 * Which of the acts with these stamps have left a transaction or a project as it still is; of
 * pushes, which have so left a transaction that they created.
 */
export function listLeft(
  { db, organisation }: Access,
  actsMs: readonly number[],
  arePushes: boolean,
): readonly number[] {
  const select = arePushes ? selectLeftCreated : selectLeft;
  return select(db)
    .pluck()
    .all({ orgId: organisation.id, acts: JSON.stringify(actsMs) });
}

/** The numbers of the transactions that the push with this stamp created and left like this. */
export function listAsCreated({ db, organisation }: Access, atMs: number): readonly number[] {
  return selectAsCreated(db).pluck().all({ orgId: organisation.id, atMs });
}

// No two acts have the same stamp.
const LEFT = `select id from transactions indexed by transactions_by_update
    where organisation_id = @orgId and updated_at =`;
const selectLeft = statement<[SqlRecord], number>`
  select value from json_each(@acts) where exists(${LEFT} value)
       or value in (select updated_at from projects where organisation_id = @orgId)`;
// Of what the others have changed, this would read every record.
const selectLeftCreated = statement<[SqlRecord], number>`
  select value from json_each(@acts) where exists(${LEFT} value and created_at = value)`;
const selectAsCreated = statement<[SqlRecord], number>`${LEFT} @atMs and created_at = updated_at`;

/**
 * The change that undoes the act with this stamp. Throws `not_found`, and `invalid_input` if this
 * kind of act cannot be undone.
 */
export function undoing(access: Access, atMs: number): Change<UndoRequest> {
  const entry = requireUndoable(access, atMs);
  const requests = entry.details.changes.map((change): UndoRequest => {
    const earlier = readEarlier(change);
    if (earlier === undefined) throw new Error(`no earlier state of ${change.subject}`);
    return { transactionId: earlier.transactionId, seenUpdatedAtMs: atMs, earlier };
  });
  return {
    requests,
    together: 'changes.undone',
    facts: { undone: entry.action, undoneAt: formatInstant(atMs) },
    since: 'the change to undo',
    decide: (_, shares, { earlier }) => restore(access, shares, earlier),
  };
}

function requireUndoable(access: Access, atMs: number): AuditRecord {
  const [entry] = listEntriesAt(access, atMs);
  if (entry === undefined) {
    throw new Failure('not_found', 'This change was not found, so it cannot be undone.');
  }
  const problem = explainNoUndo(entry.action);
  if (problem !== undefined) throw new Failure('invalid_input', problem);
  if (entry.details.changes.length === 0) {
    const message = 'This change cannot be undone: an older budgetd made it.';
    throw new Failure('invalid_input', message);
  }
  return entry;
}

function restore(
  access: Access,
  shares: readonly StoredShare[],
  { shares: earlier, excluded, review, recoded }: EarlierState,
): Acted {
  for (const { budgetLineId } of earlier ?? []) {
    if (findLine(access, budgetLineId) !== undefined) continue;
    throw new Failure('conflict', 'The budget line to which it was allocated was removed.');
  }
  const restored = earlier === undefined ? shares : rejoin(earlier, shares);
  return { action: 'changes.undone', shares: restored, excluded, review, recoded };
}

/** Earlier allocations, in their order; those that are still stored keep their numbers. */
function rejoin(earlier: readonly LoggedShare[], shares: readonly StoredShare[]): Share[] {
  let from = 0;
  return earlier.map((logged) => {
    const at = shares.findIndex(({ budgetLineId, note, rule }, index) => {
      const isSame = note === logged.note && rule === logged.rule;
      return index >= from && budgetLineId === logged.budgetLineId && isSame;
    });
    from = at < 0 ? shares.length : at + 1;
    return { ...logged, id: shares[at]?.id };
  });
}

/** An allocation as the log has it. */
interface LoggedShare extends Omit<Share, 'id'> {
  readonly rule: string | null;
}

/**
 * What a transaction was before a change. No act that can be undone leaves a transaction excluded
 * or marked, or under review, that was so before, so without a record it was not.
 */
interface EarlierState {
  readonly transactionId: number;
  /** Undefined if they did not change. */
  readonly shares: readonly LoggedShare[] | undefined;
  readonly excluded: { readonly reason: string } | null;
  readonly review: Review | null;
  readonly recoded: Recoded | null;
}

/** What a transaction was before a change; undefined if the log does not say. */
function readEarlier({ subject, before }: AuditChange): EarlierState | undefined {
  const transactionId = readId('txn', subject);
  if (transactionId === undefined || before === null) return undefined;
  return {
    transactionId,
    shares: readShares(before['allocations'] as readonly AuditState[] | undefined),
    excluded: (before['excluded'] as { reason: string } | null | undefined) ?? null,
    review: readReview(before['review'] as AuditState | null | undefined),
    recoded: readMark(before['recoded'] as AuditState | null | undefined),
  };
}

function readShares(logged: readonly AuditState[] | undefined): LoggedShare[] | undefined {
  return logged?.map(({ budgetLineId, amountMinor, note = null, rule = null }) => ({
    budgetLineId: readId('bln', String(budgetLineId)) ?? 0,
    amountMinor: Number(amountMinor),
    note: note === null ? null : String(note),
    rule: rule === null ? null : String(rule),
  }));
}

function readReview(logged: AuditState | null | undefined): Review | null {
  const changedAtMs = readInstant(String(logged?.['changedAt']));
  if (logged === undefined || logged === null || changedAtMs === undefined) return null;
  return { previousMinor: Number(logged['previousAmountMinor']), changedAtMs };
}

function readMark(logged: AuditState | null | undefined): Recoded | null {
  const changedAtMs = readInstant(String(logged?.['changedAt']));
  if (logged === undefined || logged === null || changedAtMs === undefined) return null;
  const { accountCode, projectCode, date } = logged as unknown as Recoded;
  return { accountCode, projectCode, date, changedAtMs };
}
