/**
 * Allocations: a project's as a page, and saving a transaction's, which replaces all it had. Every
 * way to change an allocation ends in `writeAllocations` or `settle` (contract 5).
 */

import { findMisfit, type Misfit } from '../core/allocations.ts';
import type { Actor, AuditAction } from '../core/audit.ts';
import { newestFirst } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { type Provider, type Review, statusOf } from '../core/transactions.ts';
import { recordAudit } from './audit.ts';
import { atomically, type Db } from './database.ts';
import { requireOrganisation } from './organisations.ts';
import { type Found, listPage, type Page, type Position, type Walk } from './pages.ts';
import { type SqlRecord, statement } from './statements.ts';
import { findTransaction, latestUpdate, type TransactionRecord } from './transactions.ts';

/** An allocation as it is read, with what is shown of its line and its transaction. */
export interface AllocationRecord {
  readonly id: number;
  readonly projectId: number;
  readonly budgetLineId: number;
  readonly lineCode: string | null;
  readonly lineName: string;
  readonly transactionId: number;
  readonly provider: Provider;
  readonly externalId: string | null;
  readonly date: string;
  readonly description: string;
  readonly contact: string | null;
  readonly amountMinor: number;
  readonly note: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** One page of a project's allocations to read (contract 4). Absent means any. */
export interface AllocationPage {
  readonly projectId: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly budgetLineId?: number | undefined;
  readonly transactionId?: number | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** A page of a project's allocations: the transaction's date, newest first, then id. */
export function listAllocations(
  db: Db,
  orgId: OrgId,
  page: AllocationPage,
): Page<AllocationRecord> {
  const { projectId, from, to, budgetLineId, transactionId, after, limit } = page;
  const range = ['a.organisation_id = @orgId', 'a.project_id = @projectId'];
  const values: Record<string, number> = { orgId, projectId };
  if (from !== undefined) values['from'] = newestFirst(from);
  if (to !== undefined) values['to'] = newestFirst(to);
  if (budgetLineId !== undefined) {
    range.push('a.budget_line_id = @budgetLineId');
    values['budgetLineId'] = budgetLineId;
  }
  if (transactionId !== undefined) {
    range.push('a.transaction_id = @transactionId');
    values['transactionId'] = transactionId;
  }
  const index =
    transactionId !== undefined
      ? 'allocations_by_transaction'
      : budgetLineId !== undefined
        ? 'allocations_by_line'
        : 'allocations_by_project';
  const walk: Walk = {
    columns: COLUMNS,
    table: 'allocations a',
    from: `allocations a indexed by ${index} ${JOINS}`,
    key: { sort: 'a.newest_first', id: 'a.id' },
    ranges: [range],
    begin: to === undefined ? undefined : 'a.newest_first >= @to',
    end: from === undefined ? undefined : 'a.newest_first <= @from',
    narrow: [],
    values,
    after,
    limit,
  };
  return listPage(db, walk, toAllocation);
}

const COLUMNS = `a.project_id, a.budget_line_id, l.code, l.name, a.transaction_id, t.provider,
  t.external_id, a.date, t.description, t.contact, a.amount_minor, a.note, a.created_at,
  a.updated_at`;
const JOINS = `cross join transactions t on t.id = a.transaction_id
  cross join budget_lines l on l.id = a.budget_line_id`;

type AllocationColumns = [
  projectId: number,
  budgetLineId: number,
  lineCode: string | null,
  lineName: string,
  transactionId: number,
  provider: Provider,
  externalId: string | null,
  date: string,
  description: string,
  contact: string | null,
  amountMinor: number,
  note: string | null,
  createdAtMs: number,
  updatedAtMs: number,
];

function toAllocation(found: Found<AllocationColumns>): AllocationRecord {
  return {
    id: found[1],
    projectId: found[2],
    budgetLineId: found[3],
    lineCode: found[4],
    lineName: found[5],
    transactionId: found[6],
    provider: found[7],
    externalId: found[8],
    date: found[9],
    description: found[10],
    contact: found[11],
    amountMinor: found[12],
    note: found[13],
    createdAtMs: found[14],
    updatedAtMs: found[15],
  };
}

/** One allocation to be saved. */
export interface AllocationDraft {
  readonly budgetLineId: number;
  readonly amountMinor: number;
  readonly note: string | null;
}

/**
 * Saves a transaction's allocations in place of all it had; none clears them. On a transaction
 * under review this is the way out called replace. Refuses with `not_found` (a line, too),
 * `conflict` (excluded) or `invalid_input` (an amount that cannot be).
 */
export function saveAllocations(
  db: Db,
  orgId: OrgId,
  request: { transactionId: number; drafts: readonly AllocationDraft[] },
  actor: Actor,
): TransactionRecord {
  return atomically(db, () => {
    const transaction = requireTransaction(db, orgId, request.transactionId);
    if (transaction.status === 'excluded') {
      const id = formatId('txn', transaction.id);
      const message = `${id} is excluded. Run \`budgetd restore ${id}\` first.`;
      throw new Failure('conflict', message);
    }
    const amounts = request.drafts.map((draft) => draft.amountMinor);
    const misfit = checkAmounts(db, orgId, transaction, amounts);
    if (misfit !== undefined) {
      throw new Failure('invalid_input', `${misfit.problem} ${misfit.advice}`);
    }
    const action = transaction.review === null ? 'transaction.allocated' : 'review.replaced';
    return writeAllocations(db, orgId, { transaction, drafts: request.drafts, action }, actor);
  });
}

/** What is wrong with allocations of these amounts; undefined when they fit. */
export function checkAmounts(
  db: Db,
  orgId: OrgId,
  { id, amountMinor }: TransactionRecord,
  amounts: readonly number[],
): Misfit | undefined {
  const { currency } = requireOrganisation(db, orgId);
  return findMisfit({ id: formatId('txn', id), amountMinor, currency }, amounts);
}

/** Writes allocations that have been checked, inside the caller's atomic step. */
export function writeAllocations(
  db: Db,
  orgId: OrgId,
  change: {
    transaction: TransactionRecord;
    drafts: readonly AllocationDraft[];
    action: AuditAction;
  },
  actor: Actor,
): TransactionRecord {
  const { transaction, drafts, action } = change;
  deleteAllocations(db).run(orgId, transaction.id);
  const stampMs = Math.max(actor.nowMs, latestUpdate(db, orgId));
  for (const draft of drafts) {
    const line = selectLine(db).get(orgId, draft.budgetLineId);
    if (line === undefined) {
      const id = formatId('bln', draft.budgetLineId);
      throw new Failure(
        'not_found',
        `There is no budget line ${id}. Check its id or use its code.`,
      );
    }
    insertAllocation(db).run({
      orgId,
      projectId: line.project_id,
      budgetLineId: draft.budgetLineId,
      transactionId: transaction.id,
      date: transaction.date,
      amountMinor: draft.amountMinor,
      note: draft.note,
      stampMs,
    });
  }
  const details = drafts.map(({ budgetLineId, amountMinor, note }) => {
    return { budgetLineId: formatId('bln', budgetLineId), amountMinor, note };
  });
  return settle(db, orgId, { transaction, action, details: { allocations: details } }, actor);
}

/**
 * Brings a transaction's sum, status and review in line with its allocations as they are now stored
 * and records what was done, inside the caller's atomic step. The review ends here.
 */
export function settle(
  db: Db,
  orgId: OrgId,
  change: {
    transaction: TransactionRecord;
    action: AuditAction;
    details: Readonly<Record<string, unknown>>;
    excluded?: { readonly reason: string };
  },
  actor: Actor,
): TransactionRecord {
  const { transaction, action, details, excluded } = change;
  const review: Review | null = null;
  const allocatedMinor = selectSum(db).get(orgId, transaction.id)?.sum ?? 0;
  updateTransaction(db).run({
    id: transaction.id,
    allocatedMinor,
    status: statusOf({
      excluded: excluded !== undefined,
      review,
      amountMinor: transaction.amountMinor,
      allocatedMinor,
    }),
    excludedAt: excluded === undefined ? null : actor.nowMs,
    excludedBy: excluded === undefined ? null : actor.name,
    excludedReason: excluded?.reason ?? null,
    stampMs: Math.max(actor.nowMs, latestUpdate(db, orgId), transaction.updatedAtMs + 1),
  });
  recordAudit(db, orgId, actor, { action, subject: formatId('txn', transaction.id), details });
  return requireTransaction(db, orgId, transaction.id);
}

/** A transaction's allocations with their amounts, oldest first. */
export function listShares(
  db: Db,
  orgId: OrgId,
  transactionId: number,
): { id: number; budgetLineId: number; amountMinor: number; note: string | null }[] {
  return selectShares(db).all(orgId, transactionId);
}

/** The transaction, or a `not_found` that does not tell whose it may be. */
export function requireTransaction(db: Db, orgId: OrgId, id: number): TransactionRecord {
  const transaction = findTransaction(db, orgId, id);
  if (transaction === undefined) {
    const message = `There is no transaction ${formatId('txn', id)}. Check its id in the list.`;
    throw new Failure('not_found', message);
  }
  return transaction;
}

/** Sets one allocation's amount, or removes it when the amount is 0; `settle` follows. */
export function setShare(
  db: Db,
  orgId: OrgId,
  share: { id: number; amountMinor: number },
  nowMs: number,
): void {
  if (share.amountMinor === 0) deleteAllocation(db).run(orgId, share.id);
  else updateShare(db).run(share.amountMinor, nowMs, orgId, share.id);
}

const deleteAllocations = statement<[OrgId, number]>(
  'delete from allocations where organisation_id = ? and transaction_id = ?',
);
const deleteAllocation = statement<[OrgId, number]>(
  'delete from allocations where organisation_id = ? and id = ?',
);
const updateShare = statement<[number, number, OrgId, number]>(
  `update allocations set amount_minor = ?, updated_at = ?
    where organisation_id = ? and id = ?`,
);
const selectLine = statement<[OrgId, number], { project_id: number }>(
  'select project_id from budget_lines where organisation_id = ? and id = ?',
);
const insertAllocation = statement<[SqlRecord]>(
  `insert into allocations
     (organisation_id, project_id, budget_line_id, transaction_id, date, under_review,
      amount_minor, note, created_at, updated_at)
   values
     (@orgId, @projectId, @budgetLineId, @transactionId, @date, 0,
      @amountMinor, @note, @stampMs, @stampMs)`,
);
const selectSum = statement<[OrgId, number], { sum: number | null }>(
  `select sum(amount_minor) as sum from allocations
    where organisation_id = ? and transaction_id = ?`,
);
const selectShares = statement<
  [OrgId, number],
  { id: number; budgetLineId: number; amountMinor: number; note: string | null }
>(
  `select id, budget_line_id as budgetLineId, amount_minor as amountMinor, note
     from allocations where organisation_id = ? and transaction_id = ? order by id`,
);
const updateTransaction = statement<[SqlRecord]>(
  `update transactions
      set allocated_minor = @allocatedMinor, status = @status, updated_at = @stampMs,
          review_previous_minor = null, review_changed_at = null,
          excluded_at = @excludedAt, excluded_by = @excludedBy, excluded_reason = @excludedReason
    where id = @id`,
);
