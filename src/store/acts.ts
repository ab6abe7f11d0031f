/**
 * Changes transactions: finds, decides, writes and logs the changes of one act in one atomic step,
 * for one transaction or several, all or none. Every change of an allocation ends in `settle`
 * (contract 5).
 */

import {
  type Act,
  type Actor,
  type AuditAction,
  type AuditChange,
  type AuditState,
  changeOf,
  recodedState,
  requirePermissions,
  reviewState,
} from '../core/audit.ts';
import { explainMissing, Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { CHANGED_TRANSACTIONS } from '../core/limits.ts';
import { writeRecoded } from '../core/recoded.ts';
import { ChangeRefused, type Refusal, staleRefusal } from '../core/refusals.ts';
import { type Recoded, type Review, type Status, statusOf } from '../core/transactions.ts';
import { atomically, consistently } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import type { Found } from './pages.ts';
import { addHash, changeHash, hashChange } from './row-hashes.ts';
import { mapShares, markReviewed, type Share, type StoredShare, saveShares } from './shares.ts';
import { KeptChange } from './totals.ts';
import {
  findTransaction,
  TRANSACTION_COLUMNS,
  type TransactionRecord,
  toTransaction,
} from './transactions.ts';

export interface ActTarget {
  readonly transactionId: number;
  /** Its `updatedAtMs` when the caller saw it. The change is refused if it has moved since. */
  readonly seenUpdatedAtMs?: number | undefined;
}

/** The result of an act on a transaction. */
export interface Acted {
  readonly action: AuditAction;
  /** All its allocations after the act. */
  readonly shares: readonly Share[];
  readonly excluded?: { readonly reason: string } | null | undefined;
  /** Its review after the act: ended, unless an act is undone. */
  readonly review?: Review | null | undefined;
  /** Its mark after the act: ended, unless an act is undone. */
  readonly recoded?: Recoded | null | undefined;
}

export interface Change<Request extends ActTarget = ActTarget> {
  readonly requests: readonly Request[];
  /** The outcome for one transaction. Throws a Failure to refuse it. */
  decide(transaction: TransactionRecord, shares: readonly StoredShare[], request: Request): Acted;
  /** What the log calls several of these outcomes together. */
  readonly together: AuditAction;
  /** Facts for the log about the act as a whole. */
  readonly facts?: AuditState;
  /** Since when a transaction must not have changed, for the message of the refusal. */
  readonly since?: string;
}

/** What a change would make of a transaction. */
export interface PlannedChange {
  /** As it is; its `updatedAtMs` belongs into the change that is to do exactly this. */
  readonly transaction: TransactionRecord;
  readonly before: readonly StoredShare[];
  readonly after: readonly Share[];
  readonly allocatedMinor: number;
  readonly status: Status;
}

/** What a change would do, and which transactions it would refuse. */
export interface Preview {
  readonly planned: readonly PlannedChange[];
  readonly refusals: readonly Refusal<TransactionRecord>[];
}

/** When, by whom and why a transaction was excluded. */
export interface Exclusion {
  readonly atMs: number;
  readonly by: string;
  readonly reason: string;
}

/** What {@link settle} looks at in a transaction. One that waits has no review and no mark. */
type Settled = Pick<
  TransactionRecord,
  'id' | 'date' | 'projectCode' | 'amountMinor' | 'allocatedMinor' | 'status' | 'updatedAtMs'
> &
  Partial<Pick<TransactionRecord, 'review' | 'recoded'>>;

export interface Decided<Each extends Settled = Settled> {
  readonly transaction: Each;
  readonly shares: readonly StoredShare[];
  readonly outcome: Acted;
}

/**
 * Makes a change as one act with one audit entry: of all its transactions, or of none. Throws
 * {@link ChangeRefused} with each transaction that cannot be changed.
 */
export function changeAll(access: Access, change: Change, actor: Actor): TransactionRecord[] {
  return atomically(access, () => {
    const { decided, refusals } = decideAll(access, change);
    const [refused, ...others] = refusals;
    if (refused !== undefined) {
      throw new ChangeRefused([refused, ...others], change.requests.length);
    }
    return write(access, { change, decided }, actor);
  });
}

/** Makes a change of one transaction, and returns it. Throws as `changeAll` does. */
export function changeOne(access: Access, change: Change, actor: Actor): TransactionRecord {
  const [changed] = changeAll(access, change, actor);
  if (changed === undefined) throw new Error('a change without a transaction');
  return changed;
}

/** Makes a change of those of its transactions that allow it, as one act, and leaves the others. */
export function changeRest(access: Access, change: Change, actor: Actor) {
  return atomically(access, () => {
    const { decided, refusals } = decideAll(access, change);
    if (decided.length === 0) return { changed: [], refusals };
    return { changed: write(access, { change, decided }, actor), refusals };
  });
}

function write(
  access: Access,
  { change, decided }: { change: Change; decided: readonly Decided<TransactionRecord>[] },
  actor: Actor,
): TransactionRecord[] {
  const act = beginAct(access, actor);
  const details = { ...change.facts, changes: settle(access, decided, act) };
  const [first] = decided;
  const entry =
    first !== undefined && decided.length === 1
      ? { action: first.outcome.action, subject: formatId('txn', first.transaction.id) }
      : { action: change.together, subject: null };
  recordAudit(access, act, { ...entry, details });
  return decided.map((each) => afterAct(each, act));
}

/** What a change would do, without making it. */
export function previewChange(access: Access, change: Change): Preview {
  return consistently(access, () => {
    const { decided, refusals } = decideAll(access, change);
    const planned = decided.map(({ transaction, shares, outcome }) => {
      const { kept, allocatedMinor, status } = resultOf(transaction, outcome);
      return { transaction, before: shares, after: kept, allocatedMinor, status };
    });
    return { planned, refusals };
  });
}

function decideAll(access: Access, change: Change) {
  const { requests, since = 'you looked at it' } = change;
  refuseSize(requests);
  const decided: Decided<TransactionRecord>[] = [];
  const refusals: Refusal<TransactionRecord>[] = [];
  const ids = requests.map(({ transactionId }) => transactionId);
  const found = selectTransactions(access.db)
    .raw()
    .all(JSON.stringify(ids), access.organisation.id);
  const known = new Map(found.map(toTransaction).map((each) => [each.id, each]));
  const allocated = [...known.values()].filter(({ allocatedMinor }) => allocatedMinor !== 0);
  const stored = mapShares(access, allocated);
  for (const request of requests) {
    const { transactionId, seenUpdatedAtMs } = request;
    const subject = formatId('txn', transactionId);
    try {
      const transaction = known.get(transactionId) ?? requireTransaction(access, transactionId);
      const isStale = (seenUpdatedAtMs ?? transaction.updatedAtMs) !== transaction.updatedAtMs;
      if (isStale) refusals.push(staleRefusal(subject, since, transaction));
      else {
        const shares = stored.get(transactionId) ?? [];
        decided.push({ transaction, shares, outcome: change.decide(transaction, shares, request) });
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refusals.push({ subject, code: error.code, message: error.message });
    }
  }
  return { decided, refusals };
}

const selectTransactions = statement<[ids: string, OrgId], Found>`
  select t.newest_first, t.id, ${TRANSACTION_COLUMNS.text} from json_each(?) j
    cross join transactions t not indexed on t.organisation_id = ? and t.id = j.value`;

function refuseSize(requests: readonly ActTarget[]): void {
  const size = requests.length;
  if (size === 0 || size > CHANGED_TRANSACTIONS) {
    const message = `Choose 1 to ${CHANGED_TRANSACTIONS} transactions at a time, not ${size}.`;
    throw new Failure('invalid_input', message);
  }
  const seen = new Set<number>();
  for (const { transactionId } of requests) {
    if (seen.has(transactionId)) {
      const message = `${formatId('txn', transactionId)} is listed twice. List it once.`;
      throw new Failure('invalid_input', message);
    }
    seen.add(transactionId);
  }
}

/** A transaction with the outcome that was decided for it, and what it makes of it. */
interface Result extends Decided, ReturnType<typeof resultOf> {}

/**
 * Writes outcomes and returns their changes for the log. The caller provides the atomic step.
 * Throws `RoleForbids` for someone signed in whose role does not allow one of them.
 * Object spread is avoided here: it took a fifth of the time of a step.
 */
export function settle(access: Access, decided: readonly Decided[], act: Act): AuditChange[] {
  const results = decided.map(({ transaction, shares, outcome }): Result => {
    const { kept, allocatedMinor, status } = resultOf(transaction, outcome);
    return { transaction, shares, outcome, kept, allocatedMinor, status };
  });
  saveShares(access, results, act);
  const kept = new KeptChange();
  for (const { transaction, allocatedMinor, status } of results) {
    const { date, projectCode, amountMinor } = transaction;
    kept.add(transaction, -1);
    kept.add({ date, projectCode, status, amountMinor, allocatedMinor }, 1);
  }
  kept.write(access);
  leaveAlone(access, results, act);
  const begun = results.filter(isBegun).map(({ transaction }) => transaction.id);
  const changes = results.map((each) => saveTransaction(access, each, act));
  markReviewed(access, begun);
  requirePermissions(act, changes);
  return changes;
}

/** Whether its review begins, which is the case if the end of one is undone. */
function isBegun({ transaction, outcome, allocatedMinor }: Result): boolean {
  return allocatedMinor !== 0 && !transaction.review && Boolean(outcome.review);
}

/** Keeps the rules from what someone took their allocations from (contract 15). */
function leaveAlone({ db, organisation }: Access, results: readonly Result[], act: Act): void {
  const left = results.flatMap(({ transaction, shares, outcome: { action }, status }) => {
    const isUndone = action === 'changes.undone';
    const isFreed = isUndone ? shares.length > 0 : action !== 'transaction.restored';
    return status === 'unallocated' && isFreed ? [[transaction.id, Number(isUndone)]] : [];
  });
  if (left.length > 0) insertLeft(db).run(organisation.id, act.stampMs, JSON.stringify(left));
}

function saveTransaction(access: Access, result: Result, act: Act): AuditChange {
  const { transaction, shares, outcome, kept, allocatedMinor, status } = result;
  const { excluded = null, review = null, recoded = null } = outcome;
  const { stampMs } = act;
  const was = findExclusion(access, transaction);
  const exclusion = excluded && { atMs: stampMs, by: act.name, reason: excluded.reason };
  const before = stateOf(transaction, shares, was && { reason: was.reason });
  const after = stateOf({ status, allocatedMinor, review, recoded }, kept, excluded);
  const { id, updatedAtMs, review: reviewed = null, recoded: marked = null } = transaction;
  const rare = [was, exclusion, reviewed, review, marked, recoded];
  let change = hashChange('allocated_minor', transaction.allocatedMinor, allocatedMinor);
  change = addHash(change, hashChange('status', transaction.status, status));
  change = addHash(change, hashChange('updated_at', updatedAtMs, stampMs));
  if (rare.every((each) => each === null)) {
    updateAllocated(access.db).run(change, allocatedMinor, status, stampMs, id);
  } else {
    const [from, to] = [
      rareColumns(reviewed, marked, was),
      rareColumns(review, recoded, exclusion),
    ];
    for (const column of RARE_COLUMNS) {
      change = addHash(change, hashChange(column, from[column], to[column]));
    }
    updateTransaction(access.db).run({ id, change, allocatedMinor, status, stampMs, ...to });
  }
  return changeOf(formatId('txn', id), before, after, updatedAtMs);
}

/** The columns that only some acts change. */
function rareColumns(review: Review | null, recoded: Recoded | null, exclusion: Exclusion | null) {
  return {
    review_previous_minor: review?.previousMinor ?? null,
    review_changed_at: review?.changedAtMs ?? null,
    recoded: recoded && writeRecoded(recoded),
    excluded_at: exclusion?.atMs ?? null,
    excluded_by: exclusion?.by ?? null,
    excluded_reason: exclusion?.reason ?? null,
  };
}

const RARE_COLUMNS = Object.keys(rareColumns(null, null, null)) as (keyof ReturnType<
  typeof rareColumns
>)[];

function afterAct(
  { transaction, outcome }: Decided<TransactionRecord>,
  { stampMs }: Act,
): TransactionRecord {
  const { allocatedMinor, status } = resultOf(transaction, outcome);
  const { review = null, recoded = null } = outcome;
  return { ...transaction, allocatedMinor, status, review, recoded, updatedAtMs: stampMs };
}

function resultOf(
  { amountMinor }: Settled,
  { shares, excluded = null, review = null }: Acted,
): { kept: Share[]; allocatedMinor: number; status: Status } {
  const kept = shares.filter((share) => share.amountMinor !== 0);
  const allocatedMinor = kept.reduce((sum, share) => sum + share.amountMinor, 0);
  const facts = { excluded: excluded !== null, review, amountMinor, allocatedMinor };
  return { kept, allocatedMinor, status: statusOf(facts) };
}

/** The fields that the audit log compares when someone works on a transaction. */
function stateOf(
  transaction: Pick<Settled, 'status' | 'allocatedMinor' | 'review' | 'recoded'>,
  shares: readonly Share[],
  excluded: { reason: string } | null,
): AuditState {
  const { status, allocatedMinor, review = null, recoded = null } = transaction;
  const allocations = shares.map(({ budgetLineId: line, amountMinor, note, rule }) => {
    const budgetLineId = formatId('bln', line);
    return rule ? { budgetLineId, amountMinor, note, rule } : { budgetLineId, amountMinor, note };
  });
  const [reviewed, marked] = [reviewState(review), recodedState(recoded)];
  return { status, allocatedMinor, allocations, review: reviewed, recoded: marked, excluded };
}

function findExclusion({ db, organisation }: Access, { id, status }: Settled) {
  if (status !== 'excluded') return null;
  return selectExclusion(db).get(organisation.id, id) ?? null;
}

/** The transaction. Throws the same `not_found` whether it is missing or another organisation's. */
function requireTransaction(access: Access, id: number): TransactionRecord {
  const transaction = findTransaction(access, id);
  if (transaction === undefined) {
    const missing = explainMissing('transaction', formatId('txn', id));
    throw new Failure('not_found', `${missing} Check the id.`);
  }
  return transaction;
}

const selectExclusion = statement<[OrgId, number], Exclusion>`
  select excluded_at as atMs, excluded_by as by, excluded_reason as reason
     from transactions where organisation_id = ? and id = ?`;
const insertLeft = statement<[OrgId, stampMs: number, left: string]>`
  insert into left_alone (organisation_id, stamp, transaction_id, is_undone)
   select ?, ?, value ->> 0, value ->> 1 from json_each(?) where true
   on conflict do update set stamp = excluded.stamp, is_undone = excluded.is_undone`;
// For most transactions: SQLite does more for each column that is named, changed or not.
const updateAllocated = statement<[number, number, Status, number, number]>`
  update transactions set ${changeHash('?')}, allocated_minor = ?, status = ?, updated_at = ?
    where id = ?`;
const updateTransaction = statement<[SqlRecord]>`update transactions
      set ${changeHash('@change')}, allocated_minor = @allocatedMinor, status = @status,
          updated_at = @stampMs,
          ${RARE_COLUMNS.map((column) => `${column} = @${column}`).join(', ')}
    where id = @id`;
